"""Frames with and without culling: what the geoms out of sight cost.

    python benchmarks/render.py [--suite libero_object] [--task 0] [--frames 10] [--repeats 5]

Draws the same moments of a scene with every geom and with those the camera can see, and compares the
frames to the bit. The last line is the median ratio of the time for both cameras.
"""

import argparse
import statistics
import time

from gauge.sim import backend

# MuJoCo takes the renderer when it is imported: all that imports it comes after this.
RENDERER = backend.prepare("auto")

import numpy as np  # noqa: E402

from gauge.core.policy import CAMERAS  # noqa: E402
from gauge.sim.camera import Screen  # noqa: E402
from gauge.sim.scene import Scene  # noqa: E402
from gauge.suites import load  # noqa: E402

SIZE = (256, 256)


def draw(scene: Scene, culled: bool) -> tuple[dict[str, np.ndarray], dict[str, float]]:
    """Both cameras' frames of the present moment and the seconds each took."""
    frames, seconds = {}, {}
    scene.frame(CAMERAS[0], SIZE)  # makes the renderer when there is none yet
    frustum = scene._renderer._frustum  # type: ignore[union-attr]
    frustum.enabled = culled
    for camera in CAMERAS:
        began = time.perf_counter()
        frames[camera] = scene.frame(camera, SIZE)
        seconds[camera] = time.perf_counter() - began
    frustum.enabled = True
    return frames, seconds


def main() -> None:
    """Measure in turn and print; the ratio line comes last."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--suite", default="libero_object")
    parser.add_argument("--task", type=int, default=0)
    parser.add_argument("--frames", type=int, default=10)
    parser.add_argument("--repeats", type=int, default=5)
    options = parser.parse_args()

    screen = Screen()
    scene = Scene(load(options.suite).tasks[options.task], screen)
    rng = np.random.default_rng(0)
    ratios, equal = [], True
    keys = [(camera, culled) for camera in CAMERAS for culled in (False, True)]
    times: dict[tuple[str, bool], list[float]] = {key: [] for key in keys}
    for repeat in range(options.repeats):
        scene.start(repeat, repeat)
        total = {False: 0.0, True: 0.0}
        for _ in range(options.frames):
            for _ in range(5):
                scene.step(rng.uniform(-1.0, 1.0, 7))
            scene.look()
            drawn = {culled: draw(scene, culled) for culled in (False, True)}
            equal &= all(np.array_equal(drawn[False][0][camera], drawn[True][0][camera]) for camera in CAMERAS)
            for culled, (_, seconds) in drawn.items():
                total[culled] += sum(seconds.values())
                for camera, second in seconds.items():
                    times[camera, culled].append(second)
        ratios.append(total[False] / total[True])
    scene.close()
    screen.close()
    for camera in CAMERAS:
        whole, less = (1000 * statistics.median(times[camera, culled]) for culled in (False, True))
        print(f"{camera:<18} all geoms {whole:6.1f} ms   culled {less:6.1f} ms")
    print(f"{scene.task.id}, {RENDERER}, frames {'equal to the bit' if equal else 'DIFFER'}")
    print(f"ratio {statistics.median(ratios):.2f}")
    if not equal:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
