from dataclasses import replace

import h5py
import numpy as np
import pytest
from demo_samples import SENTENCE, TASK, make_demo, write_libero_file

from gauge.errors import GaugeError
from gauge.records.demo import Origin, is_noop, longest_run
from gauge.records.demo_file import names, read_demo, read_demos, write_demos


def same(first, second):
    arrays = ("actions", "states", "proprioception", "joints", "final_state")
    return all(np.array_equal(getattr(first, name), getattr(second, name)) for name in arrays)


def test_what_is_written_is_read_back_to_the_bit(tmp_path):
    path, demos = tmp_path / "a.hdf5", [make_demo(seed=seed, images=16) for seed in range(3)]
    write_demos(path, demos)
    found = list(read_demos(path, images=True))
    assert len(found) == 3
    for wrote, read in zip(demos, found, strict=True):
        assert same(wrote, read)
        assert wrote.origin == read.origin
        assert wrote.digest == read.digest
        assert all(np.array_equal(wrote.images[name], read.images[name]) for name in wrote.images)
        assert all(np.array_equal(wrote.fixtures[name], read.fixtures[name]) for name in wrote.fixtures)


def test_images_do_not_change_the_digest_and_are_read_only_where_wanted(tmp_path):
    plain = make_demo()
    assert replace(plain, images=make_demo(images=16).images).digest == plain.digest
    write_demos(tmp_path / "a.hdf5", [make_demo(images=16)])
    assert read_demo(tmp_path / "a.hdf5").images == {}


def test_the_file_is_in_liberos_layout_with_images_bottom_up(tmp_path):
    demo = make_demo(images=16)
    write_demos(tmp_path / "a.hdf5", [demo])
    with h5py.File(tmp_path / "a.hdf5") as file:
        group = file["data/demo_0"]
        assert group["robot_states"].shape == (len(demo), 9)
        assert list(group["dones"][()]) == [0] * (len(demo) - 1) + [1]
        assert np.array_equal(group["obs/agentview_rgb"][()], demo.images["agentview"][:, ::-1])
        assert np.array_equal(group["obs/ee_pos"][()], demo.proprioception[:, :3])
        assert file["data"].attrs["macros_image_convention"] == "opengl"
        assert (file["data"].attrs["num_demos"], file["data"].attrs["total"]) == (1, len(demo))
        assert group.attrs["num_samples"] == len(demo)


def test_a_file_as_libero_publishes_it_is_read(tmp_path):
    path = tmp_path / "pick_up_the_milk_and_place_it_in_the_basket_demo.hdf5"
    write_libero_file(path)
    assert names(path) == ["demo_0", "demo_1"]
    demo = read_demo(path, 1, images=True)
    assert demo.actions.shape == (8, 7)
    assert demo.proprioception.shape == (8, 8)
    assert demo.final_state is None
    assert (demo.origin.instruction, demo.origin.scenario_id, demo.origin.rollout) == (SENTENCE, TASK, None)
    top, bottom = demo.images["agentview"][0, 0].mean(), demo.images["agentview"][0, -1].mean()
    assert top > bottom + 100, "the bright edge is at the top again"


def test_episodes_are_in_numerical_order(tmp_path):
    path = tmp_path / "a.hdf5"
    write_demos(path, (make_demo(seed=seed) for seed in range(12)))
    assert names(path)[9:] == ["demo_9", "demo_10", "demo_11"]
    assert read_demo(path, 11).origin.start_hash == "start11"


def test_a_file_holds_one_task_and_nothing_is_left_of_one_that_does_not(tmp_path):
    with pytest.raises(GaugeError, match="in one file"):
        write_demos(tmp_path / "a.hdf5", [make_demo(), make_demo(scenario_id="libero_goal/other")])
    with pytest.raises(GaugeError, match="no demonstration"):
        write_demos(tmp_path / "a.hdf5", [])
    assert not list(tmp_path.iterdir())


def test_a_truncated_file_is_named(tmp_path):
    path = tmp_path / "a.hdf5"
    write_demos(path, [make_demo(60, images=32)])
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    with pytest.raises(GaugeError, match=r"a\.hdf5 is (truncated|damaged)"):
        read_demo(path, images=True)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda g: g.__delitem__("actions"), "the stream actions is missing"),
        (lambda g: g["obs"].__delitem__("agentview_rgb"), "the stream obs/agentview_rgb is missing"),
        (lambda g: cut(g, "states", 5), "frame 5: states has 5 frames, but there are 8 actions"),
        (lambda g: widen(g, "actions", 6), r"actions has shape \[8, 6\], expected \[8, 7\]"),
        (lambda g: swap(g, "obs/agentview_rgb", np.zeros((8, 3, 16, 16))), "channels last"),
        (lambda g: swap(g, "obs/agentview_rgb", np.zeros((8, 16, 16, 3))), "float64, expected uint8"),
        (lambda g: g.attrs.__setitem__("num_samples", 9), "declares 9 frames"),
    ],
)
def test_a_demonstration_that_does_not_fit_is_refused_with_its_name(tmp_path, change, said):
    path = tmp_path / "a.hdf5"
    write_libero_file(path)
    with h5py.File(path, "a") as file:
        change(file["data/demo_1"])
    read_demo(path, 0)
    with pytest.raises(GaugeError, match=f"demo_1: {said}|demo_1: .*{said}"):
        read_demo(path, 1)


def swap(group, name, values):
    del group[name]
    group[name] = values


def cut(group, name, length):
    swap(group, name, group[name][:length])


def widen(group, name, width):
    swap(group, name, group[name][:, :width])


def test_missing_files_and_names_are_named(tmp_path):
    write_demos(tmp_path / "a.hdf5", [make_demo()])
    with pytest.raises(GaugeError, match="no such file"):
        read_demo(tmp_path / "b.hdf5")
    with pytest.raises(GaugeError, match="episodes 0 to 0, not 3"):
        read_demo(tmp_path / "a.hdf5", 3)
    with pytest.raises(GaugeError, match="no demo_4"):
        read_demo(tmp_path / "a.hdf5", "demo_4")


def test_an_origin_survives_a_later_version():
    assert Origin.from_json({**Origin(scenario_id="a").to_json(), "new": 1}) == Origin(scenario_id="a")


def test_a_noop_moves_nothing_and_keeps_the_gripper_command():
    actions = np.zeros((5, 7))
    actions[:, 6] = [-1, -1, 1, 1, 1]
    actions[4, 0] = 0.01
    assert list(is_noop(actions)) == [True, True, False, True, False]
    assert not is_noop(actions, before=1.0)[0]


@pytest.mark.parametrize(("mask", "run"), [("0110111", (3, 4)), ("000", (0, 0)), ("11", (2, 0)), ("", (0, 0))])
def test_the_longest_run(mask, run):
    assert longest_run(np.array([c == "1" for c in mask], dtype=bool)) == run
