"""From goal predicates to skills, in an order that works, checked and repeated until the goal holds."""

from gauge.policies.expert.motion import Arm, Motion
from gauge.policies.expert.skills.open import open_
from gauge.policies.expert.skills.pick import pick
from gauge.policies.expert.skills.place import place
from gauge.policies.expert.skills.push import push
from gauge.policies.expert.skills.shove import shove
from gauge.policies.expert.skills.turn import turn
from gauge.policies.expert.targets import target
from gauge.policies.expert.world import World

ROUNDS = 5
State = tuple[str, ...]


def solve(arm: Arm) -> Motion:
    """Reach the task's goal: do what is unmet, look again, at most `ROUNDS` times."""
    for _ in range(ROUNDS):
        steps = plan(arm.world)
        if not steps:
            return True
        for state in steps:
            if not (yield from achieve(arm, state)):
                yield from arm.open_fingers()
                break
    return not plan(arm.world)


def plan(world: World) -> list[State]:
    """What has to be made true, in order; empty when the goal holds."""
    unmet = [state for state in world.goal if not world.holds(state)]
    moves = [state for state in unmet if state[0] in ("in", "on")]
    bases = {state[1] for state in moves}
    moves.sort(key=lambda state: state[2] in bases)  # a base is put down before what goes on it
    doors = [("open", door) for door in dict.fromkeys(_door(world, state) for state in moves) if door]
    needed = {door for _, door in doors}
    opened = [state for state in doors if not world.holds(state)]
    rest = [state for state in unmet if state not in moves]
    last = [state for state in rest if state[0] == "close" and state[1] in needed]
    first = sorted((state for state in rest if state not in last), key=lambda state: state[0])
    return [*first, *(state for state in opened if state not in first), *moves, *last]


def _door(world: World, state: State) -> str | None:
    """The drawer region or fixture that must be open before something can be put in."""
    site = world.env.object_sites_dict.get(state[2])
    if state[0] != "in" or site is None or site.parent_name not in world.env.fixtures_dict:
        return None
    fixture = world.env.get_object(site.parent_name)
    if "default_open_ranges" not in fixture.object_properties.get("articulation", {}):
        return None
    return str(state[2] if site.joints else site.parent_name)


def achieve(arm: Arm, state: State) -> Motion:
    """Make one predicate true."""
    kind, name = state[0], state[1]
    if kind in ("turnon", "turnoff"):
        return (yield from turn(arm, kind, name))
    if kind == "open":
        return (yield from open_(arm, name))
    if kind == "close":
        return (yield from shove(arm, kind, name))
    if (yield from pick(arm, name)):
        return (yield from place(arm, name, target(arm.world, state)))
    if kind == "on" and arm.note.startswith("no grasp"):
        return (yield from push(arm, name, target(arm.world, state), state))
    return False
