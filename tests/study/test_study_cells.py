"""A study's cells are those of gauge.run, and its plan covers what makes sense."""

from collections.abc import Iterator

import pytest
from hydra import compose, initialize_config_dir
from hydra.core.global_hydra import GlobalHydra

from gauge.config import build, options
from gauge.config.conf_dir import conf_dir
from gauge.config.resolvers import register
from gauge.core.items import Combination, Item
from gauge.errors import GaugeError
from gauge.study import lanes, space
from gauge.study.batch import combination as combination_of
from gauge.study.batch import command
from gauge.study.config import partition
from gauge.study.plan import Want, plan_table, wants

SHARED = ["study=main", "outputs=/nowhere", "seed=0", "rollouts=3"]


@pytest.fixture(autouse=True, scope="module")
def hydra_in_this_process() -> Iterator[None]:
    register()
    with initialize_config_dir(str(conf_dir()), version_base="1.3"):
        yield


@pytest.fixture(scope="module")
def code() -> space.Space:
    return space.load(options.folders())


def crew(*typed: str) -> lanes.Crew:
    loader = GlobalHydra.instance().config_loader()
    return lanes.assemble(loader, list(typed), SHARED)


def item(code: space.Space, attribute: str, *values: object, mode: str = "static") -> Item:
    found = code.code[attribute].item(values, mode)  # type: ignore[arg-type]
    assert found is not None
    return found


def test_the_command_of_a_cell_gives_the_same_cell_to_gauge_run(code: space.Space) -> None:
    lane = crew("model=noop", "suite=libero_goal", "suite.tasks=[0,2]").lanes[0]
    cases = [
        Combination(),
        Combination.of([item(code, "image_shift", 0.1)]),
        Combination.of([item(code, "noise", code.code["noise"].levels[0])]),
        Combination.of([item(code, "light_direction", code.code["light_direction"].levels[0])]),
        Combination.of([item(code, "image_shift", 0.1, 0.2, mode="dynamic")]),
        Combination.of([item(code, "robot_initial_state", 475), item(code, "action_noise", 0.1, 0.2, mode="dynamic")]),
    ]
    for case in cases:
        typed = command(Want(lane, case, {}), code)
        assert build.cell(compose("config", typed)).id == lane.cell(case).id, typed


def test_the_items_of_a_stored_plan_give_the_same_combination(code: space.Space) -> None:
    lane = crew("model=noop", "suite=libero_goal").lanes[0]
    case = Combination.of([item(code, "robot_initial_state", 475), item(code, "image_shift", 0.1, 0.2, mode="dynamic")])
    assert combination_of(lane.cell(case).to_json()["items"], code) == case


def test_models_and_suites_are_crossed_and_keep_their_order() -> None:
    found = crew("model=noop,expert", "suite=libero_goal,libero_object", "suite.tasks=[0]")
    assert [(lane.model, lane.clean.suite["name"]) for lane in found.lanes] == [
        ("noop", "libero_goal"),
        ("noop", "libero_object"),
        ("expert", "libero_goal"),
        ("expert", "libero_object"),
    ]
    assert found.models == ("noop", "expert")
    assert list(found.scenarios.capability) == ["libero_goal", "libero_object"]
    assert set(found.scenarios.split) == {"id"}


def test_capability_and_split_come_as_data_of_the_suite() -> None:
    table = crew("model=synthetic", "suite=synthetic").scenarios
    assert table.groupby(["capability", "split"]).size()["compositional", "ood"] == 10
    assert len(table) == 270


def test_two_models_of_one_name_are_refused() -> None:
    with pytest.raises(GaugeError, match="two different models are called noop"):
        crew("model=noop", "model.chunk=10,20", "suite=libero_goal")


def test_only_models_and_suites_can_be_listed() -> None:
    with pytest.raises(GaugeError, match=r"seed lists several values; in a study only model= and suite= can"):
        crew("model=noop", "seed=0,1")


def test_every_problem_of_every_lane_is_named() -> None:
    with pytest.raises(GaugeError, match=r"(?s)2 problems.*nop.*synthetic"):
        crew("model=nop,synthetic", "model.name=pi0", "suite=libero_goal")


def test_a_scene_is_needed_for_a_real_model() -> None:
    lane = crew("model=noop", "suite=synthetic").lanes[0]
    assert "only model=synthetic" in next(iter(lane.tasks.values())).problems()[0]


def test_scenarios_in_which_a_combination_makes_no_sense_are_left_out_with_the_reason(code: space.Space) -> None:
    found = crew("model=noop", "suite=libero_goal")
    level = code.code["target_object_scale"].levels[0]
    scaled = Combination.of([item(code, "target_object_scale", level)])
    everywhere = dict.fromkeys(found.scenarios.scenario_id, range(2))
    planned, left = wants(found, code, ["noop"], [Combination(), scaled], everywhere)
    assert len(planned) == 2
    assert planned[0].size == 20
    assert len(planned[1].episodes) + len(left) == 10
    assert left
    assert all(one.reason for one in left)
    assert len(plan_table(planned)) == 20 - len(left)


def test_no_two_factors_change_the_same_thing_so_that_every_candidate_can_be_run(code: space.Space) -> None:
    owners: dict[str, set[str]] = {}
    for one in code.code.values():
        if one.touches:
            owners.setdefault(one.touches, set()).add(one.factor)
    assert owners
    assert all(len(factors) == 1 for factors in owners.values()), owners


def test_the_space_is_that_of_the_paper_and_can_be_thinned(code: space.Space) -> None:
    table = code.table()
    assert (table.factor.nunique(), table.attribute.nunique(), len(table)) == (11, 33, 268)
    few = code.table(["image_shift", "action_noise"], 2)
    assert list(few.combination) == ["action_noise=0.15", "action_noise=0.3", "image_shift=0.1", "image_shift=0.2"]


@pytest.mark.parametrize(
    ("levels", "most", "found"),
    [((1, 2, 3), None, [1, 2, 3]), ((1, 2, 3), 5, [1, 2, 3]), ((1, 2, 3, 4), 2, [2, 4]), ((1, 2, 3), 1, [3])],
)
def test_thinned_levels_are_spread_and_keep_the_last(levels: tuple[int, ...], most: int, found: list[int]) -> None:
    assert space.spread(levels, most) == found


def test_a_command_line_is_parted() -> None:
    typed = [
        "stage=all",
        "model=a,b",
        "--dry-run",
        "suite.tasks=[0]",
        "levels=2",
        "hydra.verbose=true",
        "workers=2",
    ]
    own, cells = partition(typed)
    assert own == ["stage=all", "plan=true", "levels=2", "hydra.verbose=true"]
    assert cells == ["model=a,b", "suite.tasks=[0]", "workers=2"]
    assert partition(["study.plan=true", "study.budget=adaptive"])[0] == ["plan=true", "budget=adaptive"]


@pytest.mark.parametrize("typed", ["perturbation=image_shift", "value.at=0.1", "pfc=pfc_1_2"])
def test_a_study_chooses_the_perturbations_itself(typed: str) -> None:
    with pytest.raises(GaugeError, match="perturbations="):
        partition([typed])
