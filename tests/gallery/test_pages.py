from dataclasses import replace
from pathlib import Path

import pytest

from gauge.gallery import pages
from gauge.suites.certificate import Certificate, Share, Starts, Witness
from gauge.suites.generate import FOLDER
from gauge.suites.scenario import Scenario, load_folder

STARTS = Starts((1,), ("aa",), ((0.0, 0.0),), (5.0, 5.0), (), (0.5, 0.5), 200)
GOOD = Certificate(
    "", "", STARTS, Share(1, 1), 9.0, Witness(3, 99, "a.npz"), Share(0, 20), Share(0, 20), "expert", "mujoco"
)
BAD = replace(GOOD, replay=Share(8, 20))


@pytest.fixture(scope="module")
def scenarios() -> tuple[Scenario, ...]:
    found = load_folder(FOLDER, "made").tasks
    return tuple(one for one in found if isinstance(one, Scenario))


def test_a_page_for_each_capability_and_split_in_the_order_of_the_plan(scenarios: tuple[Scenario, ...]) -> None:
    book = pages.chapters(scenarios)
    assert [part.name for part in book][:3] == [
        "visual_perception_id",
        "visual_perception_ood",
        "semantic_grounding_id",
    ]
    assert len(book) == 12
    assert sum(len(part.scenarios) for part in book) == len(scenarios)
    bare = [replace(one, about=type(one.about)()) for one in scenarios[:2]]
    assert [part.name for part in pages.chapters(bare)] == ["scenarios"]


def test_a_row_says_what_a_scenario_is_and_how_it_stands(scenarios: tuple[Scenario, ...]) -> None:
    part = next(part for part in pages.chapters(scenarios) if part.name == "visual_perception_id")
    first, second, *_ = part.scenarios
    place = FOLDER / "pictures"
    starts = {first.layout: place / "starts" / "a.jpg"}
    text = pages.page(part, {first.id: GOOD, second.id: BAD}, starts, place, FOLDER / "pictures.md")
    rows = {row.split(" | ")[1]: row for row in text.splitlines() if row.startswith("| !") or "not drawn" in row}
    assert len(rows) == 23
    link = "[visual_L01](../visual_perception/id/visual_L01.bddl)"
    assert rows[link] == (
        f"| ![visual_L01](starts/a.jpg) | {link} | {first.instruction} | {first.about.value} | visual_L02 | kept |"
    )
    told = rows["[visual_L02](../visual_perception/id/visual_L02.bddl)"]
    assert told.endswith("| dropped: its witness, played blindly, solves 8 of 20 other starts |")
    assert "not drawn yet" in rows["[visual_L03](../visual_perception/id/visual_L03.bddl)"]
    assert sum(row.endswith("| none yet |") for row in rows.values()) == 21
    assert "[all suites](../pictures.md)" in text
    assert "Varied: object category among look-alikes." in text


def test_at_most_twelve_solutions_are_shown_each_in_another_layout(scenarios: tuple[Scenario, ...]) -> None:
    book = pages.chapters(scenarios)
    everything = pages.filmed(book, {one.id: GOOD for one in scenarios})
    assert len(everything) == len({one.layout for one in everything}) == 12
    assert len({(one.capability, one.split) for one in everything}) > 6
    assert pages.filmed(book, {one.id: BAD for one in scenarios}) == []
    (only,) = pages.filmed(book, {scenarios[5].id: GOOD})
    assert only is scenarios[5]


def test_the_index_counts_and_shows_solutions(scenarios: tuple[Scenario, ...]) -> None:
    book = pages.chapters(scenarios)
    one = next(one for one in scenarios if one.name == "visual_L01")
    folder = Path("docs/gallery")
    strips = {one.id: folder / "solutions" / "b.jpg"}
    text = pages.contents(book, {one.id: GOOD}, {}, strips, folder)
    row = "| [visual_perception_id](gallery/visual_perception_id.md) | 23 | 1 | 1 | not drawn yet not drawn yet"
    assert row in text
    assert f"**visual_L01**: {one.instruction} (initial state 3, 99 control steps)" in text
    assert f"![{one.instruction}](gallery/solutions/b.jpg)" in text
    assert "## Solutions" not in pages.contents(book, {}, {}, {}, folder)
