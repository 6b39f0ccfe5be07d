"""What a person sees of one command: the sentence on stderr and the exit code."""

from pathlib import Path

import pytest
from toy_command import cells, toy


def test_a_run_stores_its_cell_where_the_command_was_typed(tmp_path: Path) -> None:
    done = toy(cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    [cell] = cells(tmp_path)
    folder = Path(cell["folder"])
    assert folder.parent == tmp_path / "outputs" / "main"
    assert folder.name == f"expert-libero_object-clean-{cell['cell_id']}"
    assert {path.name for path in folder.iterdir()} == {".hydra", "log.txt", "toy.json"}


def test_outputs_come_from_the_environment_or_the_command_line(tmp_path: Path) -> None:
    assert toy(cwd=tmp_path, GAUGE_OUTPUTS=str(tmp_path / "elsewhere")).returncode == 0
    assert list((tmp_path / "elsewhere" / "main").iterdir())
    assert toy("outputs=./chosen", "study=mine", cwd=tmp_path).returncode == 0
    assert list((tmp_path / "chosen" / "mine").iterdir())


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ("modle=random", "unknown key 'modle'; did you mean model"),
        ("model=expertt", "unknown model option 'expertt'; did you mean expert"),
        ("hydra/launcher=gage", "unknown hydra/launcher option 'gage'; did you mean gauge"),
        ("suite.horzon=3", "unknown key 'suite.horzon'; did you mean suite.horizon"),
        ("rolouts=3", "unknown key 'rolouts'; did you mean rollouts"),
        ("horizon=3", "unknown key 'horizon'; did you mean suite.horizon"),
        ("rollouts=many", "rollouts=many: Value 'many' of type 'str' could not be converted to Integer"),
        ("value.at", "cannot read 'value.at'; write key=value"),
        ("value.levels=[0.1]", "value.levels is a key of other options of value: choose one with value=..."),
        ("perturbation=image_shift,action_noise", "lists several values: add -m to run one job for each"),
        ("perturbation=image_shift", "perturbation=image_shift needs a value: type value.at=0.02"),
        ("value.at=0.1", "value.at=0.1 needs a perturbation"),
    ],
)
def test_a_user_fault_is_one_sentence_and_exit_code_2(tmp_path: Path, typed: str, sentence: str) -> None:
    done = toy(typed, cwd=tmp_path)
    assert done.returncode == 2
    [line] = done.stderr.splitlines()
    assert line.startswith("error: ")
    assert sentence in line
    assert done.stdout == ""
    assert not (tmp_path / "outputs").exists()


@pytest.mark.parametrize(
    ("fault", "code", "says"),
    [
        ("user", 2, "error: the toy does not like this value"),
        ("incomplete", 3, "error: one toy episode has no result"),
        ("gap", 3, "error: 1 of 4 episodes could not be evaluated"),
        ("interrupt", 130, "interrupted; 3 toy episodes are stored"),
    ],
)
def test_a_failing_job_says_why_in_one_line(tmp_path: Path, fault: str, code: int, says: str) -> None:
    done = toy(cwd=tmp_path, faults={"clean": fault})
    assert done.returncode == code
    [line] = done.stderr.splitlines()
    assert line.startswith(says)


def test_a_bug_shows_its_traceback_here_and_in_the_cells_log(tmp_path: Path) -> None:
    done = toy(cwd=tmp_path, faults={"clean": "bug"})
    assert done.returncode == 1
    assert done.stderr.startswith("Traceback")
    assert done.stderr.strip().endswith("ZeroDivisionError: the toy has a bug")
    [log] = (tmp_path / "outputs" / "main").glob("*/log.txt")
    assert "ZeroDivisionError: the toy has a bug" in log.read_text()


def test_full_errors_can_be_asked_for(tmp_path: Path) -> None:
    done = toy("value.at=0.1", cwd=tmp_path, HYDRA_FULL_ERROR="1")
    assert done.returncode == 2
    assert "Traceback" in done.stderr
    assert done.stderr.splitlines()[-1].startswith("error: value.at=0.1 needs a perturbation")


def test_flags_may_stand_between_overrides(tmp_path: Path) -> None:
    done = toy("perturbation=image_shift", "--cfg", "job", "value.at=0.1", cwd=tmp_path)
    assert done.returncode == 0
    assert "at: 0.1" in done.stdout


def test_help_lists_every_group_and_runs_nothing(tmp_path: Path) -> None:
    done = toy("--help", cwd=tmp_path)
    assert done.returncode == 0
    assert "action_bias, action_drop, action_noise, " in done.stdout
    assert "python -m gauge.run -m perturbation=image_shift value=range" in done.stdout
    assert "schema" not in done.stdout
    assert list(tmp_path.iterdir()) == []


def test_the_shell_can_complete(tmp_path: Path) -> None:
    line = {"COMP_LINE": "python toy.py perturbation=image_s", "COMP_POINT": "34"}
    done = toy("--shell-completion", "query=bash", cwd=tmp_path, **line)
    assert done.stdout.split() == ["perturbation=image_shift"], done.stderr
