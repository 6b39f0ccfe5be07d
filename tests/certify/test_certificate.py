from dataclasses import replace
from pathlib import Path

import pytest

from gauge.errors import GaugeError
from gauge.suites.certificate import TABLE, Certificate, Share, Starts, Witness, horizon, read, write

STARTS = Starts(
    seeds=(2**63, 5),
    hashes=("aa", "bb"),
    places=((0.1, -0.2), (0.11, -0.21)),
    spread_mm=(5.0, 5.0),
    region_mm=(14.43, 14.43),
    reach_m=(0.5, 0.6),
    pixels=200,
)
GOOD = Certificate(
    "ff",
    "0123",
    STARTS,
    Share(9, 10),
    101.5,
    Witness(0, 99, "0123.npz"),
    Share(1, 10),
    Share(0, 10),
    "expert/2",
    "mujoco",
)


def test_a_table_comes_back_as_it_was_written(tmp_path: Path) -> None:
    ended = replace(GOOD, witness=Witness(0, 99, "0123.npz", "cc", (0.1, 0.2, 0.9)))
    found = {"b": GOOD, "a": replace(GOOD, witness=None, starts=replace(STARTS, region_mm=())), "c": ended}
    write(tmp_path, found)
    assert read(tmp_path) == found
    assert list(read(tmp_path)) == ["a", "b", "c"]
    assert [path.name for path in tmp_path.iterdir()] == [TABLE]


def test_a_table_of_before_ends_were_recorded_is_read(tmp_path: Path) -> None:
    write(tmp_path, {"b": GOOD})
    path = tmp_path / TABLE
    path.write_text(path.read_text().replace(', "end": "", "rest_m": []', ""))
    assert "rest_m" not in path.read_text()
    assert read(tmp_path) == {"b": GOOD}


def test_a_table_of_before_siblings_goals_were_looked_at_is_read(tmp_path: Path) -> None:
    write(tmp_path, {"b": GOOD})
    path = tmp_path / TABLE
    path.write_text(path.read_text().replace(', "both": [0, 0]', ""))
    assert "both" not in path.read_text()
    assert read(tmp_path) == {"b": GOOD}


def test_no_table_is_no_certificate_and_another_table_is_a_fault(tmp_path: Path) -> None:
    assert read(tmp_path) == {}
    (tmp_path / TABLE).write_text('{"a": {"file": "x"}}')
    with pytest.raises(GaugeError, match="is not a table of certificates of this version"):
        read(tmp_path)


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"witness": None, "solved": Share(0, 10)}, "no witness: the expert reached the goal in none of 10 starts"),
        ({"solved": Share(8, 10)}, "the expert solves 8 of 10 starts"),
        ({"replay": Share(2, 10)}, "its witness, played blindly, solves 2 of 10 other starts"),
        ({"sibling": Share(5, 10)}, "its sibling's witness, played blindly, solves 5 of 10 other starts"),
        (
            {"both": Share(2, 10)},
            "the expert reaches its sibling's goal besides this one in 2 of 10 tries",
        ),
        ({"starts": replace(STARTS, pixels=59)}, "the target has only 59 pixels in the agent view"),
    ],
)
def test_what_keeps_a_scenario_out(changed: dict[str, object], reason: str) -> None:
    assert replace(GOOD, **changed).faults() == [reason]  # type: ignore[arg-type]


def test_a_good_one_has_no_fault_also_where_nothing_was_replayed() -> None:
    assert GOOD.faults() == []
    assert replace(GOOD, replay=Share(0, 0), sibling=Share(0, 0)).faults() == []


def test_the_horizon_is_that_of_a_person() -> None:
    assert horizon(100.0) == 259  # 1.1 x 2.35 x 100, rounded up
