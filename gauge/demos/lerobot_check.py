"""What is wrong with a LeRobotDataset 3.0 on disk, by its published layout; the library itself is not needed."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import av
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from gauge.demos import lerobot_layout as layout
from gauge.records.demo import is_noop

NEEDED = ("codebase_version", "fps", "features", "total_episodes", "total_frames", "total_tasks", "data_path")
EPISODE_COLUMNS = ("episode_index", "tasks", "length", "dataset_from_index", "dataset_to_index")
DTYPES = {"float32": pa.float32(), "float64": pa.float64(), "int64": pa.int64(), "bool": pa.bool_()}


def lerobot_problems(folder: Path) -> Iterator[str]:
    """Every problem with file, episode and frame; checks that rest on broken ones are left out."""
    info, problems = _info(folder)
    yield from (f"{folder / layout.INFO}: {problem}" for problem in problems)
    if problems:
        return
    episodes, frames, found = _tables(folder, info)
    yield from found
    if found or episodes is None or frames is None:
        return
    columns = list(_columns(frames, info["features"]))
    yield from (f"{folder / 'data'}: {problem}" for problem in columns)
    if columns:
        return
    yield from _totals(folder, info, episodes, frames)
    rows = episodes.to_pylist()
    for row in rows:
        yield from (f"{folder}: episode {row['episode_index']}: {one}" for one in _episode(row, frames, info["fps"]))
        yield from (f"{folder}: episode {row['episode_index']}: {one}" for one in _videos(folder, info, row))


def _info(folder: Path) -> tuple[dict[str, Any], list[str]]:
    try:
        info = json.loads((folder / layout.INFO).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        return {}, [f"cannot be read ({error})"]
    missing = [key for key in NEEDED if key not in info]
    if missing:
        return info, [f"the keys {', '.join(missing)} are missing"]
    problems = []
    if info["codebase_version"] != layout.VERSION:
        problems.append(f"codebase_version is {info['codebase_version']}, this checks {layout.VERSION}")
    if not info["fps"] > 0:
        problems.append(f"fps is {info['fps']}")
    problems += [
        f"the feature {name} is missing" for name in ("timestamp", *layout.COUNTERS) if name not in info["features"]
    ]
    problems += [
        f"the feature {name} has no dtype or shape"
        for name, one in info["features"].items()
        if not {"dtype", "shape"} <= set(one)
    ]
    return info, problems


def _tables(folder: Path, info: Mapping[str, Any]) -> tuple[pa.Table | None, pa.Table | None, list[str]]:
    """The episodes' and the frames' tables, in order."""
    problems: list[str] = []
    episodes = _parquet(folder / "meta" / "episodes", problems)
    frames = _parquet(folder / "data", problems)
    tasks = folder / layout.TASKS
    if not tasks.is_file():
        problems.append(f"{tasks}: the file is missing")
    if episodes is not None:
        videos = [name for name, one in info["features"].items() if one["dtype"] == "video"]
        wanted = [
            *EPISODE_COLUMNS,
            *(
                f"videos/{name}/{part}"
                for name in videos
                for part in ("chunk_index", "file_index", "from_timestamp", "to_timestamp")
            ),
        ]
        absent = [name for name in wanted if name not in episodes.column_names]
        if absent:
            problems.append(f"{folder / 'meta/episodes'}: the columns {', '.join(absent)} are missing")
        else:
            episodes = episodes.sort_by("episode_index")
    return episodes, frames, problems


def _parquet(folder: Path, problems: list[str]) -> pa.Table | None:
    parts = []
    for path in sorted(folder.glob("*/*.parquet")):
        try:
            parts.append(pq.read_table(path))
        except (OSError, pa.ArrowException) as error:
            problems.append(f"{path}: truncated or not a Parquet file ({str(error).splitlines()[0]})")
    if not parts and not problems:
        problems.append(f"{folder}: there is no Parquet file")
    try:
        return pa.concat_tables(parts) if parts else None
    except pa.ArrowException as error:
        problems.append(f"{folder}: its files have different columns ({str(error).splitlines()[0]})")
        return None


def _columns(frames: pa.Table, features: Mapping[str, Any]) -> Iterator[str]:
    """Columns that are missing or are not of the dtype and shape that `info.json` declares."""
    for name, feature in features.items():
        if feature["dtype"] in ("video", "image"):
            continue
        if name not in frames.column_names:
            yield f"the column {name} is missing"
            continue
        kind, width = frames.schema.field(name).type, int(np.prod(feature["shape"]))
        item = kind.value_type if pa.types.is_list(kind) or pa.types.is_fixed_size_list(kind) else kind
        expected = DTYPES.get(feature["dtype"])
        if expected is not None and item != expected:
            yield f"the column {name} is {item}, but info.json declares {feature['dtype']}"
        elif item is not kind:
            lengths = frames[name].combine_chunks().value_lengths() if pa.types.is_list(kind) else None
            wrong = (
                np.flatnonzero(lengths.to_numpy() != width)
                if lengths is not None
                else ([0] if kind.list_size != width else [])
            )
            if len(wrong):
                yield f"row {wrong[0]}: {name} does not have the {width} numbers that info.json declares"
        elif width != 1:
            yield f"the column {name} holds single numbers, but info.json declares {feature['shape']}"


def _totals(folder: Path, info: Mapping[str, Any], episodes: pa.Table, frames: pa.Table) -> Iterator[str]:
    tasks = pq.read_table(folder / layout.TASKS)
    found = {"total_episodes": len(episodes), "total_frames": len(frames), "total_tasks": len(tasks)}
    for key, count in found.items():
        if info[key] != count:
            yield f"{folder / layout.INFO}: {key} is {info[key]}, but there are {count}"
    index = frames["index"].to_numpy()
    wrong = np.flatnonzero(index != np.arange(len(index)))
    if len(wrong):
        yield f"{folder / 'data'}: row {wrong[0]}: index is {index[wrong[0]]}; it counts the rows of all episodes"
    numbers = tasks["task_index"].to_numpy()
    unknown = np.flatnonzero(~np.isin(frames["task_index"].to_numpy(), numbers))
    if len(unknown):
        yield f"{folder / 'data'}: row {unknown[0]}: its task_index is not in {layout.TASKS}"


def _episode(row: Mapping[str, Any], frames: pa.Table, fps: float) -> Iterator[str]:
    """One episode's rows: counters, stamps within the episode only, and whether anything happens in it."""
    first, last = row["dataset_from_index"], row["dataset_to_index"]
    if last - first != row["length"] or not 0 <= first < last <= len(frames):
        yield f"rows {first} to {last} are not the {row['length']} frames that it declares"
        return
    part = frames.slice(first, last - first)
    if not row["tasks"] or not all(row["tasks"]):
        yield "it has no task"
    wanted = {"episode_index": np.full(len(part), row["episode_index"]), "frame_index": np.arange(len(part))}
    for name, values in wanted.items():
        wrong = np.flatnonzero(part[name].to_numpy() != values)
        if len(wrong):
            yield f"frame {wrong[0]}: {name} is {part[name][int(wrong[0])].as_py()}, expected {values[wrong[0]]}"
    stamps = part["timestamp"].to_numpy().astype(np.float64)
    late = np.flatnonzero(np.abs(stamps - np.arange(len(part)) / fps) > layout.STAMP_TOLERANCE_S)
    if len(late):
        yield f"frame {late[0]}: its time stamp is {stamps[late[0]]:.4f} s, at {fps:g} Hz it is {late[0] / fps:.4f} s"
    yield from _values(part)


