"""The LeRobot export, read back with pyarrow and PyAV, and the checker against every kind of damage."""

import json
import shutil
from dataclasses import replace

import av
import h5py
import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from demo_samples import SENTENCE, make_demo, write_libero_file

from gauge.demos.check import check
from gauge.demos.export import export
from gauge.demos.lerobot_export import describe, write_lerobot
from gauge.errors import GaugeError
from gauge.records.demo_file import names, read_demo, write_demos

SIDE = 32


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("set")
    demos = [make_demo(10 + seed, seed, images=SIDE) for seed in range(3)]
    demos[2] = replace(demos[2], origin=replace(demos[2].origin, instruction="close the drawer"))
    write_lerobot(demos, folder)
    return folder, demos


@pytest.fixture
def copy(made, tmp_path):
    shutil.copytree(made[0], tmp_path / "copy")
    return tmp_path / "copy"


def frames(path):
    with av.open(str(path)) as container:
        return [(float(f.pts * f.time_base), f.to_ndarray(format="rgb24")) for f in container.decode(video=0)]


def test_the_checker_finds_nothing_wrong(made):
    assert check(made[0]) == []


def test_numbers_and_pictures_are_those_of_the_demonstrations(made):
    folder, demos = made
    table = pq.read_table(folder / "data/chunk-000/file-000.parquet").to_pandas()
    assert list(table["index"]) == list(range(33))
    for episode, demo in enumerate(demos):
        rows = table[table.episode_index == episode]
        assert np.array_equal(np.stack(rows["action"]), demo.actions.astype(np.float32))
        assert np.array_equal(np.stack(rows["observation.state"]), demo.proprioception.astype(np.float32))
        assert np.allclose(rows["timestamp"], np.arange(len(demo)) / 20)
        for key, camera in (("image", "agentview"), ("image2", "robot0_eye_in_hand")):
            path = folder / f"videos/observation.images.{key}/chunk-000/file-{episode:03d}.mp4"
            shown = frames(path)
            assert [round(stamp * 20) for stamp, _ in shown] == list(range(len(demo)))
            worst = max(np.abs(f.astype(int) - w).mean() for (_, f), w in zip(shown, demo.images[camera], strict=True))
            assert worst < 4, "grey levels lost to the encoder"


def test_the_tables_are_the_ones_the_library_reads(made):
    folder, _ = made
    info = json.loads((folder / "meta/info.json").read_text())
    assert (info["codebase_version"], info["fps"], info["total_episodes"], info["total_frames"]) == ("v3.0", 20, 3, 33)
    assert info["features"]["action"] == {
        "dtype": "float32",
        "shape": [7],
        "names": ["x", "y", "z", "roll", "pitch", "yaw", "gripper"],
    }
    tasks = pd.read_parquet(folder / "meta/tasks.parquet")
    assert dict(tasks["task_index"]) == {SENTENCE: 0, "close the drawer": 1}
    episodes = pq.read_table(folder / "meta/episodes/chunk-000/file-000.parquet").to_pylist()
    assert [(row["dataset_from_index"], row["dataset_to_index"]) for row in episodes] == [(0, 10), (10, 21), (21, 33)]
    assert episodes[2]["tasks"] == ["close the drawer"]
    assert np.shape(episodes[0]["stats/observation.images.image/mean"]) == (3, 1, 1)
    kinds = pq.read_schema(folder / "data/chunk-000/file-000.parquet")
    assert kinds.field("action").type == pa.list_(pa.float32(), 7)
    assert kinds.field("timestamp").type == pa.float32()


def test_the_statistics_of_all_episodes_are_those_of_all_frames(made):
    folder, demos = made
    stats = json.loads((folder / "meta/stats.json").read_text())["action"]
    whole = describe(np.concatenate([demo.actions for demo in demos]))
    for name in ("min", "max", "mean", "std"):
        assert np.allclose(stats[name], whole[name])
    assert stats["count"] == [33]


def test_a_set_without_images_has_no_videos(tmp_path):
    write_lerobot([make_demo()], tmp_path)
    info = json.loads((tmp_path / "meta/info.json").read_text())
    assert info["video_path"] is None
    assert not (tmp_path / "videos").exists()
    assert check(tmp_path) == []


