"""Episodes per hour beside LIBERO's own environment loop, on the same scenes, states and actions.

    python benchmarks/rollout.py [--steps 100] [--repeats 5] [--suite libero_goal] [--chunk 10]

LIBERO's loop is the one of published evaluations: hard reset, initial state, 10 settle steps, and two
256-pixel cameras rendered at every step. Gauge renders only when the policy looks, once per chunk. Both
start with compiled scenes. The two are run in turn; the last line is the median of the pairwise ratios.
"""

import argparse
import statistics
import time
from typing import Any

from gauge.sim import backend

# MuJoCo takes the renderer when it is imported: all that imports it comes after this.
RENDERER = backend.prepare("auto")

import numpy as np  # noqa: E402

from gauge.core.policy import Observation, PolicySpec  # noqa: E402
from gauge.core.seeds import episode_seed  # noqa: E402
from gauge.rollout.episode import Episode  # noqa: E402
from gauge.rollout.plan import EpisodePlan  # noqa: E402
from gauge.sim.camera import Screen  # noqa: E402
from gauge.sim.libero import build_env, global_seed, load_states  # noqa: E402
from gauge.sim.scene import DUMMY_ACTION, Scene  # noqa: E402
from gauge.suites import Task, load  # noqa: E402

SIZE = (256, 256)


class Recorded:
    """Plays fixed actions and asks for both cameras, as a vision-language-action policy would; keeps what it saw."""

    identity = "recorded/1"

    def __init__(self, actions: np.ndarray, chunk: int) -> None:
        self.spec = PolicySpec(image_size=SIZE, chunk=chunk, executed=chunk)
        self._actions = actions
        self.seen: list[np.ndarray] = []

    def reset(self, instruction: str, rng: np.random.Generator) -> None:
        """Nothing to forget."""

    def act(self, observation: Observation) -> np.ndarray:
        """The next recorded actions."""
        self.seen += observation.images.values()
        return self._actions[observation.step : observation.step + self.spec.chunk]

    def close(self) -> None:
        """Nothing to close."""


def libero_episode(env: Any, state: np.ndarray, actions: np.ndarray) -> float:
    """Seconds of one episode in LIBERO's own loop, success checked as its `done`."""
    # Its reset frees buffers by number in whichever OpenGL context is current, which must not be gauge's.
    env.env.sim._render_context_offscreen.gl_ctx.make_current()
    began = time.perf_counter()
    with global_seed(0):
        env.reset()
    env.set_init_state(state)
    for _ in range(10):
        env.step(DUMMY_ACTION)
    for action in actions:
        env.step(action)
    return time.perf_counter() - began


def gauge_episode(
    scene: Scene, task: Task, actions: np.ndarray, chunk: int
) -> tuple[float, dict[str, float], list[np.ndarray]]:
    """Seconds of the same episode in gauge, in all and by part, and all frames."""
    plan = EpisodePlan("bench", task, 0, episode_seed(0, task.id, 0), len(actions), 10)
    began = time.perf_counter()
    policy = Recorded(actions, chunk)
    record = Episode(scene, policy, plan).run()
    assert record.status != "error", record.reason
    return time.perf_counter() - began, record.wall_s, policy.seen


def main() -> None:
    """Measure and print; the ratio line comes last."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--suite", default="libero_goal")
    parser.add_argument("--task", type=int, default=0)
    parser.add_argument("--steps", type=int, default=100)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--chunk", type=int, default=10)
    options = parser.parse_args()

    task = load(options.suite).tasks[options.task]
    build_env(task).close()  # importing LIBERO and compiling numba is not what is measured
    from libero.libero.envs.env_wrapper import OffScreenRenderEnv

    reference = OffScreenRenderEnv(bddl_file_name=str(task.bddl_path), camera_heights=SIZE[0], camera_widths=SIZE[1])
    screen = Screen()
    scene = Scene(task, screen)
    actions = np.random.default_rng(0).uniform(-0.4, 0.4, (options.steps, 7))
    state = load_states(task)[0]
    *_, expected = gauge_episode(scene, task, actions, options.chunk)  # uploads meshes and textures

    pairs = []
    for _ in range(options.repeats):
        theirs = libero_episode(reference, state, actions)
        ours, parts, seen = gauge_episode(scene, task, actions, options.chunk)
        assert len(seen) == len(expected) == 2 * -(-options.steps // options.chunk)
        assert all(map(np.array_equal, seen, expected)), "a frame was not drawn, so nothing was measured"
        pairs.append((theirs, ours))
        print(f"LIBERO {theirs:6.2f} s   gauge {ours:6.2f} s   ratio {theirs / ours:5.2f}", flush=True)
    reference.close()
    scene.close()
    screen.close()
    theirs, ours = (statistics.median(column) for column in zip(*pairs, strict=True))
    print(f"{task.id}, {options.steps} steps, chunk {options.chunk}, 2 cameras at 256 px, {RENDERER}")
    shares = ", ".join(f"{part} {100 * seconds / sum(parts.values()):.0f}%" for part, seconds in parts.items())
    print(f"gauge's last episode: {shares}")
    print(f"median episodes per hour: LIBERO {3600 / theirs:.0f}, gauge {3600 / ours:.0f}")
    print(f"ratio {statistics.median(a / b for a, b in pairs):.2f}")


if __name__ == "__main__":
    main()
