"""Every task file of the installed packages parses, or is refused with the right reason."""

import re
from collections import Counter
from importlib.metadata import distribution
from pathlib import Path

import pytest

from gauge.suites.libero import SUITES, benchmark_root
from gauge.vbddl import dumps, examine, examine_file

BDDL = benchmark_root() / "bddl_files"
BEHAVIOR = Path(str(distribution("bddl").locate_file("bddl/activity_definitions")))


def reasons(path: Path) -> list[str]:
    """The errors of a file, without what differs between files."""
    _, problems = examine_file(path)
    return [problem.message for problem in problems if problem.severity == "error"]


@pytest.mark.parametrize("suite", SUITES)
def test_liberos_own_files_are_all_sound(suite: str) -> None:
    paths = sorted((BDDL / suite).glob("*.bddl"))
    assert len(paths) == (90 if suite == "libero_90" else 10)
    assert [path.name for path in paths if reasons(path)] == []


def test_libero_pros_broken_files_are_these() -> None:
    paths = sorted(BDDL.rglob("*.bddl"))
    assert len(paths) == 724
    broken = {path: found for path in paths if (found := reasons(path))}
    missing = Counter(
        match[1]
        for found in broken.values()
        for message in found
        if (match := re.search(r"(\w+)\.xml is not", message))
    )
    assert missing == {"red_sticker": 113, "blue_red_sticker": 40, "red_box": 40, "libero_mug_green": 20}
    others = {
        f"{path.parent.name}/{path.name}": message
        for path, found in broken.items()
        for message in found
        if "is not in the installed packages" not in message
    }
    assert {name.split("/")[0]: message.split(";")[0] for name, message in others.items()} == {
        "libero_10_with_milk": "(On milk_1 living_room_table_milk_init_region) is stated twice",
        "libero_object_temp_y0.5": "a range is (x_min y_min x_max y_max)",
        "libero_study_table": "the goal holds at the start: :init states all of it",
    }
    assert len(others) == 5
    assert len(broken) == 218


def test_behaviors_files_parse_and_are_refused_for_their_domain() -> None:
    paths = sorted(BEHAVIOR.rglob("*.bddl"))
    assert len(paths) == 101
    kinds = Counter()
    for path in paths:
        found = reasons(path)
        if path.name == "domain_igibson.bddl":
            assert found == ["this file defines a domain, not a task"]
            continue
        assert "domain 'igibson' cannot be simulated here, only robosuite can" in found
        kinds.update(
            re.sub(r"domain .*", "domain", message.split("'")[1] if "'for" in message else "domain")
            for message in found
        )
    assert kinds == {"domain": 100, "forpairs": 25, "forn": 6}


def test_behaviors_nested_goals_round_trip() -> None:
    trees = 0
    for path in sorted(BEHAVIOR.rglob("*.bddl")):
        task, _ = examine_file(path)
        if task is not None:
            again, _ = examine(dumps(task))
            assert again == task
            trees += 1
    assert trees == 89
