"""From goal predicates to skills, in an order that works, checked and repeated until the goal holds."""

from gauge.policies.expert.motion import Arm, Motion
from gauge.policies.expert.skills.pick import pick
from gauge.policies.expert.skills.place import place
from gauge.policies.expert.targets import target

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
    if state[0] not in ("in", "on"):
        return arm.fail(f"no skill for {state[0]}")
    if not (yield from pick(arm, state[1])):
        return False
    return (yield from place(arm, state[1], target(arm.world, state)))
