"""`python -m gauge.models probe`: a policy's conventions, from its behaviour."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from hydra.core.config_store import ConfigStore
from omegaconf import MISSING, DictConfig
from rich import box
from rich.console import Console
from rich.table import Table

from gauge.config.check import raise_missing
from gauge.errors import GaugeError
from gauge.models.broken import WHOLE, confusion, confusion_table
from gauge.models.conventions import Suspicion, judge
from gauge.models.questions import ask_all
from gauge.suites import horizon

COLOURS = {"suspected": "bold red", "not seen": "green", "cannot tell": "yellow"}


@dataclass
class Probe:
    """Types of `conf/probe.yaml`; what each means is said there."""

    model: Any = MISSING
    suite: Any = MISSING
    states: list[int] = MISSING
    scatter_cm: float | None = MISSING
    broken: bool = MISSING
    seed: int = MISSING
    renderer: str = MISSING


def main() -> None:
    """The command."""
    from gauge.config.entry import hydra_entry

    register()
    hydra_entry(_probe, config_name="probe")


def register() -> None:
    """Make the types known to Hydra."""
    ConfigStore.instance().store(group="schema", name="probe", node=Probe, provider="gauge")


def _probe(cfg: DictConfig) -> None:
    if cfg.broken:
        Console().print(confusion_table(probe(cfg), cfg.model.name))
    else:
        print_report(probe(cfg)[WHOLE], cfg.model.name)


def probe(cfg: DictConfig) -> dict[str, list[Suspicion]]:
    """Let the expert bring the hand to a few moments, ask the policy about them, and judge its answers.

    The result has one entry, `none`; with `broken` one more for every fault that was planted on purpose.

    Raises:
        GaugeError: the config cannot work, or the policy cannot be asked.
        IncompleteError: the expert failed in every episode of a task.
    """
    from gauge.config import build
    from gauge.config.check import tasks as wanted
    from gauge.models.moments import gather
    from gauge.sim import backend

    raise_missing(cfg.model)
    if not cfg.states:
        raise GaugeError("states=[] names no initial state: states=[0,1]")
    tasks = build.suite(cfg).select(wanted(cfg.suite))
    backend.prepare(cfg.renderer)  # before anything imports MuJoCo
    policy = build.make_policy(cfg)
    try:
        if policy.spec.privileged:
            raise GaugeError(f"model={cfg.model.name} reads the simulator and has no conventions to probe")
        getattr(policy, "check", lambda: None)()
        renderer = backend.choose(cfg.renderer, os.environ)
        moments = [
            moment
            for task in tasks
            for moment in gather(
                task,
                list(cfg.states),
                policy.spec,
                renderer,
                horizon.of(task, cfg.suite.horizon),
                cfg.seed,
                cfg.scatter_cm,
            )
        ]
        said = tuple(dict.fromkeys(task.instruction for task in build.suite(cfg).tasks))
        if cfg.broken:
            return confusion(policy, moments, said, cfg.seed)
        return {WHOLE: judge(ask_all(policy, moments, said, cfg.seed))}
    finally:
        policy.close()


def print_report(found: Sequence[Suspicion], name: str) -> None:
    """One line per fault, suspicions first."""
    order = list(COLOURS)
    table = Table(title=f"conventions of {name}", title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False)
    for head in ("fault", "found", "evidence"):
        table.add_column(head, overflow="fold")
    for one in sorted(found, key=lambda one: order.index(one.found)):
        table.add_row(one.fault, f"[{COLOURS[one.found]}]{one.found}[/]", one.evidence)
    Console().print(table)
