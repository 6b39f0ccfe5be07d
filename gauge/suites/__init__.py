"""Suites: named lists of scenarios. Reading one needs no simulator."""

from functools import cache

from gauge.errors import unknown
from gauge.suites.anchors import NAME as ANCHORS
from gauge.suites.anchors import anchors
from gauge.suites.libero import SUITES, Suite, Task
from gauge.suites.libero import load as _load_libero

__all__ = ["SUITES", "Suite", "Task", "load", "main"]


@cache
def load(name: str) -> Suite:
    """The suite of that name: one of LIBERO's own, or the anchors.

    Raises:
        GaugeError: there is no such suite.
    """
    if name not in (*SUITES, ANCHORS):
        raise unknown("suite", name, [*SUITES, ANCHORS])
    return anchors() if name == ANCHORS else _load_libero(name)


def main() -> None:
    """`python -m gauge.suites`."""
    from gauge.suites import command

    command.main()