def rewrite(folder, part, change):
    path = folder / part
    rows = pq.read_table(path).to_pydict()
    change(rows)
    pq.write_table(pa.table(rows), path)


def note(folder, change):
    path = folder / "meta/info.json"
    info = json.loads(path.read_text())
    change(info)
    path.write_text(json.dumps(info))


DATA, EPISODES = "data/chunk-000/file-000.parquet", "meta/episodes/chunk-000/file-000.parquet"
VIDEO = "videos/observation.images.image/chunk-000/file-001.mp4"


def typed(rows):
    rows["timestamp"] = pa.array(rows["timestamp"], pa.float32())
    for name, width in (("action", 7), ("observation.state", 8)):
        rows[name] = pa.array(rows[name], pa.list_(pa.float32(), width))


def late(rows):
    rows["timestamp"][14] += 0.02
    typed(rows)


def double(rows):
    rows["action"] = [[float(x) for x in row] for row in rows["action"]]


def idle(rows):
    rows["action"][10:21] = [[0.0] * 6 + [1.0]] * 11
    typed(rows)


def short(rows):
    rows["action"] = pa.array([row[:6] for row in rows["action"]], pa.list_(pa.float32(), 6))


def unset(rows):
    rows["observation.state"][25][0] = float("nan")
    typed(rows)


def renumbered(rows):
    rows["frame_index"][12] = 7
    typed(rows)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (late, "episode 1: frame 4: its time stamp is 0.2200 s, at 20 Hz it is 0.2000 s"),
        (double, "the column action is double, but info.json declares float32"),
        (idle, "episode 1: all 11 actions are no-ops, so nothing can be learned from it"),
        (short, "row 0: action does not have the 7 numbers that info.json declares"),
        (unset, "episode 2: frame 4: observation.state holds NaN or infinity"),
        (renumbered, "episode 1: frame 2: frame_index is 7, expected 2"),
        (lambda rows: rows.pop("action"), "the column action is missing"),
    ],
)
def test_faults_of_the_frames_are_named_with_episode_and_frame(copy, change, said):
    rewrite(copy, DATA, change)
    found = check(copy)
    assert any(said in line for line in found), found
    assert all(str(copy) in line for line in found)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda info: info.update(fps=10), "frame 1: its time stamp is 0.0500 s, at 10 Hz it is 0.1000 s"),
        (lambda info: info.update(total_episodes=4), "total_episodes is 4, but there are 3"),
        (lambda info: info.update(codebase_version="v2.1"), "codebase_version is v2.1, this checks v3.0"),
        (lambda info: info.pop("features"), "the keys features are missing"),
        (lambda info: info["features"].pop("index"), "the feature index is missing"),
        (
            lambda info: info["features"]["observation.images.image"].update(shape=[64, 64, 3]),
            "it is 32 x 32, but info.json declares [64, 64]",
        ),
    ],
)
def test_a_description_that_does_not_fit_is_named(copy, change, said):
    note(copy, change)
    assert any(said in line for line in check(copy))


def lengthened(rows):
    rows["length"][1] = 12


def untasked(rows):
    rows["tasks"] = pa.array([rows["tasks"][0], [], rows["tasks"][2]], pa.list_(pa.string()))


def displaced(rows):
    rows["videos/observation.images.image2/from_timestamp"][1] = 0.3


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lengthened, "episode 1: rows 10 to 21 are not the 12 frames that it declares"),
        (untasked, "episode 1: it has no task"),
        (displaced, "episode 1: observation.images.image2 ends at 0.5500 s, but its 11 frames end at 0.8500 s"),
        (lambda rows: rows.pop("videos/observation.images.image/file_index"), "file_index are missing"),
    ],
)
def test_faults_of_the_episodes_table_are_named(copy, change, said):
    rewrite(copy, EPISODES, change)
    assert any(said in line for line in check(copy))


@pytest.mark.parametrize("size", [0, 900])
def test_a_truncated_video_is_named_with_its_episode(copy, size):
    (copy / VIDEO).write_bytes((copy / VIDEO).read_bytes()[:size])
    assert any(f"episode 1: {VIDEO}: truncated or no video" in line for line in check(copy))


