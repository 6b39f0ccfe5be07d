from collections.abc import Iterator

import pytest
from hydra import compose, initialize_config_dir
from omegaconf import DictConfig

from gauge.config import build
from gauge.config.check import problems
from gauge.config.conf_dir import conf_dir
from gauge.config.resolvers import register
from gauge.core.cell import ID_VERSION
from gauge.core.items import Item
from gauge.errors import GaugeError, NotApplicableError
from gauge.perturbations.image_shift import ImageShift

SHIFT = Item("spatial", "image", "image_shift", (0.1,))


@pytest.fixture(autouse=True, scope="module")
def hydra_in_this_process() -> Iterator[None]:
    register()
    with initialize_config_dir(str(conf_dir()), version_base="1.3"):
        yield


def composed(*overrides: str) -> DictConfig:
    return compose("config", ["model=expert", "suite=libero_object", *overrides])


def refused(*overrides: str) -> str:
    with pytest.raises(GaugeError) as caught:
        build.cell(composed(*overrides))
    return str(caught.value)


def test_a_point_and_a_dynamic_value_become_items() -> None:
    assert build.combination(composed("perturbation=image_shift", "value.at=0.1")).items == (SHIFT,)
    [item] = build.combination(composed("perturbation=action_noise", "value=dynamic", "value.levels=[0.1,0.2]")).items
    assert (item.mode, item.values) == ("dynamic", (0.1, 0.2))
    [item] = build.combination(composed("perturbation=light_diffuse", "value=dynamic")).items
    assert len(item.values) == 12
    assert {2.0, "red"} < set(item.values)


def test_perturbation_and_pfc_together_are_one_combination() -> None:
    pfc = "pfc.items=[{perturbation: image_shift, at: 0.1}, {perturbation: action_noise, levels: [0.1, 0.2]}]"
    assert build.combination(composed(pfc)).label == "action_noise=dynamic+image_shift=0.1"
    cfg = composed("perturbation=light_diffuse", "value.at=red", "pfc.items=[{perturbation: image_shift, at: 0.1}]")
    assert build.combination(cfg).label == "image_shift=0.1+light_diffuse=red"
    code = build.perturbations(cfg)
    assert set(code) == {"image_shift", "light_diffuse"}
    assert isinstance(code["image_shift"], ImageShift)


def test_the_same_attribute_twice_is_refused() -> None:
    message = refused("perturbation=image_shift", "value.at=0.2", "pfc.items=[{perturbation: image_shift, at: 0.1}]")
    assert message.startswith("two items change image_shift")


def test_a_nominal_value_is_the_clean_cell() -> None:
    assert build.cell(composed("perturbation=image_shift", "value.at=0")).id == build.cell(composed()).id


def test_a_cell_is_made_of_this_and_nothing_else() -> None:
    cfg = composed()
    assert build.cell(cfg).to_json() == {
        "id_version": ID_VERSION,
        "model": {"kind": "expert", "name": "expert"},
        "suite": {
            "name": "libero_object",
            "digest": build.suite(cfg).digest,
            "horizon": 280,
            "settle_steps": 10,
            "stepper": "lean",
        },
        "items": [],
        "branch": "none",
        "seed": 0,
    }


def test_only_what_changes_actions_is_part_of_the_cell() -> None:
    served = ["model=remote", "model.name=served"]
    base = build.cell(composed(*served)).id
    reached = ["host=other", "port=9", "connect_timeout_s=1", "call_timeout_s=1", "attempts=2", "api_key_env=KEY"]
    for setting in reached:
        assert build.cell(composed(*served, f"model.{setting}")).id == base, setting
    for setting in ("executed=2", "orientation=upright", "image_size=[128,128]", "gripper=open_positive", "name=b"):
        assert build.cell(composed(*served, f"model.{setting}")).id != base, setting
    for setting in ("suite.tasks=[0]", "rollouts=5", "workers=3", "video=off", "study=other", "model.host=other"):
        assert build.cell(composed(*served, setting)).id == base, setting
    for setting in (
        "seed=1", "suite.horizon=10", "suite.settle_steps=5", "suite.hold_steps=10", "suite.released=true"
    ):  # fmt: skip
        assert build.cell(composed(*served, setting)).id != base, setting


def test_the_key_of_a_server_comes_from_the_environment_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_KEY", "secret")
    cfg = composed("model=remote", "model.name=served", "model.api_key_env=MY_KEY", "model.expect_model=x/1")
    policy = build.make_policy(cfg)
    assert policy._address.api_key == "secret"  # type: ignore[attr-defined]
    assert policy.identity == "x/1"
    assert "secret" not in str(cfg)
    assert policy.spec.orientation == "mirrored"
    assert policy.spec.executed == 5


def test_the_expert_has_no_settings_and_the_default_is_our_own_trained_policy() -> None:
    assert build.make_policy(composed()).identity.startswith("expert/")
    cfg = compose("config")
    assert (cfg.model.name, cfg.model.checkpoint, cfg.suite.name) == ("tiny", None, "libero_goal")


@pytest.mark.parametrize("name", ["random", "noop"])
def test_chunked_policies_get_their_settings(name: str) -> None:
    policy = build.make_policy(composed(f"model={name}", "model.chunk=4", "model.executed=2"))
    assert (policy.spec.chunk, policy.spec.executed) == (4, 2)


