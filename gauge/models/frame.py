"""What a profile does to a real observation: the pictures and the state, from a scene after it has settled."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from gauge.policies.served.picture import seen, sent
from gauge.policies.served.profile import Profile
from gauge.sim.scene import Scene
from gauge.suites.libero import Task

Picture = NDArray[np.uint8]


def write_frame(name: str, profile: Profile, task: Task, settle_steps: int, folder: Path) -> list[Path]:
    """Write `<name>-<view>-{upright,sent,seen}.png` and `<name>.json` with the state and the prompt.

    `upright` is the scene as a person sees it, `sent` what goes to the server, `seen` what its network sees.
    """
    spec = profile.spec
    scene = Scene(task)
    try:
        scene.start(0, 0)
        for _ in range(settle_steps):
            scene.step(scene.rest)
        scene.look()
        frames = [scene.frame(camera, spec.image_size) for camera in spec.cameras]
        states = {"none": lambda: np.zeros(0), "controller_pose_rot6d": scene.controller_pose}
        state = states.get(spec.state, scene.proprioception)()
    finally:
        scene.close()
    folder.mkdir(parents=True, exist_ok=True)
    written = [path for k, frame in enumerate(frames) for path in _pictures(folder / name, frame, profile, k)]
    facts = _facts(profile, task, frames, state)
    written.append(folder / f"{name}.json")
    written[-1].write_text(json.dumps(facts, indent=2) + "\n")
    return written


def _pictures(stem: Path, frame: Picture, profile: Profile, view: int) -> Sequence[Path]:
    shown = {"upright": frame, "sent": sent(frame, profile, view), "seen": seen(frame, profile, view)}
    paths = []
    for what, picture in shown.items():
        paths.append(stem.with_name(f"{stem.name}-{profile.views[view].camera}-{what}.png"))
        Image.fromarray(picture).save(paths[-1])
    return paths


def _facts(profile: Profile, task: Task, frames: Sequence[Picture], state: NDArray[np.float64]) -> dict[str, Any]:
    views = [
        {
            "camera": view.camera,
            "turn": view.turn,
            "sent": list(sent(frame, profile, k).shape),
            "seen": list(seen(frame, profile, k).shape),
        }
        for k, (view, frame) in enumerate(zip(profile.views, frames, strict=True))
    ]
    return {
        "task": task.id,
        "views": views,
        "black_views": profile.blank,
        "state_layout": profile.state,
        "state": state.tolist(),
        "prompt": profile.filled(task.instruction),
    }
