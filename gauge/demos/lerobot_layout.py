"""The layout of a LeRobotDataset, version 3.0: names, features and columns, as the library's own reader wants them.

Written from the published code of `lerobot.datasets` (Apache-2.0): `dataset_metadata.py`, `dataset_writer.py`,
`feature_utils.py`. Camera and state names are those of the LIBERO sets that its pi0.5 checkpoints were trained on.
"""

from typing import Any

VERSION = "v3.0"
FILES_PER_CHUNK = 1000
DATA_MB = 100
VIDEO_MB = 200
DATA_PATH = "data/chunk-{chunk_index:03d}/file-{file_index:03d}.parquet"
VIDEO_PATH = "videos/{video_key}/chunk-{chunk_index:03d}/file-{file_index:03d}.mp4"
EPISODES_PATH = "meta/episodes/chunk-{chunk_index:03d}/file-{file_index:03d}.parquet"
INFO, STATS, TASKS = "meta/info.json", "meta/stats.json", "meta/tasks.parquet"

VIDEO_KEYS = {"agentview": "observation.images.image", "robot0_eye_in_hand": "observation.images.image2"}
STATE, ACTION = "observation.state", "action"
STATE_NAMES = ["x", "y", "z", "axis_angle_x", "axis_angle_y", "axis_angle_z", "finger_left", "finger_right"]
ACTION_NAMES = ["x", "y", "z", "roll", "pitch", "yaw", "gripper"]
VECTORS = {STATE: STATE_NAMES, ACTION: ACTION_NAMES}
COUNTERS = ("frame_index", "episode_index", "index", "task_index")
QUANTILES = (0.01, 0.10, 0.50, 0.90, 0.99)
STAMP_TOLERANCE_S = 1e-4  # the reader's own


def features(size: tuple[int, int] | None, fps: int) -> dict[str, dict[str, Any]]:
    """The features of `info.json`; `size` is (height, width) of the videos, None for a set without."""
    found: dict[str, dict[str, Any]] = {
        name: {"dtype": "float32", "shape": [len(axes)], "names": axes} for name, axes in VECTORS.items()
    }
    found["timestamp"] = {"dtype": "float32", "shape": [1], "names": None}
    found |= {name: {"dtype": "int64", "shape": [1], "names": None} for name in COUNTERS}
    if size is not None:
        info = {
            "video.height": size[0],
            "video.width": size[1],
            "video.codec": "h264",
            "video.pix_fmt": "yuv420p",
            "video.is_depth_map": False,
            "video.fps": fps,
            "video.channels": 3,
            "has_audio": False,
        }
        video = {"dtype": "video", "shape": [*size, 3], "names": ["height", "width", "channels"], "info": info}
        found |= dict.fromkeys(VIDEO_KEYS.values(), video)
    return found


def info(total: dict[str, int], found: dict[str, dict[str, Any]], fps: int) -> dict[str, Any]:
    """The content of `info.json`; `total` counts episodes, frames and tasks."""
    videos = any(feature["dtype"] == "video" for feature in found.values())
    return {
        "codebase_version": VERSION,
        "robot_type": "panda",
        "total_episodes": total["episodes"],
        "total_frames": total["frames"],
        "total_tasks": total["tasks"],
        "chunks_size": FILES_PER_CHUNK,
        "data_files_size_in_mb": DATA_MB,
        "video_files_size_in_mb": VIDEO_MB,
        "fps": fps,
        "splits": {"train": f"0:{total['episodes']}"},
        "data_path": DATA_PATH,
        "video_path": VIDEO_PATH if videos else None,
        "features": found,
    }


def place(episode: int) -> dict[str, int]:
    """Chunk and file of an episode's video: one file each."""
    return {"chunk_index": episode // FILES_PER_CHUNK, "file_index": episode % FILES_PER_CHUNK}
