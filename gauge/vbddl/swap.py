"""What exchanges its place from start to start (`:swap`): who has a place on the table, and where an order puts it."""

from collections.abc import Sequence

from gauge.vbddl.catalogue import libero
from gauge.vbddl.goal import Literal
from gauge.vbddl.task import Region, Swap, Task

Point = tuple[float, float]


def regions(task: Task) -> dict[str, Region]:
    """The region of the table by the name of each thing that starts in it, and by its own full name."""
    table = libero().problems[task.problem].name
    found = {region.full_name: region for region in task.regions if region.target == table}
    facts = [fact for fact in task.init if isinstance(fact, Literal) and fact.predicate == "On"]
    return found | {fact.arguments[0]: found[fact.arguments[1]] for fact in facts if fact.arguments[1] in found}


def middle(region: Region) -> Point:
    """Middle of the region's one rectangle, m in the table's frame."""
    low_x, low_y, high_x, high_y = region.ranges[0]
    return (low_x + high_x) / 2, (low_y + high_y) / 2


def turn(start: Region, taken: Region) -> float:
    """By how much (rad) a fixture that starts in one region is turned where it takes the place of another.

    A place that says nothing of it leaves the fixture as it stands.
    """
    return 0.0 if taken.yaw is None else (sum(taken.yaw) - sum(start.yaw or (0.0, 0.0))) / 2


def exchanged(swap: Swap, orders: Sequence[Sequence[int]]) -> dict[str, str]:
    """Whose place each named thing or region takes; its own is one of them.

    Of each set, group i takes the places of group `order[i]`: its first name that of the first, and so on.
    """
    return {
        name: there
        for groups, order in zip(swap, orders, strict=True)
        for group, chosen in zip(groups, order, strict=True)
        for name, there in zip(group, groups[chosen], strict=True)
    }


def alternatives(swap: Swap, name: str) -> tuple[str, ...]:
    """The names whose places the named thing or region may take, its own among them."""
    for groups in swap:
        for group in groups:
            if name in group:
                return tuple(other[group.index(name)] for other in groups)
    return (name,)