def test_tasks_are_chosen_by_index_and_name() -> None:
    everything = build.tasks(composed("suite=libero_goal"))
    assert len(everything) == 10
    chosen = build.tasks(composed("suite=libero_goal", f"suite.tasks=[3,{everything[1].name}]"))
    assert chosen == (everything[1], everything[3])


def test_one_scenario_is_chosen_by_its_id() -> None:
    chosen = build.tasks(composed("suite=all", "suite.scenario=spatial_reasoning/spatial_S1a_plate"))
    assert [task.id for task in chosen] == ["spatial_reasoning/spatial_S1a_plate"]
    both = ["suite=libero_goal", "suite.tasks=[1]", "suite.scenario=open_the_middle_drawer_of_the_cabinet"]
    assert "give one of them" in refused(*both)


def test_the_halves_of_a_capability_are_cells_of_their_own() -> None:
    cells = {build.cell(composed(f"suite=visual_perception{half}")).id for half in ("", "/id", "/ood")}
    assert len(cells) == 3


def test_all_problems_are_told_at_once() -> None:
    wrong = ["rollouts=0", "workers=-1", "video=frist", "study=a/b", "suite.tasks=[99]"]
    message = refused("model=noop", "model.executed=20", "perturbation=image_shift", "value.at=7", *wrong)
    assert message.startswith("7 problems:")
    for part in ("rollouts=0", "workers=-1", "first", "study=a/b", "99", "executed must be 1 to", "image_shift=7"):
        assert part in message


@pytest.mark.parametrize(
    ("overrides", "parts"),
    [
        (["perturbation=image_shift"], ["value.at=0.02", "0.04", "value=range", "value=dynamic"]),
        (["value.at=0.1"], ["value.at=0.1 needs a perturbation", "image_shift"]),
        (["value=dynamic"], ["value=dynamic needs a perturbation"]),
        (["perturbation=light_diffuse", "value.at=purple"], ["unknown tint 'purple'", "yellow"]),
        (["model=remote"], ["model.name is not set"]),
        (["model.kind=remote"], ["model=remote"]),
        (["model.kind=exprt"], ["did you mean expert"]),
        (["+suite.horzon=3"], ["unknown key 'suite.horzon'; did you mean suite.horizon"]),
        (["+rolouts=3"], ["did you mean rollouts"]),
        (["suite.control_freq_hz=10"], ["20 Hz"]),
        (["pfc.items=[{perturbation: image_shft, at: 0.1}]"], ["did you mean image_shift"]),
        (["pfc.items=[{at: 0.1}]"], ["pfc.items[0].perturbation is not set"]),
        (["pfc.items=[{perturbation: none, at: 1}]"], ["names a perturbation"]),
        (["pfc.items=[{perturbation: image_shift}]"], ["exactly one of them"]),
        (["suite.tasks=[nonsense]"], ["unknown task of libero_object"]),
        (["cluster=local", "cluster.parallel=0"], ["cluster.parallel=0 is too small"]),
        (["model=remote", "model.name=a", "model.gripper=up"], ["close_positive, open_positive"]),
    ],
)
def test_what_cannot_be_run_is_refused_with_what_is_possible(overrides: list[str], parts: list[str]) -> None:
    message = refused(*overrides)
    for part in parts:
        assert part in message


def test_an_option_without_a_schema_is_refused() -> None:
    cfg = composed()
    cfg.suite = {"kind": "libero", "name": "libero_goal"}
    assert any("suite option names no schema" in problem for problem in problems(cfg))


@pytest.mark.parametrize(
    ("pfc", "attributes"),
    [
        ("pfc_1_2", {"action_noise", "robot_initial_state"}),
        ("pfc_2_3", {"target_object_scale", "action_noise", "image_shift", "camera_vertical"}),
        (
            "pfc_3_6",
            {
                "target_object_scale",
                "background",
                "action_noise",
                "image_occlusions",
                "light_direction",
                "image_shift",
                "placed_object_color",
                "noise",
            },
        ),
    ],
)
def test_the_papers_combinations_have_the_papers_items(pfc: str, attributes: set[str]) -> None:
    cfg = composed(f"pfc={pfc}")
    assert {item.attribute for item in build.combination(cfg).items} == attributes
    assert len({(one.category, one.factor) for one in build.perturbations(cfg).values()}) == len(attributes)


def test_two_perturbations_of_one_thing_are_refused() -> None:
    message = refused("pfc.items=[{perturbation: camera_distance, at: 1.5},{perturbation: camera_vertical, at: 10}]")
    assert message == (
        "camera_distance and camera_vertical both change the outside camera: only one of them can be in a combination"
    )


def test_tasks_in_which_the_perturbation_makes_no_sense_are_left_out(caplog: pytest.LogCaptureFixture) -> None:
    typed = ["suite=libero_goal", "perturbation=target_object_position", "value.at=x+3"]
    assert [task.index for task in build.tasks(composed(*typed))] == [1, 2, 3, 4, 5, 6, 8, 9]
    assert "open_the_middle_drawer_of_the_cabinet is left out: not applicable: target_object_position" in caplog.text
    with pytest.raises(NotApplicableError, match="wooden_cabinet_1 is fixed"):
        build.tasks(composed(*typed, "suite.tasks=[0]"))
