"""A set as a LeRobotDataset 3.0: frames in Parquet, one H.264 video per episode and camera, 20 frames a second."""

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import av
import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from gauge.core.policy import CAMERAS
from gauge.demos import lerobot_layout as layout
from gauge.errors import GaugeError
from gauge.records.demo import FPS, Demo, Images

IMAGE_SAMPLES = 100  # frames of an episode that its image statistics are made of, as in the library
Stats = dict[str, dict[str, list[Any]]]


@dataclass(slots=True)
class _Written:
    """What grows from episode to episode."""

    size: tuple[int, int] | None = None
    frames: int = 0
    tasks: dict[str, int] = field(default_factory=dict)
    episodes: list[dict[str, Any]] = field(default_factory=list)
    stats: list[Stats] = field(default_factory=list)


def write_lerobot(demos: Iterable[Demo], folder: Path, mirrored: bool = False) -> None:
    """Write the data set into a new folder.

    Args:
        demos: what to write, in order.
        folder: where to.
        mirrored: write pictures as the published LIBERO sets have them. Those turned MuJoCo's bottom-up frames by
            half a turn, which leaves the mirror image of what a person sees.

    Raises:
        GaugeError: there is no demonstration, one has no instruction, or some have images and others none.
    """
    done = _Written()
    writer: pq.ParquetWriter | None = None
    try:
        for episode, demo in enumerate(demos):
            _check(demo, done, episode)
            table = _table(demo, episode, done)
            if writer is None:
                path = folder / layout.DATA_PATH.format(chunk_index=0, file_index=0)
                path.parent.mkdir(parents=True)
                writer = pq.ParquetWriter(path, table.schema, compression="snappy")
            writer.write_table(table)
            _note(demo, episode, done)
            for camera, frames in demo.images.items():
                key = layout.VIDEO_KEYS[camera]
                shown = frames[:, :, ::-1] if mirrored else frames
                encode(shown, folder / layout.VIDEO_PATH.format(video_key=key, **layout.place(episode)))
    finally:
        if writer is not None:
            writer.close()
    if writer is None:
        raise GaugeError("there is no demonstration to export")
    _write_meta(done, folder)


