"""One picture of a scenario, drawn in a worker process: its first start, or a strip of its solution."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from gauge.errors import SceneError
from gauge.suites.scenario import Scenario

if TYPE_CHECKING:
    from gauge.certify.solution import Solution
    from gauge.demos.crew import Stage


@dataclass(frozen=True, slots=True)
class Start:
    """Draw initial state 0 of a scenario, `side` x `side` pixels."""

    scenario: Scenario
    path: Path
    side: int

    def run(self, stage: "Stage") -> None:
        """Write the picture.

        Raises:
            SceneError: the scenario has no valid state.
        """
        from gauge.gallery.draw import save, view

        scene = stage.scene(self.scenario)
        scene.start(0, 0)
        save(self.path, view(scene, self.side))


@dataclass(frozen=True, slots=True)
class Strip:
    """Play a scenario's witness and draw moments of it side by side, each `side` x `side` pixels."""

    scenario: Scenario
    path: Path
    side: int
    solution: "Solution"

    def run(self, stage: "Stage") -> None:
        """Write the picture.

        Raises:
            SceneError: the witness does not reach the goal here.
        """
        from gauge.certify.job import Extent, plans
        from gauge.certify.solve import play
        from gauge.gallery.draw import Film, save

        scene = stage.scene(self.scenario)
        film = Film(self.side, self.solution.end.step)
        (plan,) = plans(self.scenario, [self.solution.state], Extent(1, 1, 0, self.solution.end.step, 0))
        if play(scene, self.solution, plan, film) is None:
            raise SceneError(f"{self.scenario.id}: its witness does not reach the goal here, so there is no strip")
        save(self.path, film.strip(scene))
