"""What a policy is deprived of: which instruction it gets instead, and where a control makes no sense."""

from collections.abc import Iterator

import pytest
from hydra import compose, initialize_config_dir
from omegaconf import DictConfig

from gauge.config import build, controls
from gauge.config.conf_dir import conf_dir
from gauge.config.resolvers import register
from gauge.core.control import Control
from gauge.errors import GaugeError, NotApplicableError
from gauge.suites import load

NET = ["model=torch", "model.module=torch_nets:Net"]


@pytest.fixture(autouse=True, scope="module")
def hydra_in_this_process() -> Iterator[None]:
    register()
    with initialize_config_dir(str(conf_dir()), version_base="1.3"):
        yield


def composed(*overrides: str) -> DictConfig:
    return compose("config", ["suite=libero_goal", *overrides])


def control(*overrides: str) -> Control:
    cfg = composed(*overrides)
    return controls.control(cfg, build.tasks(cfg), build.suite(cfg).tasks)


def test_without_control_nothing_changes_and_cells_keep_their_ids() -> None:
    assert control(*NET) == Control()
    assert "control" not in build.cell(composed(*NET)).model


def test_a_control_is_part_of_the_model_that_is_evaluated() -> None:
    cell = build.cell(composed(*NET, "control=black"))
    assert (cell.model["name"], cell.model["control"]) == ("torch+black", "black")
    assert cell.id != build.cell(composed(*NET)).id


def test_every_task_gets_the_instruction_of_another_one_that_its_scene_allows() -> None:
    tasks = load("libero_goal").tasks
    told = control(*NET, "control=swapped").told
    assert set(told) == {task.id for task in tasks}
    texts = {task.instruction for task in tasks}
    assert all(told[task.id] in texts - {task.instruction} for task in tasks)


def test_a_thing_that_the_scene_lacks_is_not_asked_for() -> None:
    tasks = list(load("libero_object").tasks)
    for task in tasks:
        other = next(one for one in tasks if one.instruction == controls.swapped(task, tasks))
        thing = other.instruction.removeprefix("pick up the ").partition(" and")[0].replace(" ", "_")
        assert thing in task.bddl_path.read_text()


def test_a_scenario_is_told_its_siblings_task() -> None:
    cfg = composed(*NET, "suite=visual_perception/id", "control=swapped")
    suite = {task.name: task for task in build.suite(cfg).tasks}
    told = controls.control(cfg, build.tasks(cfg), build.suite(cfg).tasks).told
    assert told["visual_perception/visual_L01"] == suite["visual_L02"].instruction


@pytest.mark.parametrize("model", ["expert", "random", "noop"])
@pytest.mark.parametrize("kind", ["black", "swapped"])
def test_a_control_of_what_neither_looks_nor_listens_makes_no_sense(model: str, kind: str) -> None:
    with pytest.raises(NotApplicableError, match="neither looks at pictures nor listens"):
        control(f"model={model}", f"control={kind}")


def test_black_pictures_make_no_sense_without_cameras() -> None:
    with pytest.raises(NotApplicableError, match="looks at no picture"):
        control(*NET, "model.cameras=[]", "control=black")


def test_all_is_no_control_of_one_job() -> None:
    with pytest.raises(GaugeError, match="control=all is a sweep of several jobs"):
        build.cell(composed(*NET, "control.kind=all"))
