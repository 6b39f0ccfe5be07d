"""What a campaign does of a layout, given what is certified of it."""

from dataclasses import replace

import pytest

from gauge.certify.job import Certification, Continuation, Extent
from gauge.certify.todo import missing
from gauge.perturbations.provenance import environment
from gauge.suites.certificate import Certificate, Share
from gauge.suites.generate import FOLDER
from gauge.suites.scenario import Scenario, load_folder
from gauge.suites.standing import standing

NAMES = ("visual_L01", "visual_L02")


@pytest.fixture
def scenarios() -> list[Scenario]:
    """Two certified siblings."""
    tasks = load_folder(FOLDER / "visual_perception" / "id", "visual_perception").tasks
    return [one for one in tasks if isinstance(one, Scenario) and one.name in NAMES]


@pytest.fixture
def held(scenarios: list[Scenario], extent: Extent) -> dict[str, Certificate]:
    """Their certificates, as if made here to that extent."""
    return {name: _shortened(one, extent) for name, one in standing(scenarios).items()}


def _shortened(known: Certificate, extent: Extent) -> Certificate:
    starts, some = known.starts, slice(extent.states)
    starts = replace(starts, seeds=starts.seeds[some], hashes=starts.hashes[some], places=starts.places[some])
    replays = Share(0, extent.replays)
    both = Share(0, extent.tries)
    return replace(known, starts=starts, replay=replays, sibling=replays, both=both, environment=environment())


@pytest.fixture
def extent() -> Extent:
    """Less than a certificate has by default."""
    return Extent(states=21, tries=10, replays=20, horizon=400, seed=0)


def test_nothing_is_done_again(scenarios: list[Scenario], held: dict[str, Certificate], extent: Extent) -> None:
    assert list(missing(scenarios, held, extent)) == []


@pytest.mark.parametrize("more", ["states", "replays"])
def test_what_is_missing_is_added(
    scenarios: list[Scenario], held: dict[str, Certificate], extent: Extent, more: str
) -> None:
    wanted = extent._replace(**{"states": 50, more: 50})
    (job,) = missing(scenarios, held, wanted)
    assert isinstance(job, Continuation)
    assert job.scenarios == tuple(scenarios)
    assert job.known == tuple(held.values())
    assert all(one is not None and len(one.actions) for one in job.solutions)


def test_siblings_goals_that_were_never_judged_are_added(
    scenarios: list[Scenario], held: dict[str, Certificate], extent: Extent
) -> None:
    unheard = {name: replace(one, both=Share(0, 0)) for name, one in held.items()}
    (job,) = missing(scenarios, unheard, extent)
    assert isinstance(job, Continuation)
    alone = {name: replace(one, sibling=Share(0, 0)) for name, one in unheard.items()}  # it has no sibling
    assert list(missing(scenarios, alone, extent)) == []


def test_the_expert_plays_again_if_it_has_to(
    scenarios: list[Scenario], held: dict[str, Certificate], extent: Extent
) -> None:
    elsewhere = {name: replace(one, environment="mujoco 2") for name, one in held.items()}
    one_of_two = {name: one for name, one in held.items() if name.endswith(NAMES[0])}
    for known, wanted in (
        (held, extent._replace(tries=extent.tries + 1)),
        (elsewhere, extent._replace(states=extent.states + 1)),
        (one_of_two, extent),
        ({}, extent),
    ):
        assert list(missing(scenarios, known, wanted)) == [Certification(tuple(scenarios), wanted)]
