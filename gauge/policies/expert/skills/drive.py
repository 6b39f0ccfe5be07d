"""Move a joint with the hand: follow the moving part until the joint is where it should be."""

from collections.abc import Callable

import numpy as np

from gauge.policies.expert.joints import Joint
from gauge.policies.expert.motion import Arm
from gauge.policies.expert.mover import Motion

LEAD_M = 0.05
LEAD_RAD = 0.35
GENTLE_M = 0.01
PATIENCE = 15
SLIPPED = 6  # steps without progress after which the hand leads from where it is now
LIMIT = 120
CALM_LIMIT = 20
STILL = 1e-4  # m or rad per step


def drive(
    arm: Arm,
    joint: Joint,
    done: Callable[[], bool],
    follow: float = 1.0,
    lead_rad: float = LEAD_RAD,
    gentle: bool = False,
) -> Motion:
    """Take the joint along with the hand where it is now, until `done` or it no longer moves.

    A `gentle` hand leads a slide by no more than is left: pushed on, it would rush where the slide has stopped.
    """
    start, first = arm.world.hand(), joint.value
    most = LEAD_M if joint.slides else lead_rad
    sign = float(np.sign(joint.wanted - first))
    best, since = first * sign, 0
    for _ in range(LIMIT):
        if done():
            return True
        value = joint.value
        lead = np.clip(sign * (joint.wanted - value), GENTLE_M, most) if gentle else most
        best, since = (value * sign, 0) if value * sign > best + 0.02 * most else (best, since + 1)
        if since > PATIENCE:
            return False
        if since == SLIPPED:
            start, first = arm.world.hand(), value
        yield arm.step_to(joint.moved(start, value - first + sign * lead, follow))
    return done()


def calm(arm: Arm, joint: Joint) -> Motion:
    """Hold still until the joint is at rest: one that is let go while it bounces off its stop moves on."""
    here = arm.world.hand()
    for _ in range(CALM_LIMIT):
        before = joint.value
        yield arm.step_to(here)
        if abs(joint.value - before) < STILL:
            return True
    return False


def ahead(joint: Joint, kind: str = "", name: str = "") -> Callable[[], bool]:
    """A test that holds once the joint has reached the wanted value and, with a `kind`, the predicate holds."""
    sign = float(np.sign(joint.wanted - joint.value))
    return lambda: sign * (joint.value - joint.wanted) >= 0.0 and (not kind or joint.world.holds((kind, name)))
