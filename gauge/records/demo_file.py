"""Demonstrations on disk in the layout of LIBERO and robomimic, written whole or not at all.

`data/demo_<k>` holds `actions`, `states`, `robot_states`, `rewards`, `dones` and `obs/...` as LIBERO's own
`create_dataset.py` writes them, images bottom-up (OpenGL's convention, named in the attributes). What gauge
knows beyond that is in the attribute `gauge` (JSON) and in `final_state` and `fixtures`, which other readers
pass over. There is no `model_file`: the scene is rebuilt from the task file and the stored fixture poses.
"""

import json
import os
import secrets
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import h5py
import numpy as np

from gauge.errors import GaugeError
from gauge.records.demo import FPS, Array, Demo, Images, Origin
from gauge.records.demo_shapes import STREAMS, number, shape_problems


def write_demos(path: Path, demos: Iterable[Demo]) -> None:
    """Write a file of demonstrations of one task; readers see nothing of it or all of it.

    Raises:
        GaugeError: there is no demonstration, or they are of different tasks.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(f".{path.name}-{secrets.token_hex(4)}")
    try:
        with h5py.File(unfinished, "w") as file:
            data = file.create_group("data")
            total, first = 0, None
            for index, demo in enumerate(demos):
                first = first or demo
                if demo.origin.scenario_id != first.origin.scenario_id:
                    raise GaugeError(
                        f"{path.name}: {demo.origin.scenario_id} and {first.origin.scenario_id} in one file"
                    )
                _write(data.create_group(f"demo_{index}"), demo)
                total += len(demo)
            if first is None:
                raise GaugeError(f"{path.name}: there is no demonstration to write")
            data.attrs["num_demos"], data.attrs["total"] = index + 1, total
            _describe(data, first)
        with unfinished.open("rb") as written:
            os.fsync(written.fileno())
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)


def names(path: Path) -> list[str]:
    """The names of a file's demonstrations in numerical order.

    Raises:
        GaugeError: the file is missing, truncated, or of another layout.
    """
    with opened(path) as file:
        return demo_names(file, path)


def read_demo(path: Path, name: str | int = 0, images: bool = False) -> Demo:
    """One demonstration of a file, by name or position, with its images where wanted and there.

    Raises:
        GaugeError: there is no such demonstration, or a stream is missing or does not fit the others.
    """
    with opened(path) as file:
        return _read(file, path, name, images)


def read_demos(path: Path, images: bool = False) -> Iterator[Demo]:
    """All demonstrations of a file, one at a time.

    Raises:
        GaugeError: as `read_demo`.
    """
    with opened(path) as file:
        for name in demo_names(file, path):
            yield _read(file, path, name, images)


@contextmanager
def opened(path: Path) -> Iterator[h5py.File]:
    """The file, open for reading.

    Raises:
        GaugeError: it is missing, truncated, or no HDF5 file.
    """
    if not path.is_file():
        raise GaugeError(f"{path}: there is no such file; record one with python -m gauge.demos collect")
    try:
        file = h5py.File(path, "r")
    except OSError as error:
        raise GaugeError(f"{path} is truncated or not an HDF5 file ({error})") from error
    try:
        yield file
    except OSError as error:
        raise GaugeError(f"{path} is damaged: its content cannot be read ({error})") from error
    finally:
        file.close()


def demo_names(file: h5py.File, path: Path) -> list[str]:
    """The names of an open file's demonstrations."""
    found = [name for name in file.get("data", ()) if number(name) is not None]
    if not found:
        raise GaugeError(f"{path} holds no data/demo_<number>, so it is not in LIBERO's layout or it is empty")
    return sorted(found, key=lambda name: number(name) or 0)


