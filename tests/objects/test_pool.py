from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from gauge.errors import GaugeError
from gauge.objects.entry import parse, read, row, write
from gauge.objects.families import by_name
from gauge.objects.grasp import WIDEST_M
from gauge.objects.pool import builtin, find, pool
from gauge.objects.trial import LEAST_RISE_MM, MOST_SUNK_MM, MOST_TILT_DEG, MOST_TURN_DEG

ENTRIES = builtin()


def test_there_are_enough_and_every_one_passed() -> None:
    assert len(ENTRIES) >= 3089
    for entry in ENTRIES.values():
        assert entry.tilt_deg <= MOST_TILT_DEG, entry.id
        assert entry.sunk_mm <= MOST_SUNK_MM, entry.id
        if entry.grasp:
            assert entry.rise_mm >= LEAST_RISE_MM, entry.id
            assert entry.turn_deg <= MOST_TURN_DEG, entry.id
            assert 0.001 < entry.grasp.width_m <= WIDEST_M, entry.id


def test_every_generated_object_is_light_and_has_few_triangles() -> None:
    for entry in ENTRIES.values():
        if entry.source == "generator":
            assert entry.faces < 2000, entry.id
            assert 2 < entry.mass_g < 1000, entry.id
            assert entry.category in by_name(), entry.id


def test_the_split_is_by_family_and_by_shape() -> None:
    generated = [entry for entry in ENTRIES.values() if entry.source == "generator"]
    splits = {name: {entry.split for entry in generated if entry.category == name} for name in by_name()}
    for name, kind in by_name().items():
        assert splits[name] == {"unseen-family"} if kind.unseen else "unseen-family" not in splits[name]
    counted = Counter(entry.split for entry in generated)
    assert min(counted.values()) > 300


def test_the_suites_look_alikes_are_there() -> None:
    for category, words in (
        ("mug", {"tall", "target"}), ("mug", {"squat", "target"}), ("ball", {"red", "target"}), ("apple", {"red"}),
        ("jar", {"lidded", "target"}), ("bottle", {"tall", "target"}), ("can", {"squat", "target"}),
        ("square bowl", {"square", "receptacle"}), ("tray", {"receptacle"}), ("solid", {"target", "marble"}),
    ):  # fmt: skip
        assert any(entry.category == category and words <= entry.words for entry in ENTRIES.values()), (category, words)


def test_an_entry_survives_the_table(tmp_path: Path) -> None:
    wanted = [ENTRIES["gen/mug/0003"], ENTRIES["libero/plate"], ENTRIES["libero/flat_stove"]]
    write(tmp_path / "pool.csv", wanted)
    assert read(tmp_path / "pool.csv") == sorted(wanted, key=lambda one: one.id)
    assert parse(row(wanted[0])) == wanted[0]


def test_a_damaged_or_missing_table_is_a_user_fault(tmp_path: Path) -> None:
    with pytest.raises(GaugeError, match="does not exist"):
        pool([tmp_path])
    write(tmp_path / "pool.csv", [ENTRIES["gen/mug/0003"]])
    text = (tmp_path / "pool.csv").read_text().replace("gen/mug/0003,generator", "gen/mug/0003")
    (tmp_path / "pool.csv").write_text(text)
    with pytest.raises(GaugeError, match="damaged"):
        pool([tmp_path])


def test_an_unknown_id_names_the_closest() -> None:
    with pytest.raises(GaugeError, match=r"unknown object 'gen/mug/3'; did you mean gen/mug/00"):
        find("gen/mug/3")


def test_what_can_be_a_target_is_held_light_and_not_flat() -> None:
    mug = ENTRIES["gen/mug/0003"]
    assert mug.target
    assert not replace(mug, grasp=None).target
    assert not replace(mug, mass_g=600.0).target
    assert not replace(mug, size_mm=(80.0, 80.0, 8.0)).target
