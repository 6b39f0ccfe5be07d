"""What can be wrong with a demonstration file: streams that are missing or do not fit, values, rates."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

import h5py
import numpy as np

from gauge.core.policy import ACTION_DIM
from gauge.records.demo import FPS, STEP_S, Array, is_noop

# Camera names as MuJoCo has them and the streams in which LIBERO stores their frames.
STREAMS = {"agentview": "agentview_rgb", "robot0_eye_in_hand": "eye_in_hand_rgb"}
OBSERVATIONS = {"ee_states": 6, "ee_pos": 3, "ee_ori": 3, "gripper_states": 2, "joint_states": 7}
NUMBERS = {"actions": ACTION_DIM, "states": None, "robot_states": 9}
STAMP_TOLERANCE_S = 1e-4


def number(name: str) -> int | None:
    """The k of `demo_<k>`."""
    match = re.fullmatch(r"demo_(\d+)", name)
    return int(match[1]) if match else None


def shape_problems(group: h5py.Group) -> list[str]:
    """What makes a demonstration unreadable; no values are looked at."""
    return list(_missing(group)) or list(_shapes(group))


def value_problems(group: h5py.Group, control_freq: float | None) -> Iterator[str]:
    """What is wrong with the values of a demonstration whose shapes are right, with the first frame at fault."""
    actions = np.asarray(group["actions"][()], dtype=np.float64)
    states = np.asarray(group["states"][()], dtype=np.float64)
    for name, values in {"actions": actions, "states": states}.items():
        bad = np.flatnonzero(~np.isfinite(values).all(axis=1))
        if len(bad):
            yield f"frame {bad[0]}: {name} holds NaN or infinity"
    large = np.flatnonzero((np.abs(actions) > 1.0 + 1e-6).any(axis=1))
    if len(large):
        yield f"frame {large[0]}: an action is outside [-1, 1]"
    if is_noop(actions).all():
        yield f"all {len(actions)} actions are no-ops, so nothing can be learned from it"
    if control_freq is not None and abs(control_freq - FPS) > 1e-6:
        yield f"it declares {control_freq:g} Hz (env_args), but LIBERO is controlled at {FPS} Hz"
    yield from _stamps(states[:, 0])


def declared_freq(attributes: Mapping[str, Any]) -> float | None:
    """The control frequency that `env_args` declares; None where it says nothing."""
    try:
        kwargs = json.loads(attributes["env_args"])["env_kwargs"]
        return float(kwargs["control_freq"])
    except (KeyError, TypeError, ValueError):
        return None


def _stamps(times: Array) -> Iterator[str]:
    """The simulator's clock is the time stamp: it moves by one control step a frame."""
    steps = np.diff(times)
    off = np.flatnonzero(np.abs(steps - STEP_S) > STAMP_TOLERANCE_S)
    if len(off):
        frame = int(off[0])
        yield (
            f"frame {frame + 1}: its time stamp is {steps[frame]:.4f} s after the one before, but at {FPS} Hz it is "
            f"{STEP_S} s"
        )


def _missing(group: h5py.Group) -> Iterator[str]:
    needed = [["actions"], ["states"], ["obs/gripper_states"], ["obs/ee_states", "obs/ee_pos"]]
    for options in needed:
        if not any(option in group for option in options):
            yield f"the stream {options[0]} is missing"
    if "obs/ee_states" not in group and "obs/ee_pos" in group and "obs/ee_ori" not in group:
        yield "the stream obs/ee_ori is missing"
    seen = [stream for stream in STREAMS.values() if f"obs/{stream}" in group]
    if len(seen) == 1:
        absent = next(stream for stream in STREAMS.values() if stream not in seen)
        yield f"the stream obs/{absent} is missing, but obs/{seen[0]} is there"


def _shapes(group: h5py.Group) -> Iterator[str]:
    length = len(group["actions"])
    widths = {**NUMBERS, **{f"obs/{name}": width for name, width in OBSERVATIONS.items()}}
    for name, width in widths.items():
        if name in group:
            yield from _numbers(name, group[name], length, width)
    for stream in STREAMS.values():
        if f"obs/{stream}" in group:
            yield from _frames(f"obs/{stream}", group[f"obs/{stream}"], length)
    if length == 0:
        yield "it has no frames"
    declared = int(group.attrs.get("num_samples", length))
    if declared != length:
        yield f"it declares {declared} frames (num_samples), but has {length} actions"


def _numbers(name: str, found: h5py.Dataset, length: int, width: int | None) -> Iterator[str]:
    expected = f"[{length}, {width or 'n'}]"
    if found.ndim != 2 or (width is not None and found.shape[1] != width):
        yield f"{name} has shape {list(found.shape)}, expected {expected}"
    elif found.dtype.kind != "f":
        yield f"{name} is {found.dtype}, expected floating point"
    elif len(found) != length:
        yield f"frame {min(len(found), length)}: {name} has {len(found)} frames, but there are {length} actions"


def _frames(name: str, found: h5py.Dataset, length: int) -> Iterator[str]:
    if found.ndim != 4 or found.shape[3] != 3:
        yield f"{name} has shape {list(found.shape)}, expected [{length}, height, width, 3] (channels last)"
    elif found.dtype != np.uint8:
        yield f"{name} is {found.dtype}, expected uint8"
    elif len(found) != length:
        yield f"frame {min(len(found), length)}: {name} has {len(found)} frames, but there are {length} actions"