def _read(file: h5py.File, path: Path, name: str | int, images: bool) -> Demo:
    known = demo_names(file, path)
    if isinstance(name, int):
        if not 0 <= name < len(known):
            raise GaugeError(f"{path} holds episodes 0 to {len(known) - 1}, not {name}")
        name = known[name]
    if name not in known:
        raise GaugeError(f"{path} holds no {name}; it has {known[0]} to {known[-1]}")
    group = file["data"][name]
    found = shape_problems(group)
    if found:
        raise GaugeError(f"{path}: {name}: {found[0]}")
    obs = group["obs"]
    hand = _array(obs["ee_states"]) if "ee_states" in obs else np.hstack([obs["ee_pos"], obs["ee_ori"]])
    streams = {camera: stream for camera, stream in STREAMS.items() if images and stream in obs}
    return Demo(
        actions=_array(group["actions"]),
        states=_array(group["states"]),
        proprioception=np.hstack([hand, _array(obs["gripper_states"])]),
        joints=_array(obs["joint_states"]) if "joint_states" in obs else np.zeros((len(hand), 0)),
        origin=_origin(file["data"].attrs, group.attrs),
        final_state=_array(group["final_state"]) if "final_state" in group else None,
        fixtures={key: _array(value) for key, value in group.get("fixtures", {}).items()},
        images={camera: _upright(file["data"], obs[stream]) for camera, stream in streams.items()},
    )


def _array(dataset: h5py.Dataset) -> Array:
    return np.asarray(dataset[()], dtype=np.float64)


def _upright(data: h5py.Group, dataset: h5py.Dataset) -> Images:
    frames: Images = dataset[()]
    bottom_up = str(data.attrs.get("macros_image_convention", "opengl")) == "opengl"
    return np.ascontiguousarray(frames[:, ::-1]) if bottom_up else frames


def _origin(file: Mapping[str, Any], demo: Mapping[str, Any]) -> Origin:
    if "gauge" in demo:
        return Origin.from_json(json.loads(demo["gauge"]))
    info = json.loads(file["problem_info"]) if "problem_info" in file else {}
    bddl = str(file.get("bddl_file_name", ""))
    return Origin(
        instruction=str(info.get("language_instruction", "")),
        problem=str(file.get("env_name", "")),
        bddl=bddl,
        scenario_id="/".join(Path(bddl).with_suffix("").parts[-2:]),
    )


def _write(group: h5py.Group, demo: Demo) -> None:
    length = len(demo)
    last = np.zeros(length, dtype=np.uint8)
    last[-1] = 1
    hand, fingers = demo.proprioception[:, :6], demo.proprioception[:, 6:]
    plain = {
        "actions": demo.actions,
        "states": demo.states,
        "robot_states": np.hstack([fingers, hand[:, :3], _quaternions(hand[:, 3:])]),
        "rewards": last,
        "dones": last,
        "obs/ee_states": hand,
        "obs/ee_pos": hand[:, :3],
        "obs/ee_ori": hand[:, 3:],
        "obs/gripper_states": fingers,
    }
    if demo.joints.shape[1]:
        plain["obs/joint_states"] = demo.joints
    if demo.final_state is not None:
        plain["final_state"] = demo.final_state
    plain |= {f"fixtures/{key}": value for key, value in demo.fixtures.items()}
    for key, value in plain.items():
        group.create_dataset(key, data=value, compression="gzip", shuffle=True)
    for camera, frames in demo.images.items():
        stored = frames[:, ::-1]  # OpenGL's convention: row 0 is the bottom
        chunk = (1, *frames.shape[1:])
        group.create_dataset(
            f"obs/{STREAMS[camera]}", data=stored, compression="gzip", compression_opts=3, chunks=chunk
        )
    group.attrs["num_samples"] = length
    group.attrs["init_state"] = demo.states[0]
    group.attrs["gauge"] = json.dumps(demo.origin.to_json())


def _quaternions(axis_angles: Array) -> Array:
    """Quaternions [T, 4] in robosuite's order x, y, z, w."""
    from scipy.spatial.transform import Rotation

    found: Array = Rotation.from_rotvec(axis_angles).as_quat()
    return found


def _describe(data: h5py.Group, demo: Demo) -> None:
    origin = demo.origin
    size = next((list(frames.shape[1:3]) for frames in demo.images.values()), [128, 128])
    kwargs = {"control_freq": FPS, "camera_heights": size[0], "camera_widths": size[1], "controller": "OSC_POSE"}
    info = {
        "problem_name": origin.problem.lower(),
        "domain_name": "robosuite",
        "language_instruction": origin.instruction,
    }
    args = {"type": 1, "env_name": origin.problem, "problem_name": origin.problem.lower(), "env_kwargs": kwargs}
    data.attrs["env_name"] = origin.problem
    data.attrs["problem_info"] = json.dumps(info)
    data.attrs["env_args"] = json.dumps({**args, "bddl_file": origin.bddl})
    data.attrs["bddl_file_name"] = origin.bddl
    data.attrs["macros_image_convention"] = "opengl"
