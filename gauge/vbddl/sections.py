"""The sections of a task, each from its brackets to typed values; every fault is reported and skipped."""

import math
import re

from gauge.errors import unknown
from gauge.vbddl.problems import Report
from gauge.vbddl.reader import Atom, Group, Node
from gauge.vbddl.task import Rectangle, Region, Swap, Thing

NAME = re.compile(r"\w[\w.+-]*", re.ASCII)
NUMBER = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?", re.I)
MAX_NAME = 200
MAX_SHIFT_M = 0.3  # the arm reaches over 0.6 m or so
REGION_KEYS = (":target", ":ranges", ":yaw_rotation", ":rgba")


def name(report: Report, node: Node, what: str) -> str | None:
    """The node as a name in lower case; ASCII letters, digits, `_ . + -` only, so that no name is a path."""
    if not isinstance(node, Atom):
        report.error(node.at, f"{what} is one name, not a list in brackets")
    elif node.kind != "symbol" or len(node.text) > MAX_NAME or not NAME.fullmatch(node.text):
        report.error(
            node.at, f"{what} {node.text[:40]!r} is not a name: letters a to z, digits and _ . + - are allowed"
        )
    else:
        return node.name
    return None


def number(report: Report, node: Node, what: str) -> float | None:
    """The node as a finite number. Nothing is evaluated: `pi/2` and calls are refused."""
    text = node.text if isinstance(node, Atom) and node.kind == "symbol" else "(...)"
    if isinstance(node, Atom) and len(text) <= 40 and NUMBER.fullmatch(text) and math.isfinite(float(text)):
        return float(text)
    report.error(node.at, f"{what} is a number, not {text[:40]!r}; nothing is evaluated, write the value itself")
    return None


def numbers(report: Report, node: Node, count: int, what: str) -> tuple[float, ...] | None:
    """The node as a list of `count` numbers."""
    if not isinstance(node, Group) or len(node.parts) != count:
        report.error(node.at, f"{what} is a list of {count} numbers in brackets")
        return None
    values = [number(report, part, f"each value of {what}") for part in node.parts]
    found = tuple(value for value in values if value is not None)
    return found if len(found) == count else None


def one_name(report: Report, group: Group, what: str) -> str | None:
    """The single name after a keyword."""
    if len(group.parts) != 2:
        report.error(group.at, f"'({group.head}' takes one name, not {len(group.parts) - 1}")
        return None
    return name(report, group.parts[1], what)


def names(report: Report, group: Group) -> tuple[str, ...]:
    """All names after a keyword."""
    found = [name(report, part, f"each entry of '({group.head}'") for part in group.parts[1:]]
    return tuple(each for each in found if each is not None)


def sentence(group: Group) -> str:
    """The instruction, byte for byte."""
    last = group.parts[-1]
    return last.text if isinstance(last, Atom) and last.kind == "sentence" else ""


def things(report: Report, group: Group, kind: str) -> tuple[Thing, ...]:
    """The `name name - type` lists of `:objects` or `:fixtures`."""
    found: list[Thing] = []
    waiting: list[tuple[str, int]] = []
    seen: dict[str, int] = {}
    parts = iter(group.parts[1:])
    for part in parts:
        if not (isinstance(part, Atom) and part.text == "-"):
            text = name(report, part, f"each {kind}")
            if text is not None:
                waiting.append((text, part.at))
            continue
        following = next(parts, None)
        if following is None:
            report.error(part.at, "'-' is followed by a type")
            break
        sort = name(report, following, f"the type of a {kind}")
        if sort in seen:
            report.error(
                following.at,
                f"type {sort!r} has a second list (first at {report.place(seen[sort])}); LIBERO keeps only the last: "
                f"put all names of a type before one '- {sort}'",
            )
        if sort is not None:
            seen[sort] = following.at
            found += [Thing(text, sort, report.place(at)) for text, at in waiting]
        if not waiting:
            report.warn(following.at, f"type {sort!r} has no names before it")
        waiting = []
    for text, at in waiting:
        report.error(at, f"{kind} {text!r} has no type; write '{text} - TYPE'")
    return tuple(found)


def regions(report: Report, group: Group) -> tuple[Region, ...]:
    """The regions, each `(NAME (:target ...) (:ranges (...)) (:yaw_rotation (...)) (:rgba (...)))`."""
    found = [_region(report, part) for part in group.parts[1:]]
    return tuple(each for each in found if each is not None)


