"""Suites: named lists of scenarios. Reading one needs no simulator."""

from gauge.suites.libero import SUITES, Suite, Task, load

__all__ = ["SUITES", "Suite", "Task", "load"]