def _values(part: pa.Table) -> Iterator[str]:
    for name in (layout.STATE, layout.ACTION):
        if name in part.column_names:
            values = np.array(part[name].to_pylist(), dtype=np.float64)
            bad = np.flatnonzero(~np.isfinite(values).all(axis=1))
            if len(bad):
                yield f"frame {bad[0]}: {name} holds NaN or infinity"
            elif name == layout.ACTION and values.shape[1] == len(layout.ACTION_NAMES) and is_noop(values).all():
                yield f"all {len(values)} actions are no-ops, so nothing can be learned from it"


def _videos(folder: Path, info: Mapping[str, Any], row: Mapping[str, Any]) -> Iterator[str]:
    """Each camera's video: there, of the declared size and rate, and with a frame for every stamp."""
    for key, feature in info["features"].items():
        if feature["dtype"] != "video":
            continue
        places = {part: row[f"videos/{key}/{part}"] for part in ("chunk_index", "file_index")}
        path = folder / info["video_path"].format(video_key=key, **places)
        if not path.is_file():
            yield f"the video {path.relative_to(folder)} is missing"
            continue
        start = float(row[f"videos/{key}/from_timestamp"])
        end = start + row["length"] / info["fps"]
        if abs(end - row[f"videos/{key}/to_timestamp"]) > layout.STAMP_TOLERANCE_S:
            declared = row[f"videos/{key}/to_timestamp"]
            yield f"{key} ends at {declared:.4f} s, but its {row['length']} frames end at {end:.4f} s"
        yield from (
            f"{path.relative_to(folder)}: {one}" for one in _video(path, feature, info["fps"], start, row["length"])
        )


def _video(path: Path, feature: Mapping[str, Any], fps: float, start: float, length: int) -> Iterator[str]:
    try:
        with av.open(str(path)) as container:
            stream = container.streams.video[0]
            if [stream.height, stream.width] != list(feature["shape"][:2]):
                yield f"it is {stream.height} x {stream.width}, but info.json declares {feature['shape'][:2]}"
            rate, tick = float(stream.average_rate or 0), float(stream.time_base or 0)
            if rate != float(fps):
                yield f"it has {rate:g} frames a second, but info.json declares {fps:g}"
                return
            stamps = np.sort([p.pts * tick for p in container.demux(stream) if p.pts is not None])
    except (av.error.FFmpegError, IndexError) as error:
        yield f"truncated or no video ({error})"
        return
    wanted = start + np.arange(length) / fps
    nearest = np.abs(stamps[:, None] - wanted[None]).min(axis=0) if len(stamps) else np.full(length, np.inf)
    absent = np.flatnonzero(nearest > layout.STAMP_TOLERANCE_S)
    if len(absent):
        yield f"frame {absent[0]}: there is no picture at {wanted[absent[0]]:.4f} s"
