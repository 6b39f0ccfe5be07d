"""What certificates add to the balance of the halves, and the page that says so."""

from dataclasses import replace
from pathlib import Path

import pytest

from gauge.suites import capability, measured, standing
from gauge.suites.balance import DIAGNOSED
from gauge.suites.scenario import Scenario

PAGE = Path(__file__).parents[2] / "docs" / "scenarios.md"


def scenarios() -> list[Scenario]:
    return [one for one in capability.load("all", capability.ALL, None).tasks if isinstance(one, Scenario)]


def test_pixels_and_steps_of_every_capability_are_compared() -> None:
    found = measured.rows(scenarios())
    assert [(one.capability, one.name) for one in found] == [
        (name, quantity) for name in DIAGNOSED for quantity in ("pixels", "steps")
    ]
    known = standing.standing(scenarios())
    inside = [known[one.id].steps for one in scenarios() if one.capability == "spatial_reasoning" and one.split == "id"]
    (spatial,) = (one for one in found if (one.capability, one.name) == ("spatial_reasoning", "steps"))
    assert len(inside) == 28
    assert spatial.inside == pytest.approx(sum(inside) / 28)
    assert spatial.ratio == pytest.approx(max(spatial.outside / spatial.inside, spatial.inside / spatial.outside))


def test_halves_that_take_unequally_long_are_a_problem_where_length_is_not_diagnosed() -> None:
    assert list(measured.problems(measured.rows(scenarios()))) == []
    steps = [one for one in measured.rows(scenarios()) if one.name == "steps"]
    found = list(measured.problems(replace(one, inside=100.0, outside=120.0) for one in steps))
    assert [one.partition(":")[0] for one in found] == list(DIAGNOSED)[:4]
    assert found[0].endswith("the expert takes 100 steps inside and 120 outside, 1.20 times as long")


def test_targets_that_are_seen_unequally_well_are_a_problem_where_what_is_moved_is_not_diagnosed() -> None:
    pixels = [one for one in measured.rows(scenarios()) if one.name == "pixels"]
    found = list(measured.problems(replace(one, inside=500.0, outside=400.0, d=-0.31) for one in pixels))
    assert [one.partition(":")[0] for one in found] == list(DIAGNOSED)[:4]
    assert found[0].endswith("targets have 500 pixels inside and 400 outside, -0.31 deviations apart")


def test_the_committed_table_is_what_the_command_writes() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert measured.rewrite(text, scenarios()) == text, "type python -m gauge.suites balance docs/scenarios.md"


def test_what_is_not_certified_or_dropped_is_a_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    tasks = scenarios()
    assert list(standing.problems(tasks)) == []
    known = standing.standing(tasks)
    first, second = tasks[0].id, tasks[1].id
    hidden = replace(known[first], starts=replace(known[first].starts, pixels=5))
    held = {name: one for name, one in known.items() if name != second} | {first: hidden}
    monkeypatch.setattr(standing, "standing", lambda _: held)
    missing, dropped = standing.problems(tasks)
    assert missing == f"1 scenarios are not certified ({tasks[1].name}); type python -m gauge.certify suite=all"
    assert dropped == f"{first}: the target has only 5 pixels in the agent view"
