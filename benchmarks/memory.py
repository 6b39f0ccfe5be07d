"""Memory of one process over many episodes of one scene, each with frames of both cameras.

    python benchmarks/memory.py [--episodes 1000] [--suite libero_goal] [--task 0]

The last line is resident memory at the end over that after the first 50 episodes: 1.00 is flat.
"""

import argparse

from gauge.sim import backend

# MuJoCo takes the renderer when it is imported: all that imports it comes after this.
backend.prepare("auto")

import numpy as np  # noqa: E402

from gauge.core.policy import PolicySpec  # noqa: E402
from gauge.core.seeds import episode_seed  # noqa: E402
from gauge.rollout.episode import Episode  # noqa: E402
from gauge.rollout.plan import EpisodePlan  # noqa: E402
from gauge.rollout.worker import resident_gb  # noqa: E402
from gauge.sim.camera import Screen  # noqa: E402
from gauge.sim.scene import Scene  # noqa: E402
from gauge.suites import load  # noqa: E402

WARM_UP = 50


class Looks:
    """Looks at both cameras once per episode and moves at random."""

    identity = "looks/1"
    spec = PolicySpec(image_size=(128, 128), chunk=5, executed=5)

    def reset(self, instruction: str, rng: np.random.Generator) -> None:
        """Take the episode's generator."""
        self._rng = rng

    def act(self, observation: object) -> np.ndarray:
        """Random actions."""
        return self._rng.uniform(-1.0, 1.0, (5, 7))

    def close(self) -> None:
        """Nothing to close."""


def main() -> None:
    """Run, print every hundred episodes; the ratio line comes last."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--suite", default="libero_goal")
    parser.add_argument("--task", type=int, default=0)
    parser.add_argument("--episodes", type=int, default=1000)
    options = parser.parse_args()

    task, screen, policy = load(options.suite).tasks[options.task], Screen(), Looks()
    scene = Scene(task, screen)
    warm = 0.0
    for count in range(1, options.episodes + 1):
        seed = episode_seed(0, task.id, count)
        record = Episode(scene, policy, EpisodePlan("memory", task, count % task.states, seed, 5, 2)).run()
        assert record.status != "error", record.reason
        if count == WARM_UP:
            warm = resident_gb()
        if count % 100 == 0 or count == options.episodes:
            print(f"{count:5d} episodes  {1024 * resident_gb():7.1f} MB", flush=True)
    final = resident_gb()
    scene.close()
    screen.close()
    print(f"ratio {final / warm:.3f}")


if __name__ == "__main__":
    main()