def shift(report: Report, group: Group) -> tuple[float, float]:
    """How far the layout as a whole may start to either side, `(:shift X Y)` in metres."""
    if len(group.parts) != 3:
        report.error(group.at, "'(:shift' takes two lengths, along x and along y in metres, as in (:shift 0.05 0.08)")
        return (0.0, 0.0)
    x, y = (number(report, part, "each length of '(:shift'") for part in group.parts[1:])
    if x is None or y is None:
        return (0.0, 0.0)
    if not (0.0 <= x <= MAX_SHIFT_M and 0.0 <= y <= MAX_SHIFT_M):
        report.error(group.at, f"each length of '(:shift' is from 0 to {MAX_SHIFT_M} m; it goes to either side")
    return (x, y)


def swap(report: Report, group: Group) -> Swap:
    """What exchanges its places, `(:swap (a b (c d)) ...)`: sets of names, or of groups of names in brackets."""
    found = []
    for part in group.parts[1:]:
        if not isinstance(part, Group) or not part.parts:
            report.error(part.at, "'(:swap' takes lists of what exchanges places, as in (:swap (bowl_1 plate_1))")
            continue
        found.append(tuple(_together(report, each) for each in part.parts))
    return tuple(groups for groups in found if all(groups))


def _together(report: Report, node: Node) -> tuple[str, ...]:
    """One name, or those in a pair of brackets; empty after a fault, which is reported."""
    parts = node.parts if isinstance(node, Group) else [node]
    if not parts:
        report.error(node.at, "a group of '(:swap' has at least one name")
    found = [name(report, part, "each entry of '(:swap'") for part in parts]
    return tuple(each for each in found if each is not None) if None not in found else ()


def _region(report: Report, node: Node) -> Region | None:
    if not isinstance(node, Group) or not node.parts:
        report.error(node.at, "a region is written (NAME (:target ...) ...)")
        return None
    title = name(report, node.parts[0], "the name of a region")
    target: str | None = None
    ranges: tuple[Rectangle, ...] = ()
    yaw = rgba = None
    seen: set[str] = set()
    for part in node.parts[1:]:
        key = part.head if isinstance(part, Group) else ""
        if not isinstance(part, Group) or key not in REGION_KEYS:
            text = key or (part.text[:40] if isinstance(part, Atom) else "(")
            report.error(part.at, str(unknown("attribute of a region", text, list(REGION_KEYS))))
            continue
        if key in seen:
            report.error(part.at, f"'({key}' is given twice in region {title!r}")
        seen.add(key)
        if key == ":target":
            target = one_name(report, part, "the target of a region")
        elif key == ":ranges":
            ranges = _rectangles(report, part)
        elif key == ":yaw_rotation":
            yaw = _yaw(report, part)
        else:
            rgba = numbers(report, part.parts[1] if len(part.parts) == 2 else part, 4, "':rgba'")
    if ":target" not in seen:
        report.error(
            node.at, f"region {title!r} has no (:target ...): say which table, fixture or object it is part of"
        )
    if title is None or target is None:
        return None
    return Region(title, target, ranges, yaw, _four(rgba), report.place(node.at))


def _four(values: tuple[float, ...] | None) -> Rectangle | None:
    return None if values is None else (values[0], values[1], values[2], values[3])


def _inner(report: Report, group: Group) -> list[Node]:
    """The lists inside `(:key ( (...) (...) ))`."""
    inside = group.parts[1] if len(group.parts) == 2 else None
    if isinstance(inside, Group) and inside.parts:
        return inside.parts
    report.error(group.at, f"'({group.head}' takes one list of lists, as in ({group.head} ((...)))")
    return []


def _rectangles(report: Report, group: Group) -> tuple[Rectangle, ...]:
    found = []
    for part in _inner(report, group):
        values = _four(numbers(report, part, 4, "a range (x_min y_min x_max y_max)"))
        if values is None:
            continue
        if values[0] > values[2] or values[1] > values[3]:
            report.error(part.at, "a range is (x_min y_min x_max y_max); its minimum is above its maximum")
        found.append(values)
    return tuple(found)


def _yaw(report: Report, group: Group) -> tuple[float, float] | None:
    parts = _inner(report, group)
    if len(parts) > 1:
        report.error(parts[1].at, "':yaw_rotation' has one range (lowest highest), in radians")
    values = numbers(report, parts[0], 2, "':yaw_rotation' (lowest highest, rad)") if parts else None
    return None if values is None else (values[0], values[1])
