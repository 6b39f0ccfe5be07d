"""The table that comes with the package: whole scenes, reasons and numbers, and made with today's code."""

from collections import Counter

import pytest
from perturbation_options import shipped

from gauge.config.registry import ATTRIBUTES
from gauge.perturbations import certificate
from gauge.perturbations.certificate import Key
from gauge.suites import load

FOUND = certificate.read(certificate.packaged())
TASKS = load("anchors").tasks
CRITERIA = {"applicability", "effect", "feasibility", "semantics"}


def wanted():
    for task in TASKS:
        for name in ATTRIBUTES:
            one = shipped(name)
            for value in one.levels:
                yield one, value, Key(task.id, name, str(one.validate(value)))


def test_all_values_are_certified_in_six_scenes_of_different_kinds():
    keys = {key for _, _, key in wanted()}
    assert len(keys) == 268 * 6
    assert set(FOUND) == keys
    assert len({FOUND[key].scene for key in keys}) == 6


def test_each_verdict_has_its_reason_and_kept_ones_their_numbers():
    for one in FOUND.values():
        assert (one.verdict == "kept") == (one.reason == "") == (one.criterion == ""), one.key
        assert one.criterion in CRITERIA | {""}
        if one.verdict == "kept":
            assert all((one.stated, one.measured, one.pixel_mean, one.overlap_mm)), one.key


def test_most_values_are_kept_and_every_attribute_somewhere():
    kept = Counter(one.attribute for one in FOUND.values() if one.verdict == "kept")
    assert set(kept) == set(ATTRIBUTES)
    assert sum(kept.values()) > 0.8 * len(FOUND)


@pytest.mark.slow  # a change of an attribute's code makes its certificates stale; value=range then says so itself
def test_the_table_is_current():
    tasks = {task.id: task for task in TASKS}
    stale = {
        key.attribute for one, _, key in wanted() if key in FOUND and not FOUND[key].holds(one, tasks[key.scenario])
    }
    assert not stale, f"python -m gauge.validate makes these anew: {', '.join(sorted(stale))}"
