"""`python -m gauge.run` as a person types it, on real scenes."""

import json
import os
import signal
import subprocess
import time
from pathlib import Path

import commands
import pytest
from commands import command, essence, finish, records, wait_for_records

pytestmark = pytest.mark.sim
LONG = "rollouts=50"  # lasts longer than any of these tests needs it to
SMALL = ["model=random", "suite=libero_goal", "suite.tasks=[0,1]", "suite.horizon=20", "rollouts=3", "video=off"]


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    outputs = tmp_path_factory.mktemp("undisturbed")
    code, out, err = finish(command(*SMALL, outputs=outputs))
    assert code == 0, err
    assert "all tasks" in out
    assert "0.0%" in out
    assert "0/6" in out
    return outputs


def test_results_lie_in_one_folder_per_cell_with_everything_to_rerun_them(undisturbed):
    (cell,) = (undisturbed / "main").glob("random-libero_goal-clean-*")
    assert {".hydra", "cell.json", "log.txt"} <= {path.name for path in cell.iterdir()}
    assert json.loads((cell / "cell.json").read_text())["id"] == cell.name.rsplit("-", 1)[1]
    assert len(records(undisturbed)) == 6
    assert not (undisturbed / "home").exists()


def test_running_again_runs_nothing_and_more_rollouts_run_only_the_new_ones(undisturbed):
    before = essence(undisturbed)
    code, out, _ = finish(command(*SMALL, outputs=undisturbed))
    assert code == 0
    assert essence(undisturbed) == before
    code, out, _ = finish(command(*SMALL, "rollouts=4", outputs=undisturbed))
    assert code == 0
    assert "0/8" in out
    assert set(before) < set(essence(undisturbed))
    assert len(records(undisturbed)) == 8


def test_killed_half_way_and_started_again_gives_the_same_records(undisturbed, tmp_path):
    process = command(*SMALL, LONG, outputs=tmp_path)
    wait_for_records(tmp_path, 2)
    process.send_signal(signal.SIGKILL)
    process.wait()
    stored = essence(tmp_path)
    assert 2 <= len(stored) < 100
    code, _, err = finish(command(*SMALL, outputs=tmp_path))
    assert code == 0, err
    wanted, found = ([row for row in essence(side) if row[2] < 3] for side in (undisturbed, tmp_path))
    assert found == wanted
    assert set(stored) <= set(essence(tmp_path))


def ended_within(seconds, group):
    """Whether no process of the group is left after at most that long."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if subprocess.run(["pgrep", "-g", str(group)], capture_output=True).returncode == 1:
            return True
        time.sleep(0.1)
    return False


def test_ctrl_c_stops_within_five_seconds_and_loses_nothing(tmp_path):
    process = command(*SMALL, LONG, "workers=2", outputs=tmp_path, start_new_session=True)
    wait_for_records(tmp_path, 1)
    stored = essence(tmp_path)
    began = time.monotonic()
    os.killpg(process.pid, signal.SIGINT)
    code, _, err = finish(process, timeout=30)
    assert time.monotonic() - began < 5.0
    assert code == 130
    assert "run the same command again" in err
    assert set(stored) <= set(essence(tmp_path))
    assert ended_within(5.0, process.pid)


def test_a_second_run_of_a_live_cell_is_refused(tmp_path):
    first = command(*SMALL, LONG, outputs=tmp_path)
    wait_for_records(tmp_path, 1)
    code, _, err = finish(command(*SMALL, outputs=tmp_path))
    assert code == 2
    assert "study=" in err
    wait_for_records(tmp_path, len(records(tmp_path)) + 1)  # the first goes on
    first.send_signal(signal.SIGINT)
    assert finish(first)[0] == 130


def test_a_sweep_makes_a_table_a_plot_and_a_matched_clean_cell(tmp_path):
    code, out, err = finish(
        command(
            *SMALL, "suite.tasks=[0]", "rollouts=1", "perturbation=image_shift,action_noise", "value=range",
            outputs=tmp_path,
        )
    )  # fmt: skip
    assert code == 0, err
    assert out.count("image_shift=") >= 10
    assert "random looks at no image: an image perturbation cannot reach it." in out
    labels = {path.name.split("-")[2] for path in (tmp_path / "main").glob("random-*")}
    assert len(labels) == 10 + 6 + 1
    assert "clean" in labels
    (plot,) = (tmp_path / "main" / "sweeps").glob("*/plot.png")
    assert plot.stat().st_size > 10_000
    starts = {record["start_hash"] for record in records(tmp_path)}
    assert len(starts) == 1


def test_the_expert_solves_a_task_and_its_success_is_filmed(tmp_path):
    code, out, err = finish(command("suite=libero_object", "suite.tasks=[0]", outputs=tmp_path))
    assert code == 0, err
    assert "100.0%" in out
    (video,) = tmp_path.glob("main/*/videos/success-*.mp4")
    assert video.stat().st_size > 10_000
    assert records(tmp_path)[0]["success_final"] is True


def test_without_workers_the_expert_is_filmed_in_this_process(tmp_path):
    code, _, err = finish(
        command("suite=libero_object", "suite.tasks=[0]", "rollouts=1", "workers=0", "video=all", outputs=tmp_path)
    )
    assert code == 0, err
    (film,) = tmp_path.glob("*/*/videos/*.mp4")
    assert film.stat().st_size > 10_000


def test_the_controls_of_a_policy_are_cells_beside_its_own(tmp_path):
    """What neither eyes nor language are needed for; the expert records the demonstration that is played blindly."""
    net = ["model=torch", "model.module=torch_nets:Net", "model.image_size=[32,32]", "model.executed=10"]
    small = ["suite=libero_goal", "suite.tasks=[7]", "suite.horizon=200", "rollouts=2", "video=off", "controls=true"]
    paths = [str(Path(commands.__file__).parent), os.environ.get("PYTHONPATH", "")]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
    code, out, err = finish(command(*net, *small, outputs=tmp_path, environment=environment))
    assert code == 0, err
    rows = {path.parent.name.partition("-libero_goal")[0]: path for path in tmp_path.glob("main/*/episodes-*.jsonl")}
    assert set(rows) == {"torch", "torch-black", "torch-swapped", "open_loop"}
    prompts = {
        name: {json.loads(line)["prompt"] for line in path.read_text().splitlines()} for name, path in rows.items()
    }
    assert prompts["torch"] == prompts["torch-black"] == prompts["open_loop"] == {"turn on the stove"}
    assert prompts["torch-swapped"] == {"put the bowl on the plate"}
    assert all(row in out for row in ("torch and its controls", "open loop", "black", "swapped"))
