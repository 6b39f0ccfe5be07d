"""The convention probe against a policy that really looks, whole and broken in each way, in a real scene."""

from dataclasses import replace

import pytest

pytest.importorskip("torch")

from gauge.core.policy import PolicySpec
from gauge.models.broken import FAULTS, confusion, plantable
from gauge.models.conventions import SEEN
from gauge.models.moments import GAP, Moment, gather, places
from gauge.policies.torch_module import TorchPolicy
from gauge.sim import backend
from gauge.suites import load

SPEC = PolicySpec(image_size=(128, 128))
GOAL = load("libero_goal")
CHEESE = next(task for task in GOAL.tasks if task.name == "put_the_cream_cheese_in_the_bowl")


@pytest.fixture(scope="module")
def moments() -> list[Moment]:
    renderer = backend.choose("auto", {})
    return gather(CHEESE, [1, 2, 3, 4], SPEC, renderer, 300, scatter_cm=8.0)


@pytest.mark.sim
def test_each_fault_is_suspected_and_no_other(moments: list[Moment]) -> None:
    said = tuple(task.instruction for task in GOAL.tasks)
    found = confusion(TorchPolicy(SPEC, "seeker:Seeker"), moments, said, 0)
    suspected = {fault: [one.fault for one in lines if one.found == "suspected"] for fault, lines in found.items()}
    assert suspected == {fault: [] if fault == "none" else [fault] for fault in FAULTS}


@pytest.mark.parametrize(
    ("spec", "missing"),
    [
        (SPEC, set()),
        (replace(SPEC, cameras=("agentview",)), {"cameras exchanged"}),
        (replace(SPEC, cameras=()), {*SEEN.values(), "ignored image"}),
        (replace(SPEC, state="none"), {"deltas and poses mixed up"}),
    ],
)
def test_only_what_a_policy_has_can_be_broken(spec: PolicySpec, missing: set[str]) -> None:
    assert set(FAULTS) - set(plantable(TorchPolicy(spec, "torch_nets:Net"))) == missing


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        (["model=expert"], "model=expert reads the simulator and has no conventions to probe"),
        (["model=random", "states=[]"], "names no initial state"),
        (["model=random", "suite.tasks=[99]"], "libero_goal has tasks 0 to 9, not 99"),
        (["model=torch"], "model.module is not set"),
    ],
)
def test_what_cannot_be_probed_is_refused(typed: list[str], said: str) -> None:
    from hydra import compose, initialize_config_dir

    from gauge.config.conf_dir import conf_dir
    from gauge.config.resolvers import register as register_all
    from gauge.errors import GaugeError
    from gauge.models.probe import probe, register

    register_all()
    register()
    with initialize_config_dir(str(conf_dir()), version_base="1.3"), pytest.raises(GaugeError, match=said):
        probe(compose("probe", typed))


def test_the_report_begins_with_what_is_suspected(capsys: pytest.CaptureFixture[str]) -> None:
    from gauge.models.conventions import Suspicion
    from gauge.models.probe import print_report

    found = [Suspicion("stale chunk", "not seen", "0%"), Suspicion("inverted gripper", "suspected", "4% agree")]
    print_report(found, "mine")
    lines = [line for line in capsys.readouterr().out.splitlines() if "%" in line]
    assert [line.split()[0] for line in lines] == ["inverted", "stale"]


@pytest.mark.sim
def test_moments_are_looked_at_as_the_policy_would(moments: list[Moment]) -> None:
    first = moments[0]
    assert first.images["agentview"].shape == (128, 128, 3)
    assert abs(first.state[:3] - first.hand).max() < 1e-9
    assert first.before is not None
    assert first.before.step == first.step - GAP


def test_moments_lie_around_the_grasp() -> None:
    import numpy as np

    actions = np.zeros((90, 7))
    actions[:, 6] = np.where((np.arange(90) >= 45) & (np.arange(90) < 75), 1.0, -1.0)
    assert places(actions) == {
        "begun": 15,
        "a third of the way": 25,
        "two thirds of the way": 35,
        "aligned": 43,
        "carrying": 60,
        "above the goal": 73,
    }
    actions[:, 6] = -1.0
    assert places(actions) == {"part 1": 20, "part 2": 40, "part 3": 60, "part 4": 80}


def test_the_confusion_table_says_what_was_planted_and_what_was_found() -> None:
    from rich.console import Console

    from gauge.models.broken import confusion_table
    from gauge.models.conventions import Suspicion

    stale, deaf = (Suspicion(fault, "suspected", "numbers") for fault in ("stale chunk", "ignored instruction"))
    quiet = stale._replace(found="not seen")
    console = Console(width=140, record=True)
    console.print(confusion_table({"none": [quiet], "stale chunk": [stale], "ignored image": [deaf]}, "mine"))
    rows = [line.split() for line in console.export_text().splitlines()]
    assert ["none", "-", "right"] in rows
    assert ["stale", "chunk", "stale", "chunk", "right", "numbers"] in rows
    assert ["ignored", "image", "ignored", "instruction", "wrong", "numbers"] in rows
