"""From goal predicates to skills, in an order that works, checked and repeated until the goal holds."""

from gauge.policies.expert.motion import Arm, Motion
from gauge.policies.expert.skills.pick import pick
from gauge.policies.expert.skills.place import place_at

ROUNDS = 5


def solve(arm: Arm) -> Motion:
    """Reach the task's goal: do what is unmet, look again, at most `ROUNDS` times."""
    for _ in range(ROUNDS):
        unmet = [state for state in arm.world.goal if not arm.world.holds(state)]
        if not unmet:
            return True
        for state in unmet:
            if not (yield from achieve(arm, state)):
                yield from arm.open_fingers()
    return all(arm.world.holds(state) for state in arm.world.goal)


def achieve(arm: Arm, state: tuple[str, ...]) -> Motion:
    """Make one predicate true."""
    kind, name = state[0], state[1]
    if kind != "in":
        return arm.fail(f"no skill for {kind}")
    if not (yield from pick(arm, name)):
        return False
    site = arm.world.site_pose(state[2]).position
    return (yield from place_at(arm, name, site[:2], site[2] - 0.1, site[2] + 0.2))
