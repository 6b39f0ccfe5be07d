from collections.abc import Sequence

import pytest
from hydra.core.override_parser.overrides_parser import OverridesParser
from hypothesis import given
from hypothesis import strategies as st

from gauge.core.items import Value
from gauge.core.sweep import Job, expand, is_range, quoted
from gauge.errors import GaugeError

LEVELS: dict[str, tuple[Value, ...]] = {"image_shift": (0.1, 0.2), "light_diffuse": (2.0, "red"), "still": ()}
CLEAN = ["perturbation=none", "value=point"]
CERTIFIED = "value.certified=true"


def levels_of(job: Job) -> Sequence[Value]:
    [name] = [part.partition("=")[2] for part in job if part.startswith("perturbation=")]
    return LEVELS[name]


def test_a_range_becomes_one_clean_job_and_one_per_value() -> None:
    assert expand([["perturbation=image_shift", "value=range"]], levels_of) == [
        CLEAN,
        ["perturbation=image_shift", "value=point", "value.at=0.1", CERTIFIED],
        ["perturbation=image_shift", "value=point", "value.at=0.2", CERTIFIED],
    ]


def test_each_perturbation_has_its_own_values_and_they_share_the_clean_job() -> None:
    jobs = [[f"perturbation={name}", "value=range"] for name in ("image_shift", "light_diffuse")]
    assert expand(jobs, levels_of) == [
        CLEAN,
        ["perturbation=image_shift", "value=point", "value.at=0.1", CERTIFIED],
        ["perturbation=image_shift", "value=point", "value.at=0.2", CERTIFIED],
        ["perturbation=light_diffuse", "value=point", "value.at=2.0", CERTIFIED],
        ["perturbation=light_diffuse", "value=point", "value.at=red", CERTIFIED],
    ]


def test_every_distinct_rest_has_its_own_clean_job() -> None:
    jobs = [[f"model={model}", "perturbation=image_shift", "value=range"] for model in ("expert", "random")]
    expanded = expand(jobs, levels_of)
    assert [["model=expert", *CLEAN], ["model=random", *CLEAN]] == [job for job in expanded if CLEAN[0] in job]
    assert len(expanded) == 6


def test_the_clean_job_can_be_left_out() -> None:
    [job] = [["perturbation=image_shift", "value=range", "value.clean=False"]]
    assert expand([job], levels_of) == [
        ["perturbation=image_shift", "value=point", "value.at=0.1", CERTIFIED],
        ["perturbation=image_shift", "value=point", "value.at=0.2", CERTIFIED],
    ]


def test_certificates_can_be_left_out() -> None:
    [job] = [["perturbation=image_shift", "value=range", "value.certified=False"]]
    assert expand([job], levels_of) == [
        CLEAN,
        ["perturbation=image_shift", "value=point", "value.at=0.1"],
        ["perturbation=image_shift", "value=point", "value.at=0.2"],
    ]


def test_settings_of_the_perturbation_stay_with_the_perturbed_jobs() -> None:
    job = ["seed=1", "perturbation=image_shift", "perturbation.levels=[0.1,0.2]", "value=range"]
    clean, first, _ = expand([job], levels_of)
    assert clean == ["seed=1", *CLEAN]
    assert first == [
        "seed=1",
        "perturbation=image_shift",
        "perturbation.levels=[0.1,0.2]",
        "value=point",
        "value.at=0.1",
        CERTIFIED,
    ]


def test_jobs_without_a_range_stay_as_they_are_and_run_once() -> None:
    job = ["perturbation=image_shift", "value.at=0.1"]
    assert expand([job, ["value=dynamic"], job], levels_of) == [job, ["value=dynamic"]]


@pytest.mark.parametrize(
    "jobs",
    [
        [["perturbation=image_shift", "value=range"], ["perturbation=image_shift", "value=point"]],
        [["perturbation=image_shift", "value=range", "value.at=0.1"]],
    ],
)
def test_a_range_and_a_point_are_refused_with_both_legal_forms(jobs: list[Job]) -> None:
    with pytest.raises(GaugeError, match=r"value=range for all validated values, or value.at=0.1,0.2"):
        expand(jobs, levels_of)


def test_a_range_of_nothing_is_refused() -> None:
    with pytest.raises(GaugeError, match="leave perturbation=none out"):
        expand([["perturbation=none", "value=range"]], levels_of)


values = st.one_of(st.floats(-9, 9), st.text(st.characters(codec="ascii", exclude_categories=["C"]), min_size=1))


@given(values)
def test_a_quoted_value_is_read_back_as_it_was(value: Value) -> None:
    override = OverridesParser.create().parse_override(f"value.at={quoted(value)}")
    assert override.value() == value
    assert type(override.value()) is type(value)


@given(
    st.lists(st.sampled_from(["model=a", "model=b", "seed=1", "suite=s"]), max_size=3, unique=True),
    st.lists(st.floats(0, 1), min_size=1, max_size=5, unique=True),
    st.booleans(),
)
def test_expansion_is_complete_distinct_and_stable(rest: list[str], levels: list[float], clean: bool) -> None:
    job = [*rest, "perturbation=p", "value=range", f"value.clean={clean}"]
    expanded = expand([job], lambda _: levels)
    assert len(expanded) == len(levels) + clean
    assert len({tuple(one) for one in expanded}) == len(expanded)
    assert not any(is_range(one) for one in expanded)
    assert all(part in one for one in expanded for part in rest)
    assert expand(expanded, lambda _: levels) == expanded
