import h5py
import numpy as np
import pytest
from demo_samples import make_demo, write_libero_file

from gauge.demos.check import check
from gauge.demos.gate import Limits, Measure
from gauge.demos.store import create
from gauge.errors import GaugeError
from gauge.records.demo_file import write_demos


def changed(path, change, name="demo_1"):
    write_libero_file(path)
    with h5py.File(path, "a") as file:
        change(file["data"][name])
    return check(path)


def edit(name, index, value):
    def change(group):
        group[name][index] = value

    return change


def faster(group):
    group["states"][:, 0] = 0.75 + 0.1 * np.arange(8)


def test_good_files_have_no_problem(tmp_path):
    write_libero_file(tmp_path / "published.hdf5")
    write_demos(tmp_path / "ours.hdf5", [make_demo(images=16)])
    assert check(tmp_path) == []


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (edit("actions", (3, 0), np.nan), "demo_1: frame 3: actions holds NaN or infinity"),
        (edit("actions", (2, 5), 1.5), "demo_1: frame 2: an action is outside [-1, 1]"),
        (edit("actions", slice(None), 0.0), "demo_1: all 8 actions are no-ops, so nothing can be learned from it"),
        (faster, "demo_1: frame 1: its time stamp is 0.1000 s after the one before, but at 20 Hz it is 0.05 s"),
        (edit("states", (6, 0), 9.0), "demo_1: frame 6: its time stamp is"),
        (lambda group: group["obs"].__delitem__("gripper_states"), "demo_1: the stream obs/gripper_states is missing"),
    ],
)
def test_a_fault_is_listed_with_file_episode_and_frame(tmp_path, change, said):
    found = changed(tmp_path / "a.hdf5", change)
    assert len(found) == 1
    assert found[0].startswith(f"{tmp_path / 'a.hdf5'}: {said}")


def test_another_rate_and_a_wrong_count_are_named(tmp_path):
    write_libero_file(tmp_path / "a.hdf5")
    with h5py.File(tmp_path / "a.hdf5", "a") as file:
        data = file["data"]
        data.attrs["env_args"] = data.attrs["env_args"].replace('"control_freq": 20', '"control_freq": 10')
        data.attrs["num_demos"] = 5
    found = check(tmp_path / "a.hdf5")
    assert "it declares 5 episodes (num_demos), but holds 2" in found[0]
    assert all("declares 10 Hz (env_args), but LIBERO is controlled at 20 Hz" in line for line in found[1:])
    assert len(found) == 3


def test_every_file_of_a_folder_is_checked_the_broken_ones_too(tmp_path):
    write_libero_file(tmp_path / "a.hdf5")
    (tmp_path / "b.hdf5").write_bytes((tmp_path / "a.hdf5").read_bytes()[:5000])
    (tmp_path / "c.hdf5").write_text("not HDF5")
    h5py.File(tmp_path / "d.hdf5", "w").close()
    found = check(tmp_path)
    assert [line.partition(" ")[0].rstrip(":")[-6:] for line in found] == ["b.hdf5", "c.hdf5", "d.hdf5"]


def test_nothing_to_check_is_an_error(tmp_path):
    with pytest.raises(GaugeError, match="nothing to check"):
        check(tmp_path)


def test_a_set_keeps_what_its_outcomes_promise(tmp_path):
    made, good = create(tmp_path, {"tasks": ["milk"]}, 3, Limits(5, 5, 1.5)), Measure(12, 1.0, 0, 0)
    assert check(tmp_path) == [f"{tmp_path}: the set holds no demonstration"]
    for index in range(3):
        demo = make_demo(seed=index)
        write_demos(made.path("milk", index), [demo])
        made.store("milk", index, {"digest": demo.digest}, good, "")
    assert check(tmp_path) == []
    made.path("milk", 0).unlink()
    write_demos(made.path("milk", 1), [make_demo(seed=9)])
    lost, other = check(tmp_path)
    assert lost.endswith("000.json promises a trajectory, but it is not there")
    assert "001.hdf5: its actions or states are not those that were recorded" in other
