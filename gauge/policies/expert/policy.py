"""The scripted expert as a policy: reads the simulator, acts through the ordinary actions."""

import numpy as np
from numpy.typing import NDArray

from gauge.core.policy import Observation, PolicySpec
from gauge.errors import PolicyError
from gauge.policies.expert.motion import Arm
from gauge.policies.expert.mover import Motion
from gauge.policies.expert.planner import solve
from gauge.policies.expert.servo import OPEN
from gauge.policies.expert.style import Style
from gauge.policies.expert.world import World


class ExpertPolicy:
    """Plans from the task's goal predicates and the scene's geometry; knows no task by name.

    `status` says how the episode stands: `acting`, `done`, or `failed: <reason>`, and `skills` which skills were
    used until now, one for each use. A failed expert keeps answering with actions that move nothing, so its
    episode ends as an ordinary failure.
    """

    identity = "expert/7"

    def __init__(self) -> None:
        self.spec = PolicySpec(cameras=(), state="none", chunk=1, executed=1, privileged=True)
        self.status = "acting"
        self._style: Style | None = None
        self._arm: Arm | None = None
        self._motion: Motion | None = None

    def reset(self, instruction: str, rng: np.random.Generator) -> None:
        """Forget everything and draw a style: the same start and generator give the same episode."""
        self._style, self._arm, self._motion, self.status = Style.drawn(rng), None, None, "acting"

    @property
    def skills(self) -> tuple[str, ...]:
        """The skills used in this episode, in order, the present one last."""
        return () if self._arm is None else tuple(self._arm.skills)

    def act(self, observation: Observation) -> NDArray[np.float64]:
        """The next action, [1, 7].

        Raises:
            PolicyError: there was no `reset` before, or the observation holds no scene.
        """
        if self._style is None:
            raise PolicyError("the expert was asked to act before its episode was reset")
        if observation.scene is None:
            raise PolicyError("the expert reads the simulator's state, and this observation holds no scene")
        if self._arm is None:
            self._arm = Arm(World(observation.scene), self._style)
            self._motion = solve(self._arm)
        return self._next(self._arm)[None, :]

    def _next(self, arm: Arm) -> NDArray[np.float64]:
        if self._motion is not None:
            try:
                return np.clip(next(self._motion), -1.0, 1.0)
            except StopIteration as end:
                self._motion = None
                self.status = "done" if end.value else f"failed: {arm.note or 'goal not reached'}"
        return np.array([0.0, 0.0, 0.0, 0.0, 0.0, 0.0, OPEN])

    def close(self) -> None:
        """Forget the scene."""
        self._arm = self._motion = None