def encode(frames: Images, path: Path) -> None:
    """H.264 with a key frame every second frame, so that a reader finds any frame quickly (the library's choice)."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with av.open(str(path), "w") as container:
        stream = container.add_stream("libx264", rate=FPS, options={"crf": "18", "g": "2", "preset": "medium"})
        stream.height, stream.width, stream.pix_fmt = frames.shape[1], frames.shape[2], "yuv420p"
        for frame in frames:
            container.mux(stream.encode(av.VideoFrame.from_ndarray(np.ascontiguousarray(frame), format="rgb24")))
        container.mux(stream.encode())


def _check(demo: Demo, done: _Written, episode: int) -> None:
    where = f"episode {episode} ({demo.origin.scenario_id})"
    if not demo.origin.instruction:
        raise GaugeError(f"{where} has no instruction, and a LeRobot data set needs one for every episode")
    if set(demo.images) not in (set(), set(CAMERAS)):
        raise GaugeError(f"{where} has images of {', '.join(demo.images)} only")
    size = demo.images[CAMERAS[0]].shape[1:3] if demo.images else None
    if episode > 0 and size != done.size:
        raise GaugeError(f"{where} has images of {size}, those before it of {done.size}: render them all alike")
    if size is not None and (size[0] % 2 or size[1] % 2):
        raise GaugeError(f"{where} has images of {size[0]} x {size[1]}; a video needs even sides")
    done.size = (int(size[0]), int(size[1])) if size is not None else None


def _table(demo: Demo, episode: int, done: _Written) -> pa.Table:
    length = len(demo)
    task = done.tasks.setdefault(demo.origin.instruction, len(done.tasks))
    frame = np.arange(length, dtype=np.int64)
    counters = {
        "frame_index": frame,
        "episode_index": np.full(length, episode, dtype=np.int64),
        "index": done.frames + frame,
        "task_index": np.full(length, task, dtype=np.int64),
    }
    columns = {
        layout.STATE: _fixed(demo.proprioception),
        layout.ACTION: _fixed(demo.actions),
        "timestamp": pa.array((frame / FPS).astype(np.float32)),
        **{name: pa.array(values) for name, values in counters.items()},
    }
    return pa.table(columns)


def _fixed(values: NDArray[np.float64]) -> pa.FixedSizeListArray:
    flat = pa.array(values.astype(np.float32).ravel())
    return pa.FixedSizeListArray.from_arrays(flat, values.shape[1])


def _note(demo: Demo, episode: int, done: _Written) -> None:
    """One row of the episodes' table, and the episode's statistics."""
    length = len(demo)
    row: dict[str, Any] = {
        "episode_index": episode,
        "tasks": [demo.origin.instruction],
        "length": length,
        "data/chunk_index": 0,
        "data/file_index": 0,
        "dataset_from_index": done.frames,
        "dataset_to_index": done.frames + length,
        "meta/episodes/chunk_index": 0,
        "meta/episodes/file_index": 0,
    }
    for camera in demo.images:
        key = layout.VIDEO_KEYS[camera]
        row |= {f"videos/{key}/{name}": value for name, value in layout.place(episode).items()}
        row |= {f"videos/{key}/from_timestamp": 0.0, f"videos/{key}/to_timestamp": length / FPS}
    stats = _stats(demo, episode, done)
    row |= {f"stats/{key}/{name}": value for key, one in stats.items() for name, value in one.items()}
    done.episodes.append(row)
    done.stats.append(stats)
    done.frames += length


def _stats(demo: Demo, episode: int, done: _Written) -> Stats:
    frame = np.arange(len(demo), dtype=np.float64)[:, None]
    task = done.tasks[demo.origin.instruction]
    columns = {
        layout.STATE: demo.proprioception,
        layout.ACTION: demo.actions,
        "timestamp": frame / FPS,
        "frame_index": frame,
        "episode_index": np.full_like(frame, episode),
        "index": done.frames + frame,
        "task_index": np.full_like(frame, task),
    }
    found = {name: describe(values) for name, values in columns.items()}
    for camera, images in demo.images.items():
        sampled = images[np.unique(np.linspace(0, len(images) - 1, min(len(images), IMAGE_SAMPLES)).astype(int))]
        pixels = sampled.reshape(-1, 3) / 255.0
        one = {
            name: np.reshape(value, (3, 1, 1)).tolist() for name, value in describe(pixels).items() if name != "count"
        }
        found[layout.VIDEO_KEYS[camera]] = {**one, "count": [len(sampled)]}
    return found


def describe(values: NDArray[np.float64]) -> dict[str, list[Any]]:
    """Least, greatest, mean, standard deviation and quantiles of every column of [N, D], and N."""
    quantiles = np.quantile(values, layout.QUANTILES, axis=0)
    found = {
        "min": values.min(axis=0),
        "max": values.max(axis=0),
        "mean": values.mean(axis=0),
        "std": values.std(axis=0),
    }
    found |= {f"q{round(100 * part):02d}": row for part, row in zip(layout.QUANTILES, quantiles, strict=True)}
    return {**{name: row.tolist() for name, row in found.items()}, "count": [len(values)]}


def _write_meta(done: _Written, folder: Path) -> None:
    totals = {"episodes": len(done.episodes), "frames": done.frames, "tasks": len(done.tasks)}
    path = folder / layout.EPISODES_PATH.format(chunk_index=0, file_index=0)
    path.parent.mkdir(parents=True)
    pq.write_table(pa.Table.from_pylist(done.episodes), path)
    tasks = pd.DataFrame({"task_index": list(done.tasks.values())}, index=pd.Index(list(done.tasks), name="task"))
    tasks.to_parquet(folder / layout.TASKS)
    found = layout.features(done.size, FPS)
    _json(folder / layout.INFO, layout.info(totals, found, FPS))
    _json(folder / layout.STATS, {name: aggregate([one[name] for one in done.stats]) for name in done.stats[0]})


def aggregate(parts: list[dict[str, list[Any]]]) -> dict[str, Any]:
    """The statistics of all episodes together; quantiles are the mean of the episodes', as in the library."""
    counts = np.array([part["count"][0] for part in parts], dtype=np.float64)
    stacked = {name: np.array([part[name] for part in parts]) for name in parts[0] if name != "count"}
    weights = counts.reshape(-1, *([1] * (stacked["mean"].ndim - 1))) / counts.sum()
    mean = (weights * stacked["mean"]).sum(axis=0)
    spread = (weights * (stacked["std"] ** 2 + (stacked["mean"] - mean) ** 2)).sum(axis=0)
    found = {"min": stacked["min"].min(axis=0), "max": stacked["max"].max(axis=0), "mean": mean, "std": np.sqrt(spread)}
    found |= {name: (weights * rows).sum(axis=0) for name, rows in stacked.items() if name.startswith("q")}
    return {**{name: value.tolist() for name, value in found.items()}, "count": [int(counts.sum())]}


def _json(path: Path, data: dict[str, Any]) -> None:
    path.write_text(json.dumps(data, indent=4, ensure_ascii=False, allow_nan=False) + "\n", encoding="utf-8")
