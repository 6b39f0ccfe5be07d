"""Checks of `:swap`: every name has one place of its own on the table, and is named once."""

from collections import Counter
from collections.abc import Iterator

from gauge.errors import unknown
from gauge.vbddl.check_layout import error
from gauge.vbddl.goal import Literal
from gauge.vbddl.names import Names
from gauge.vbddl.problems import Problem
from gauge.vbddl.task import Task


def swap(task: Task, names: Names) -> Iterator[Problem]:
    """Problems of what exchanges its place."""
    place = task.places.get(":swap")
    for groups in task.swap:
        if len(groups) < 2:
            yield error(place, f"only ({' '.join(groups[0])}) is in a list of '(:swap'; at least two change places")
        elif len({len(group) for group in groups}) > 1:
            sizes = ", ".join(f"({' '.join(group)})" for group in groups)
            yield error(place, f"groups that exchange places have as many names each; these have not: {sizes}")
    named = Counter(name for groups in task.swap for group in groups for name in group)
    for name, times in named.items():
        if times > 1:
            yield error(place, f"{name!r} is {times} times in '(:swap'; it can go to one place only")
        elif fault := _fault(task, names, name):
            yield error(place, fault)


def _fault(task: Task, names: Names, name: str) -> str:
    """Why the name has no place on the table to give to another one; empty if it has."""
    if name == names.table:
        return f"{name!r} is the table itself; only what starts on it, and its regions, exchange places"
    places = {one.arguments[0]: one for one in task.init if isinstance(one, Literal) and one.predicate in ("On", "In")}
    start = places.get(name)
    if name in names.types and start is None:
        return ""  # that it is placed nowhere is said already
    region = names.regions.get(name if start is None else start.arguments[1])
    if start is None and region is None:
        return str(unknown("name in '(:swap'", name, [*names.types, *names.regions]))
    if region is None or not names.on_table(region):
        where = f"starts as {start}" if start else "is part of a model"
        return f"{name!r} {where}; only what has a region of {names.table} exchanges places"
    if len(region.ranges) > 1:
        return f"region {region.full_name!r} has {len(region.ranges)} ranges; what exchanges places has one"
    others = [one.arguments[0] for one in places.values() if one.arguments[1] == region.full_name]
    if others[1:]:
        return f"{', '.join(others)} start in the same region; what exchanges places has one of its own"
    return ""
