"""From a task to text that parses to the same task."""

import math

from gauge.core.items import Item
from gauge.errors import GaugeError
from gauge.vbddl.goal import And, Exists, ForAll, Goal, Literal, Not, Or
from gauge.vbddl.lexer import BLANKS, escape
from gauge.vbddl.predicates import CONNECTIVES, UNSUPPORTED, canonical
from gauge.vbddl.sections import MAX_NAME, NAME
from gauge.vbddl.task import Region, Task, Thing


def dumps(task: Task) -> str:
    """The task as V-BDDL text.

    Raises:
        GaugeError: a name, number or the instruction cannot be written down.
    """
    if task.instruction != task.instruction.strip(BLANKS):
        raise GaugeError("the instruction starts or ends with blanks, which a task file cannot keep; strip it")
    if any("\ud800" <= char <= "\udfff" for char in task.instruction):
        raise GaugeError("the instruction holds half a character (a lone surrogate), which UTF-8 cannot write")
    lines = [
        f"(define (problem {_name(task.problem)})",
        f"  (:domain {_name(task.domain)})",
        f"  (:language {escape(task.instruction)})",
        *_block(":regions", [_region(region) for region in task.regions]),
        *([f"  (:shift {' '.join(map(_number, task.shift))})"] if any(task.shift) else []),
        *([f"  (:swap {' '.join(map(_set, task.swap))})"] if task.swap else []),
        *_block(":fixtures", _things(task.fixtures)),
        *_block(":objects", _things(task.objects)),
        *_block(":obj_of_interest", [_name(name) for name in task.obj_of_interest]),
        *_block(":init", [_goal(fact) for fact in task.init]),
        *_block(":goal", [_goal(task.goal)]),
        *(_block(":variant", [_item(item) for item in task.items]) if task.items else []),
        ")",
    ]
    return "\n".join(lines) + "\n"


def _block(head: str, lines: list[str]) -> list[str]:
    return [f"  ({head}", *(f"    {line}" for line in lines), "  )"]


def _name(text: str) -> str:
    if len(text) > MAX_NAME or not NAME.fullmatch(text) or text != text.lower():
        raise GaugeError(f"{text[:40]!r} cannot be a name; lower-case letters a to z, digits and _ . + - are allowed")
    return text


def _number(value: float) -> str:
    if not math.isfinite(value):
        raise GaugeError(f"{value} cannot be written in a task file; numbers are finite")
    return repr(float(value))


def _things(things: tuple[Thing, ...]) -> list[str]:
    """One line a type, in the order in which types first appear."""
    by_type: dict[str, list[str]] = {}
    for thing in things:
        by_type.setdefault(_name(thing.type), []).append(_name(thing.name))
    return [f"{' '.join(names)} - {kind}" for kind, names in by_type.items()]


def _region(region: Region) -> str:
    parts = [f"({_name(region.name)}", f"(:target {_name(region.target)})"]
    if region.ranges:
        parts.append(f"(:ranges ({' '.join(_list(each) for each in region.ranges)}))")
    if region.yaw is not None:
        parts.append(f"(:yaw_rotation ({_list(region.yaw)}))")
    if region.rgba is not None:
        parts.append(f"(:rgba {_list(region.rgba)})")
    return " ".join(parts) + ")"


def _set(groups: tuple[tuple[str, ...], ...]) -> str:
    """What exchanges places; a group of one name needs no brackets."""
    words = [" ".join(map(_name, group)) for group in groups]
    return f"({' '.join(f'({word})' if ' ' in word else word for word in words)})"


def _list(values: tuple[float, ...]) -> str:
    return f"({' '.join(map(_number, values))})"


def _goal(goal: Goal, bound: tuple[str, ...] = ()) -> str:
    match goal:
        case Literal(predicate, arguments):
            words = [_predicate(predicate), *(_argument(name, bound) for name in arguments)]
            return f"({' '.join(words)})"
        case And(parts) | Or(parts):
            if not parts:
                raise GaugeError("an empty And or Or cannot be written; it says nothing")
            word = "And" if isinstance(goal, And) else "Or"
            return f"({word} {' '.join(_goal(part, bound) for part in parts)})"
        case Not(part):
            return f"(Not {_goal(part, bound)})"
        case ForAll(variable, kind, body) | Exists(variable, kind, body):
            word = "Forall" if isinstance(goal, ForAll) else "Exists"
            _name(variable.removeprefix("?"))
            return f"({word} ({variable} - {_name(kind)}) {_goal(body, (*bound, variable))})"


def _predicate(word: str) -> str:
    if canonical(_name(word.lower())) != word or word in (*CONNECTIVES, *UNSUPPORTED):
        raise GaugeError(f"{word!r} is not how a predicate is written; write {canonical(word.lower())!r}")
    return word


def _argument(text: str, bound: tuple[str, ...]) -> str:
    if text.startswith("?") and text not in bound:
        raise GaugeError(f"variable {text} is bound by no Forall or Exists")
    return text if text in bound else _name(text)


def _item(item: Item) -> str:
    for label in (item.category, item.factor, item.attribute):
        if len(label) > MAX_NAME or not NAME.fullmatch(label):
            raise GaugeError(f"{label[:40]!r} cannot name an item's category, factor or attribute")
    for value in item.values:
        if not isinstance(value, str):
            _number(value)
    return str(item)
