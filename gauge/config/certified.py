"""What `value=range` asks of the certificates: which tasks a value is left out of, and which it has none for."""

import logging
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from omegaconf import DictConfig, OmegaConf

from gauge.errors import NotApplicableError
from gauge.perturbations import certificate
from gauge.perturbations.base import Bound
from gauge.perturbations.certificate import Certificate, Key
from gauge.suites import Task

log = logging.getLogger(__name__)
TABLE = "certificates.csv"  # in the folder of the outputs, where `python -m gauge.validate` puts it
Standings = Counter[str]


def asked(cfg: DictConfig) -> bool:
    """Whether the value comes from a range, so that its certificates decide where it is used."""
    in_scenes = cfg.suite.kind == "libero"  # a synthetic suite has no scenes that could be certified
    return in_scenes and cfg.value.kind == "point" and bool(cfg.value.certified) and cfg.perturbation.kind != "none"


def known(cfg: DictConfig) -> Mapping[Key, Certificate]:
    """The certificates of the package and those made here, which replace them.

    Raises:
        GaugeError: a table cannot be read.
    """
    outputs = OmegaConf.select(cfg, "outputs")
    here = Path(outputs) / TABLE if outputs else None
    return {**_read(certificate.packaged(), 0), **({} if here is None else _read(here, _changed(here)))}


@cache
def _read(path: Path, changed: int) -> Mapping[Key, Certificate]:
    """A table, read once until it changes."""
    return certificate.read(path)


def _changed(path: Path) -> int:
    return path.stat().st_mtime_ns if path.is_file() else 0


def kept(cfg: DictConfig, tasks: Sequence[Task], bound: Bound) -> tuple[Task, ...]:
    """The tasks in which the value's certificate does not drop it; the others are named in the log with the reason.

    Tasks without a valid certificate are kept: what nobody judged is not dropped, but `count` says so.

    Raises:
        NotApplicableError: there is none.
    """
    found, value = known(cfg), bound.item.values[0]
    dropped = {}
    for task in tasks:
        verdict, reason = certificate.standing(found, bound.perturbation, value, task)
        if verdict == "dropped":
            dropped[task] = reason
    if len(dropped) == len(tasks):
        raise NotApplicableError(f"{bound.item.label} is dropped by its certificate: {next(iter(dropped.values()))}")
    for task, reason in dropped.items():
        log.warning("%s is left out: %s is dropped by its certificate: %s", task.id, bound.item.label, reason)
    return tuple(task for task in tasks if task not in dropped)


def count(cfg: DictConfig, tasks: Sequence[Task], bound: Bound) -> Standings:
    """How the value stands in each of the tasks: kept, dropped, open, none or stale."""
    found, value = known(cfg), bound.item.values[0]
    return Counter(certificate.standing(found, bound.perturbation, value, task)[0] for task in tasks)


def sentence(attribute: str, suite: str, standings: Standings) -> str:
    """What is used without a certificate and how to get one; empty if all is certified."""
    reasons = {"none": "none", "stale": "a stale one", "open": "an open one"}
    without = {name: standings[name] for name in reasons if standings[name]}
    if not without:
        return ""
    listed = ", ".join(f"{number} have {reasons[name]}" for name, number in without.items())
    return (
        f"{attribute}: used uncertified in {sum(without.values())} of {standings.total()} pairs of value and task "
        f"({listed}); python -m gauge.validate perturbation={attribute} suite={suite} certifies them"
    )
