"""From goal predicates to skills, in an order that works, checked and repeated until the goal holds."""

from collections.abc import Iterator

import numpy as np

from gauge.policies.expert.geometry import Array, Pose
from gauge.policies.expert.goal import MOVES, TURNS, fault, left_undone
from gauge.policies.expert.joints import joint_for
from gauge.policies.expert.motion import Arm
from gauge.policies.expert.mover import Motion
from gauge.policies.expert.skills.open import handle_geom, open_
from gauge.policies.expert.skills.pick import pick
from gauge.policies.expert.skills.place import place
from gauge.policies.expert.skills.push import push
from gauge.policies.expert.skills.shove import shove
from gauge.policies.expert.skills.stand import stand
from gauge.policies.expert.skills.turn import turn
from gauge.policies.expert.targets import Target, aside, away, target
from gauge.policies.expert.world import State, World

ROUNDS = 5
NEAR_M = 0.14


def solve(arm: Arm) -> Motion:
    """Reach the task's goal: do what is unmet, look again, at most `ROUNDS` times."""
    beyond = fault(arm.world)
    if beyond:
        return arm.fail(beyond)
    for _ in range(ROUNDS):
        steps = plan(arm.world)
        if not steps:
            return arm.world.reached() or arm.fail(left_undone(arm.world))
        for state in steps:
            if not (yield from achieve(arm, state)):
                yield from arm.open_fingers()
                break
            if state[0] in MOVES and not arm.world.holds(state):  # a door is not closed on what stands in it
                break
    return arm.world.reached()


def plan(world: World) -> list[State]:
    """What has to be made true, in order; empty when the goal holds."""
    unmet = [state for state in world.goal if not world.holds(state)]
    moves = [state for state in unmet if state[0] in MOVES]
    bases = {state[1] for state in moves}
    moves.sort(key=lambda state: state[2] in bases)  # a base is put down before what goes on it
    needed: list[State] = [("open", door) for door in dict.fromkeys(_door(world, state) for state in moves) if door]
    rest = [state for state in unmet if state not in moves]
    opened = [state for state in rest if state[0] == "open"]
    opened += [state for state in needed if state not in opened and not world.holds(state)]
    away: list[State] = [
        ("aside", moved[1], door) for _, door in opened for moved in moves if _in_the_way(world, moved[1], door)
    ]
    away += [("clear", name, place) for name, place in _occupants(world, unmet, moves)]
    rest = [state for state in rest if state[0] != "not"]
    last = [state for state in rest if state[0] == "close" and ("open", state[1]) in needed]
    first = [state for state in rest if state not in last and state not in opened]
    return [*first, *away, *opened, *moves, *last]


def _occupants(world: World, unmet: list[State], moves: list[State]) -> Iterator[tuple[str, str]]:
    """Things that go aside first, and what they are on or in: the goal says so, or something else goes there."""
    own = {state[1]: number for number, state in enumerate(moves)}
    for state in unmet:
        if state[0] == "not" and state[1] in MOVES and state[2] not in own:
            yield state[2], state[3]
    for number, move in enumerate(moves):
        kind, name, place = move
        if kind != "on" or place not in world.env.objects_dict:
            continue
        for other in world.env.objects_dict:
            stays = other in (name, place) or ("on", other, place) in world.goal or own.get(other, number) < number
            if not stays and ("not", "on", other, place) not in unmet and world.holds(("on", other, place)):
                yield other, place


def _in_the_way(world: World, name: str, drawer: str) -> bool:
    """Whether an object stands where the hand could not come down to it once the drawer is open."""
    return bool(np.linalg.norm(world.pose(name).position[:2] - opened_handle(world, drawer)) < NEAR_M)


def opened_handle(world: World, drawer: str) -> Array:
    """Where the handle will be, [2], when the drawer or door is open."""
    joint = joint_for(world, "open", drawer)
    centre = world.boxes(np.array([handle_geom(world, joint)])).centres[0]
    return joint.moved(Pose(centre, np.eye(3)), joint.wanted - joint.value).position[:2]


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
    if kind in TURNS:
        return (yield from turn(arm.does("turn"), kind, name))
    if kind in ("open", "close"):
        skill = open_(arm.does("open"), name) if kind == "open" else shove(arm.does("close"), kind, name)
        if (yield from skill):
            return True
        reason = arm.note
        if reason.startswith("cannot reach") and (yield from turn(arm.does("take along"), kind, name)):
            return True
        return arm.fail(reason)
    if kind == "upright":
        return (yield from stand(arm, name))
    where = _where(arm.world, state)
    if (yield from pick(arm.does("pick"), name)):
        return (yield from place(arm.does("place"), name, where))
    if kind == "on" and arm.note.startswith("no grasp"):
        return (yield from push(arm.does("push"), name, where, state))
    return False


def _where(world: World, state: State) -> Target:
    """Where an object has to go."""
    kind, name, place = state
    if kind == "aside":
        return aside(world, name, opened_handle(world, place)[None])
    if kind == "clear":
        return away(world, name, place)
    return target(world, state)
