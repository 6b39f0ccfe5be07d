"""Whether the gripper can hold what goals move, by what the pool knows of each thing."""

import math
from collections.abc import Iterator

from gauge.objects.entry import MAX_TARGET_MASS_G, MAX_TARGET_WIDTH_MM, MIN_TARGET_HEIGHT_MM, Entry
from gauge.objects.pool import builtin
from gauge.suites.rules import Group
from gauge.vbddl.pool import pool_ids


def entry(name: str) -> Entry:
    """What the pool knows of a thing of the rules."""
    kind = name.partition(".")[0]
    return builtin()[pool_ids().get(kind, f"libero/{kind}")]


def width(name: str) -> float:
    """Distance of the fingers where the pool's own check holds the thing, m; NaN where that did not hold it."""
    grasp = entry(name).grasp
    return math.nan if grasp is None else grasp.width_m


def faults(group: Group) -> Iterator[str]:
    """Things to be put somewhere that are too wide where they are held, too flat or too heavy.

    A few of LIBERO's are held by the expert, though not by the pool's check; their width is unknown.
    """
    moved = {words[1] for member in group.members for words in member.goal if words[0] in ("On", "In")}
    for name in sorted(moved & set(group.objects)):
        found = entry(name)
        wide = 1000 * width(name)
        if wide > MAX_TARGET_WIDTH_MM:
            yield f"{group.layout}: {name} is {wide:.0f} mm wide; {MAX_TARGET_WIDTH_MM:.0f} are the most"
        if found.size_mm[2] < MIN_TARGET_HEIGHT_MM:
            yield f"{group.layout}: {name} is {found.size_mm[2]:.0f} mm high; {MIN_TARGET_HEIGHT_MM:.0f} are the least"
        if found.mass_g > MAX_TARGET_MASS_G:
            yield f"{group.layout}: {name} has {found.mass_g:.0f} g; {MAX_TARGET_MASS_G:.0f} are the most"
