"""Small demonstrations that no simulator made, and a file exactly as LIBERO's own create_dataset.py writes it."""

import json
from dataclasses import replace
from pathlib import Path

import h5py
import numpy as np

from gauge.records.demo import Demo, Origin

TASK = "libero_object/pick_up_the_milk_and_place_it_in_the_basket"
SENTENCE = "pick up the milk and place it in the basket"


def make_demo(length: int = 12, seed: int = 0, images: int | None = None, **origin) -> Demo:
    """A hand that moves along a random straight line with a little noise and closes half-way."""
    rng = np.random.default_rng(seed)
    actions = np.clip(rng.normal(0.0, 0.4, (length, 7)), -1.0, 1.0)
    actions[:, 6] = np.where(np.arange(length) < length // 2, -1.0, 1.0)
    states = rng.normal(size=(length + 1, 20))
    states[:, 0] = 0.5 + 0.05 * np.arange(length + 1)
    line = np.linspace(0.0, 1.0, length)[:, None] * rng.normal(0.0, 0.3, 3)
    hand = np.hstack([line, np.full((length, 3), 0.1), np.full((length, 2), 0.04)])
    frames = {}
    if images is not None:
        shape = (length, images, images, 3)
        frames = {name: smooth(rng, shape) for name in ("agentview", "robot0_eye_in_hand")}
    made = Origin(scenario_id=TASK, instruction=SENTENCE, problem="Libero_Floor_Manipulation", rollout=20, seed=5)
    return Demo(
        actions=actions,
        states=states[:-1],
        proprioception=hand,
        joints=rng.normal(size=(length, 7)),
        origin=replace(made, bddl=f"bddl_files/{TASK}.bddl", start_hash=f"start{seed}", **origin),
        final_state=states[-1],
        fixtures={"body_pos": rng.normal(size=(3, 3)), "body_quat": rng.normal(size=(3, 4))},
        images=frames,
    )


def smooth(rng: np.random.Generator, shape: tuple[int, ...]) -> np.ndarray:
    """Frames that survive a video encoder: a slope of grey that changes from frame to frame, bright at the top."""
    ramp = np.linspace(200, 40, shape[1])[None, :, None, None] + rng.uniform(0, 40, (shape[0], 1, 1, 3))
    return np.broadcast_to(ramp, shape).astype(np.uint8).copy()


def write_libero_file(path: Path, episodes: int = 2, length: int = 8, side: int = 16) -> None:
    """The groups, types, shapes and attributes of the published LIBERO demonstration files."""
    rng = np.random.default_rng(7)
    with h5py.File(path, "w") as file:
        data = file.create_group("data")
        kwargs = {"robots": ["Panda"], "control_freq": 20, "camera_heights": side, "camera_widths": side}
        args = {"type": 1, "env_name": "Libero_Floor_Manipulation", "problem_name": "libero_floor_manipulation"}
        problem = {"domain_name": "robosuite", "problem_name": "libero_floor_manipulation"}
        data.attrs["env_name"] = "Libero_Floor_Manipulation"
        data.attrs["problem_info"] = json.dumps({**problem, "language_instruction": SENTENCE})
        data.attrs["macros_image_convention"] = "opengl"
        data.attrs["bddl_file_name"] = f"chiliocosm/bddl_files/{TASK}.bddl"
        data.attrs["bddl_file_content"] = "(define (problem LIBERO_Floor_Manipulation))"
        data.attrs["env_args"] = json.dumps({**args, "bddl_file": f"{TASK}.bddl", "env_kwargs": kwargs})
        for index in range(episodes):
            demo = data.create_group(f"demo_{index}")
            obs = demo.create_group("obs")
            ee = rng.normal(size=(length, 6))
            obs.create_dataset("gripper_states", data=rng.normal(size=(length, 2)))
            obs.create_dataset("joint_states", data=rng.normal(size=(length, 7)))
            obs.create_dataset("ee_states", data=ee)
            obs.create_dataset("ee_pos", data=ee[:, :3])
            obs.create_dataset("ee_ori", data=ee[:, 3:])
            for stream in ("agentview_rgb", "eye_in_hand_rgb"):
                obs.create_dataset(stream, data=smooth(rng, (length, side, side, 3))[:, ::-1])
            states = rng.normal(size=(length, 20))
            states[:, 0] = 0.75 + 0.05 * np.arange(length)
            last = np.zeros(length, dtype=np.uint8)
            last[-1] = 1
            demo.create_dataset("actions", data=np.clip(rng.normal(0, 0.4, (length, 7)), -1, 1))
            demo.create_dataset("states", data=states)
            demo.create_dataset("robot_states", data=rng.normal(size=(length, 9)))
            demo.create_dataset("rewards", data=last)
            demo.create_dataset("dones", data=last)
            demo.attrs["num_samples"] = length
            demo.attrs["model_file"] = "<mujoco/>" * 10_000
            demo.attrs["init_state"] = states[0]
        data.attrs["num_demos"] = episodes
        data.attrs["total"] = episodes * length
