"""An mp4 of an episode, drawn after it ended from its joint positions, as the policy saw it."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import av
import numpy as np
from numpy.typing import NDArray

from gauge.core.policy import CAMERAS
from gauge.rollout.episode import Episode
from gauge.rollout.perturbed import ActivePerturbations
from gauge.sim.edits import SceneEdits

FPS = 10
STRIDE = 2  # every second control step of 20 Hz


def write_video(episode: Episode, path: Path) -> None:
    """Both cameras side by side in real time. The scene's perturbations are applied again, then undone."""
    path.parent.mkdir(parents=True, exist_ok=True)
    encode(_frames(episode), path)


def _frames(episode: Episode) -> Iterator[NDArray[np.uint8]]:
    scene, size = episode.scene, episode.policy.spec.image_size
    edits = SceneEdits(scene, looks_only=True)
    active = ActivePerturbations(episode.bound, episode.plan.seed, episode.plan.horizon)
    try:
        for step, positions in enumerate(episode.positions):
            active.advance(step, edits)
            if step % STRIDE == 0 or step == len(episode.positions) - 1:
                scene.look(positions)
                yield np.hstack([active.image(scene.frame(camera, size)) for camera in CAMERAS])
    finally:
        edits.undo()


def encode(frames: Iterator[NDArray[np.uint8]] | Sequence[NDArray[np.uint8]], path: Path) -> None:
    """H.264 in mp4, yuv420p so that every browser plays it; complete or not there at all."""
    unfinished = path.with_suffix(".partial.mp4")
    try:
        with av.open(str(unfinished), "w") as container:
            stream = None
            for frame in frames:
                if stream is None:
                    stream = container.add_stream("libx264", rate=FPS, options={"crf": "23", "preset": "veryfast"})
                    stream.height, stream.width = frame.shape[0] // 2 * 2, frame.shape[1] // 2 * 2
                    stream.pix_fmt = "yuv420p"
                even = np.ascontiguousarray(frame[: stream.height, : stream.width])
                container.mux(stream.encode(av.VideoFrame.from_ndarray(even, format="rgb24")))
            if stream is not None:
                container.mux(stream.encode())
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)
