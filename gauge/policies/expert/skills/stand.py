"""Set upright what lies: take it, turn the hand until its upper end points up, put it down near where it was."""

from gauge.policies.expert.motion import Arm
from gauge.policies.expert.mover import Motion
from gauge.policies.expert.skills.pick import pick
from gauge.policies.expert.skills.place import place
from gauge.policies.expert.targets import standing

REST_STEPS = 10  # it counts as upright only once it is at rest


def stand(arm: Arm, name: str) -> Motion:
    """Pick `name` up and put it down with its upper end up; True once it was let go there."""
    if not (yield from pick(arm.does("pick"), name)):
        return False
    placed = yield from place(arm.does("place"), name, standing(arm.world, name))
    yield from arm.wait(REST_STEPS)
    return placed
