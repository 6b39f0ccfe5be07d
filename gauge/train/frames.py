"""Demonstrations as arrays: what was drawn of every set, what is to be done then, and what is held out."""

import hashlib
import math
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from gauge.core.policy import CAMERAS
from gauge.demos.store import SET_FILE, open_set
from gauge.errors import GaugeError
from gauge.policies.replay import played
from gauge.policies.tiny.scaling import Scaling
from gauge.records.demo import Demo
from gauge.records.demo_file import read_demo
from gauge.train import looks

Floats = NDArray[np.float64]
GIB = 2**30
LEAST_SPREAD_M = 0.01


@dataclass(frozen=True, slots=True)
class Clip:
    """One demonstration that is learned from: its set's folder, its file, and whether it is held out."""

    folder: Path
    path: Path
    held_out: bool


@dataclass(frozen=True, slots=True)
class Aim:
    """A task of the demonstrations by its id, and how long its episodes were allowed to take."""

    scenario: str
    horizon: int
    settle_steps: int


@dataclass(frozen=True)
class Frames:
    """All drawn frames of all clips, one after the other.

    Attributes:
        images: uint8 [N, views, side, side, 3], upright.
        states: [N, 8].
        places: [N, things, 3], where the things of the goal are, in metres.
        chunks: [N, chunk, 7], the actions of this frame and the next ones; after the last one the hand stays.
        texts: [N], which instruction.
        held_out: [N], whether the frame belongs to a demonstration that is not trained on.
        turning: [N], whether the gripper's command changes within the chunk.
        instructions: the texts.
        tasks: of the demonstrations, each once.
        digest: 12 hex digits over the demonstrations.
    """

    images: NDArray[np.uint8]
    states: Floats
    places: Floats
    chunks: Floats
    texts: NDArray[np.int64]
    held_out: NDArray[np.bool_]
    turning: NDArray[np.bool_]
    instructions: tuple[str, ...]
    tasks: tuple[Aim, ...]
    digest: str

    def scaling(self) -> Scaling:
        """Means and spreads of what is trained on."""
        trained = ~self.held_out
        return Scaling.of(self.states[trained], self.chunks[trained, 0])

    def places_scale(self) -> tuple[Floats, Floats]:
        """Mean and spread [3] of the places that are trained on, in metres."""
        places = self.places[~self.held_out].reshape(-1, 3)
        return places.mean(axis=0), np.maximum(places.std(axis=0), LEAST_SPREAD_M)


def find(folders: Sequence[Path], held_out: float) -> list[Clip]:
    """The demonstrations of the sets; of every task the last `held_out` part is held out, at least one of two.

    Raises:
        GaugeError: a folder holds none, or nothing could be held out.
    """
    found: list[Clip] = []
    for folder in folders:
        if not (folder / SET_FILE).is_file():
            raise GaugeError(
                f"{folder} holds no {SET_FILE}, so no demonstrations; record some: python -m gauge.demos collect "
                f"suite=libero_goal n=30 scatter_cm=8 folder={folder}"
            )
        demo_set = open_set(folder)
        kept = {task: [demo_set.path(task, k) for k in demo_set.selection(task).kept] for task in demo_set.tasks()}
        if not any(kept.values()):
            raise GaugeError(f"{folder} holds no demonstration; record some with python -m gauge.demos collect")
        for paths in kept.values():
            out = math.ceil(held_out * len(paths)) if len(paths) > 1 else 0
            found += [Clip(folder, path, k >= len(paths) - out) for k, path in enumerate(paths)]
    if all(clip.held_out for clip in found) or not any(clip.held_out for clip in found):
        raise GaugeError(
            f"{len(found)} demonstrations are too few to hold one out and train on the others: record at least 2 of a "
            "task (n=2), and set held_out between 0 and 1"
        )
    return found


def read(clips: Sequence[Clip], side: int, every: int, chunk: int) -> Frames:
    """What was drawn of all the clips, in memory.

    Raises:
        GaugeError: a file is damaged, or all together are larger than the memory.
    """
    demos = [read_demo(clip.path) for clip in clips]
    total = sum(-(-len(demo) // every) for demo in demos)
    needed, here = total * len(CAMERAS) * side * side * 3, _memory()
    if needed > 0.7 * here:
        raise GaugeError(
            f"the pictures of {total} frames fill {needed / GIB:.1f} GiB, but this machine has {here / GIB:.1f}; train "
            "on fewer sets (data=[...]) or fewer frames (every=)"
        )
    images = np.empty((total, len(CAMERAS), side, side, 3), dtype=np.uint8)
    steps, places, where = [], [], 0
    for clip in clips:
        seen = looks.read(clip.path, side, every)
        images[where : where + len(seen.steps)] = seen.images
        steps.append(seen.steps)
        places.append(seen.places)
        where += len(seen.steps)
    return _joined(images[:where], steps, np.concatenate(places), demos, clips, chunk)


def chunks_of(actions: Floats, chunk: int) -> Floats:
    """For each of the actions [T, 7] itself and the next ones, [T, chunk, 7]; after the last one the hand stays."""
    whole = np.concatenate([actions, *(played(actions, len(actions)) for _ in range(chunk - 1))])
    return np.stack([whole[k : k + chunk] for k in range(len(actions))])


def turning(chunks: Floats) -> NDArray[np.bool_]:
    """Whether the gripper's command changes within each of the chunks [T, chunk, 7]."""
    grippers = np.sign(chunks[:, :, 6])
    found: NDArray[np.bool_] = (grippers != grippers[:, :1]).any(axis=1)
    return found


def _joined(
    images: NDArray[np.uint8],
    steps: Sequence[NDArray[np.int64]],
    places: Floats,
    demos: Sequence[Demo],
    clips: Sequence[Clip],
    chunk: int,
) -> Frames:
    chunks = np.concatenate([chunks_of(d.actions, chunk)[at] for d, at in zip(demos, steps, strict=True)])
    instructions = tuple(dict.fromkeys(demo.origin.instruction for demo in demos))
    lengths = [len(at) for at in steps]
    tasks = {demo.origin.scenario_id: demo.origin for demo in demos}
    return Frames(
        images=images,
        states=np.concatenate([demo.proprioception[at] for demo, at in zip(demos, steps, strict=True)]),
        places=places,
        chunks=chunks,
        texts=np.repeat([instructions.index(demo.origin.instruction) for demo in demos], lengths),
        held_out=np.repeat([clip.held_out for clip in clips], lengths),
        turning=turning(chunks),
        instructions=instructions,
        tasks=tuple(Aim(name, one.horizon, one.settle_steps) for name, one in tasks.items()),
        digest=hashlib.sha256("".join(demo.digest for demo in demos).encode()).hexdigest()[:12],
    )


def _memory() -> int:
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