def test_a_missing_video_or_table_is_named(copy):
    (copy / VIDEO).unlink()
    assert check(copy) == [f"{copy}: episode 1: the video {VIDEO} is missing"]
    (copy / DATA).write_bytes((copy / DATA).read_bytes()[:500])
    assert any(f"{copy / DATA}: truncated or not a Parquet file" in line for line in check(copy))


def test_a_video_with_too_few_frames_names_the_first_that_is_missing(copy):
    shutil.copy(copy / "videos/observation.images.image/chunk-000/file-000.mp4", copy / VIDEO)
    assert check(copy) == [f"{copy}: episode 1: {VIDEO}: frame 10: there is no picture at 0.5000 s"]


def test_published_libero_files_are_exported_and_nothing_half_written_is_left(tmp_path):
    source = tmp_path / "in"
    source.mkdir()
    write_libero_file(source / "milk_demo.hdf5", side=SIDE)
    export(source, tmp_path / "out", "lerobot")
    assert check(tmp_path / "out") == []
    (source / "soup_demo.hdf5").write_bytes((source / "milk_demo.hdf5").read_bytes()[:4000])
    with pytest.raises(GaugeError, match=r"soup_demo\.hdf5 is"):
        export(source, tmp_path / "second", "lerobot")
    with pytest.raises(GaugeError, match="exists already"):
        export(source, tmp_path / "out", "lerobot")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in", "out"]


def slower(data):
    data.attrs["env_args"] = data.attrs["env_args"].replace('"control_freq": 20', '"control_freq": 10')


def not_a_number(data):
    data["demo_1/actions"][3, 0] = np.nan


@pytest.mark.parametrize(
    ("fault", "said"), [(slower, "demo_0: it declares 10 Hz"), (not_a_number, "demo_1: frame 3: ")]
)
@pytest.mark.parametrize("layout", ["libero", "lerobot"])
def test_what_an_export_would_hide_is_refused(tmp_path, fault, said, layout):
    write_libero_file(tmp_path / "a.hdf5", side=SIDE)
    with h5py.File(tmp_path / "a.hdf5", "a") as file:
        fault(file["data"])
    with pytest.raises(GaugeError, match=rf"a\.hdf5: {said}.*nothing was exported"):
        export(tmp_path / "a.hdf5", tmp_path / "out", layout)
    assert [path.name for path in tmp_path.iterdir()] == ["a.hdf5"]


def test_images_must_be_alike(tmp_path):
    with pytest.raises(GaugeError, match=r"episode 1 .* render them all alike"):
        write_lerobot([make_demo(images=SIDE), make_demo()], tmp_path)


def test_the_libero_export_has_one_file_per_task(tmp_path):
    source = tmp_path / "in"
    source.mkdir()
    write_demos(source / "a.hdf5", [make_demo(seed=0), make_demo(seed=1)])
    write_demos(source / "b.hdf5", [make_demo(seed=2, scenario_id="libero_goal/open_it")])
    export(source, tmp_path / "out", "libero")
    files = sorted((tmp_path / "out").iterdir())
    assert [path.name for path in files] == [
        "open_it_demo.hdf5",
        "pick_up_the_milk_and_place_it_in_the_basket_demo.hdf5",
    ]
    assert [len(names(path)) for path in files] == [1, 2]
    assert read_demo(files[1], 1).digest == make_demo(seed=1).digest


def test_pictures_are_mirrored_where_that_is_asked_for(tmp_path):
    demo = make_demo(images=SIDE)
    half = np.broadcast_to(np.where(np.arange(SIDE) < SIDE // 2, 220, 30)[None, None, :, None], (12, SIDE, SIDE, 3))
    demo = replace(demo, images=dict.fromkeys(demo.images, half.astype(np.uint8)))
    write_lerobot([demo], tmp_path / "upright")
    write_lerobot([demo], tmp_path / "mirrored", mirrored=True)
    for name, left_is_bright in (("upright", True), ("mirrored", False)):
        shown = frames(tmp_path / name / "videos/observation.images.image/chunk-000/file-000.mp4")[0][1]
        assert (shown[:, :8].mean() > shown[:, -8:].mean()) == left_is_bright
