"""`suite=anchors`: six of LIBERO's tasks in scenes of six kinds, in which every perturbation value is certified."""

from dataclasses import replace

from gauge.suites.libero import Suite
from gauge.suites.libero import load as load_libero

NAME = "anchors"
# A table with two equal bowls, a floor, a table with fixtures, a kitchen, a living room, a study.
MEMBERS = (
    ("libero_spatial", 0),
    ("libero_object", 0),
    ("libero_goal", 8),
    ("libero_90", 14),
    ("libero_90", 67),
    ("libero_10", 5),
)


def anchors() -> Suite:
    """The six tasks; each keeps the id that it has in its own suite, and is numbered anew."""
    tasks = [load_libero(suite).tasks[index] for suite, index in MEMBERS]
    return Suite(NAME, tuple(replace(task, index=number) for number, task in enumerate(tasks)))
