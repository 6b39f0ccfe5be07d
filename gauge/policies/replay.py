"""Recorded trajectories played open loop: `model=replay`, and the player that verifies demonstrations."""

import hashlib
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from gauge.core.policy import ACTION_DIM, Observation, PolicySpec
from gauge.errors import GaugeError, PolicyError
from gauge.records.demo import Demo
from gauge.records.demo_file import read_demos


class OpenLoop:
    """Answers the given actions [T, 7] one by one, then holds the arm still and the fingers as they are."""

    spec = PolicySpec(cameras=(), state="none", chunk=1, executed=1)

    def __init__(self, actions: NDArray[np.float64], identity: str) -> None:
        self.identity = identity
        self._actions = actions

    def reset(self, instruction: str, rng: np.random.Generator) -> None:
        """Nothing to forget: the observation says which step it is."""

    def act(self, observation: Observation) -> NDArray[np.float64]:
        """The next action, [1, 7]."""
        return played(self._actions, observation.step)

    def close(self) -> None:
        """Nothing to release."""


class ReplayPolicy:
    """Plays one episode of a file open loop, or, without `episode`, the one recorded from the present start.

    Reads the simulator only to recognise the start. `identity` holds a hash of the file's actions and states.
    """

    def __init__(self, demos: str, episode: int | None = None) -> None:
        """Read the actions.

        Args:
            demos: an HDF5 file of demonstrations, or a folder in which every such file is read.
            episode: which one to play, counted over all of them; None chooses by the start's hash.

        Raises:
            GaugeError: a file cannot be read, or there is no such episode.
        """
        self.spec = PolicySpec(cameras=(), state="none", chunk=1, executed=1, privileged=episode is None)
        found = _read(demos)
        if episode is not None and not 0 <= episode < len(found):
            raise GaugeError(f"{demos} holds episodes 0 to {len(found) - 1}, so episode={episode} cannot be played")
        self.identity = f"replay/{_digest(found)}" + ("" if episode is None else f"#{episode}")
        self._by_start = {demo.origin.start_hash: demo.actions for demo in found}
        self._chosen = None if episode is None else found[episode].actions
        self._playing = self._chosen
        self._demos = demos

    def reset(self, instruction: str, rng: np.random.Generator) -> None:
        """Rewind."""
        self._playing = self._chosen

    def act(self, observation: Observation) -> NDArray[np.float64]:
        """The next action, [1, 7].

        Raises:
            PolicyError: no episode was recorded from this start.
        """
        if self._playing is None:
            start = observation.scene.start_hash()
            if start not in self._by_start:
                raise PolicyError(
                    f"{self._demos} holds no episode that starts here (start {start}); give model.episode=, or "
                    "evaluate the seed and states with which it was recorded"
                )
            self._playing = self._by_start[start]
        return played(self._playing, observation.step)

    def close(self) -> None:
        """Nothing to release."""


class OpenLoopPolicy:
    """Plays the first recorded episode of the scenario at hand, whatever the start: what needs no eyes at all.

    Reads the simulator only to know the scenario: several may have the same instruction.
    """

    spec = PolicySpec(cameras=(), state="none", chunk=1, executed=1, privileged=True)

    def __init__(self, demos: str) -> None:
        """Read the first demonstration of every scenario, or of every instruction where a file names none.

        Args:
            demos: an HDF5 file of demonstrations, or a folder in which every such file is read.

        Raises:
            GaugeError: a file cannot be read, or there is none.
        """
        found = _read(demos)
        self._actions = {demo.origin.scenario_id or demo.origin.instruction: demo.actions for demo in reversed(found)}
        self.identity = f"open_loop/{_digest(found)}"
        self._demos = demos
        self._playing: NDArray[np.float64] | None = None

    def reset(self, instruction: str, rng: np.random.Generator) -> None:
        """Rewind."""
        self._playing = None

    def act(self, observation: Observation) -> NDArray[np.float64]:
        """The next action, [1, 7].

        Raises:
            PolicyError: no episode of the scenario was recorded.
        """
        if self._playing is None:
            scenario = observation.scene.task.id
            names = [name for name in (scenario, observation.instruction) if name in self._actions]
            if not names:
                raise PolicyError(f"{self._demos} holds no demonstration of {scenario}")
            self._playing = self._actions[names[0]]
        return played(self._playing, observation.step)

    def close(self) -> None:
        """Nothing to release."""


def _read(demos: str) -> list[Demo]:
    found = [demo for path in demo_files(Path(demos)) for demo in read_demos(path)]
    if not found:
        raise GaugeError(f"{demos} holds no demonstration; record some with python -m gauge.demos collect")
    return found


def _digest(found: list[Demo]) -> str:
    return hashlib.sha256("".join(demo.digest for demo in found).encode()).hexdigest()[:12]


def played(actions: NDArray[np.float64], step: int) -> NDArray[np.float64]:
    """The action [1, 7] of that step; after the last one no motion and the last gripper command."""
    if step < len(actions):
        return np.array(actions[step : step + 1])
    still = np.zeros((1, ACTION_DIM))
    still[0, 6] = actions[-1, 6]
    return still


def demo_files(place: Path) -> list[Path]:
    """The file itself, or every HDF5 file below the folder in order of path."""
    return sorted(place.rglob("*.hdf5")) if place.is_dir() else [place]
