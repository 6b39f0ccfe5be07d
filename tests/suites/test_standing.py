"""Which certificates hold, and the page that lists them."""

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from gauge.errors import GaugeError
from gauge.suites import capability, certificate
from gauge.suites.certificate import Certificate, Share, Starts, Witness
from gauge.suites.generate import FOLDER
from gauge.suites.marks import END
from gauge.suites.scenario import Scenario, load_folder, solution_of
from gauge.suites.standing import BEGIN, rewrite, sample, standing

STARTS = Starts((1, 2), ("aa", "bb"), ((0.0, 0.0),) * 2, (5.0, 5.0), (), (0.5, 0.5), 200)
GOOD = Certificate(
    *("", "", STARTS, Share(9, 10), 101.5, Witness(0, 9, ""), Share(2, 20), Share(0, 20), "expert", ""), Share(1, 10)
)


@pytest.fixture
def certified(tmp_path: Path) -> list[Scenario]:
    """The wordings of two layouts and goals in three suites, all with certificates; the second goal's are bad."""
    for capability_, name in (("visual_perception", "visual"), ("common_sense", "common")):
        folder = tmp_path / capability_ / "id"
        folder.mkdir(parents=True)
        for layout in ("L01", "L02"):
            shutil.copy(FOLDER / capability_ / "id" / f"{name}_{layout}.bddl", folder)
        shutil.copy(FOLDER / capability_ / "id" / "scenarios.json", folder)
        shown = {
            one.name: replace(
                GOOD if one.name.endswith("L01") else replace(GOOD, solved=Share(0, 10)),
                file=one.bddl_sha256,
                solution=solution_of(one),
            )
            for one in scenarios(folder)
        }
        certificate.write(folder, shown)
    return scenarios(tmp_path)


def scenarios(folder: Path) -> list[Scenario]:
    return [one for one in load_folder(folder, "made").tasks if isinstance(one, Scenario)]


def test_sums_by_suite_and_a_row_for_each_layout_and_goal(certified: list[Scenario]) -> None:
    page = rewrite(f"before\n{BEGIN}\nwhat was there\n{END}\nafter\n", certified)
    assert page == rewrite(page, certified)
    assert page.startswith(f"before\n{BEGIN}\n\n| suite |")
    assert page.endswith(f" |\n\n{END}\nafter\n")
    assert "what was there" not in page
    blind = "0.10 | 0.28 | 0.60"  # replay; the mean of (0.9 + 0.1) / 2 and (0 + 0.1) / 2; 1/2 and a tenth
    assert f"| common_sense/id | 2 | 2 | 1 | {blind} |\n| visual_perception/id | 2 | 2 | 1 | {blind} |" in page
    assert f"| all | 4 | 4 | 2 | {blind} |" in page
    rows = page.partition("verdict |\n")[2].splitlines()[1:3]
    assert rows == [
        "| V1a | L01 | 2 | 9/10 | 102 | 2/20 | 0/20 | 1/10 | kept |",
        "| V1a | L02 | 2 | 0/10 | 102 | 2/20 | 0/20 | 1/10 | dropped |",
    ]


def test_a_certificate_of_another_file_or_layout_does_not_hold(certified: list[Scenario]) -> None:
    assert set(standing(certified)) == {one.id for one in certified}
    first = certified[0]
    path = Path(first.folder)
    certificate.write(path, {name: replace(one, solution="0") for name, one in certificate.read(path).items()})
    assert {one.folder for one in certified if one.id in standing(certified)} == {certified[-1].folder}
    certified[-1].bddl_path.write_text(certified[-1].bddl_path.read_text() + "\n")
    assert len(standing(scenarios(path.parents[1]))) == 1


def test_a_sample_is_drawn_from_a_seed_and_has_no_layout_and_goal_twice(certified: list[Scenario]) -> None:
    assert [one.name for one in sample(certified, 1, 0)] == ["common_L01"]  # the only goal without fault, in two texts
    with pytest.raises(GaugeError, match="2 cannot be drawn: 1 layouts and goals are certified and without fault"):
        sample(certified, 2, 0)


def test_samples_of_the_committed_scenarios_nest_and_differ_by_seed() -> None:
    found = [one for one in capability.load("all", capability.ALL, None).tasks if isinstance(one, Scenario)]
    ten, more = sample(found, 10, 0), sample(found, 12, 0)
    assert len({solution_of(one) for one in more}) == 12
    assert set(ten) < set(more)
    assert ten == sample(found, 10, 0) != sample(found, 10, 1)


def test_a_page_without_marks_is_refused(certified: list[Scenario]) -> None:
    with pytest.raises(GaugeError, match="the page has nowhere to write to: put the lines <!-- tables"):
        rewrite("nothing", certified)


def test_the_committed_page_is_what_the_command_writes() -> None:
    page = Path(__file__).parents[2] / "docs" / "certificates.md"
    found = [one for one in capability.load("all", capability.ALL, None).tasks if isinstance(one, Scenario)]
    text = page.read_text(encoding="utf-8")
    assert rewrite(text, found) == text, "type python -m gauge.suites table"
