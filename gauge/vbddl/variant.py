"""The `:variant` block: the perturbation items of a task, there and back."""

import math
import re
from typing import get_args

from gauge.core.items import Combination, Item, Mode, Value
from gauge.errors import GaugeError, unknown
from gauge.vbddl.problems import Report
from gauge.vbddl.reader import Atom, Group, Node
from gauge.vbddl.sections import NUMBER, name

KEYS = (":category", ":factor", ":attribute", ":value", ":values", ":mode")
MAX_VALUES = 1000


def items(report: Report, group: Group) -> tuple[Item, ...]:
    """The items of the block in canonical order."""
    found = [_item(report, part) for part in group.parts[1:]]
    whole = [item for item in found if item is not None]
    try:
        return Combination.of(whole).items
    except GaugeError as fault:
        report.error(group.at, str(fault))
        return ()


def _item(report: Report, node: Node) -> Item | None:
    if not isinstance(node, Group) or node.head != ":item":
        report.error(node.at, "':variant' holds items, written (:item (:category ...) (:factor ...) ...)")
        return None
    before = len(report.problems)
    fields: dict[str, Group] = {}
    for part in node.parts[1:]:
        key = part.head if isinstance(part, Group) else ""
        if not isinstance(part, Group) or key not in KEYS:
            text = key or (part.text[:40] if isinstance(part, Atom) else "(")
            report.error(part.at, str(unknown("attribute of an item", text, list(KEYS))))
        elif key in fields:
            report.error(part.at, f"'({key}' is given twice in one item")
        else:
            fields[key] = part
    labels = [_label(report, node, fields, key) for key in KEYS[:3]]
    mode = _mode(report, fields.get(":mode"))
    values = _values(report, node, fields)
    if len(report.problems) > before or mode is None:
        return None
    try:
        return Item(labels[0], labels[1], labels[2], values, mode)
    except GaugeError as fault:
        report.error(node.at, str(fault))
        return None


def _label(report: Report, node: Group, fields: dict[str, Group], key: str) -> str:
    field = fields.get(key)
    if field is None or len(field.parts) != 2:
        report.error(field.at if field else node.at, f"an item has one name in ({key} ...)")
        return ""
    label = field.parts[1]
    name(report, label, f"({key} ...)")
    return label.text if isinstance(label, Atom) else ""


def _mode(report: Report, field: Group | None) -> Mode | None:
    modes = get_args(Mode)
    if field is None:
        return "static"
    word = field.parts[1] if len(field.parts) == 2 else field
    for mode in modes:
        if isinstance(word, Atom) and word.name == mode:
            return mode  # type: ignore[no-any-return]
    report.error(word.at, f"(:mode ...) is {' or '.join(modes)}")
    return None


def _values(report: Report, node: Group, fields: dict[str, Group]) -> tuple[Value, ...]:
    given = [fields[key] for key in (":value", ":values") if key in fields]
    if len(given) != 1 or len(given[0].parts) < 2:
        report.error(node.at, "an item has either (:value V) or (:values V V ...)")
        return ()
    parts = given[0].parts[1:]
    if len(parts) > (1 if given[0].head == ":value" else MAX_VALUES):
        report.error(given[0].at, f"(:value V) takes one value, (:values ...) at most {MAX_VALUES}")
        return ()
    found = [_value(report, part) for part in parts]
    return tuple(value for value in found if value is not None)


def _value(report: Report, node: Node) -> Value | None:
    """A number (an integer stays one), a quoted text or a plain word."""
    if not isinstance(node, Atom):
        report.error(node.at, "a value is a number, a word or a text in quotes, not a list")
        return None
    if node.kind == "string":
        return re.sub(r"\\(.)", r"\1", node.text[1:-1], flags=re.S)
    if not NUMBER.fullmatch(node.text):
        return name(report, node, "a value") and node.text
    value = float(node.text) if len(node.text) <= 40 else math.inf
    if not math.isfinite(value):
        report.error(node.at, f"{node.text[:40]!r} is not a finite number")
        return None
    return int(node.text) if re.fullmatch(r"[-+]?\d+", node.text) else value
