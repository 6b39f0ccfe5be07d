"""From the text of a file to a checked task."""

from collections.abc import Callable
from functools import partial
from typing import TypeVar

from gauge.errors import unknown
from gauge.vbddl import formulas, sections, variant
from gauge.vbddl.check import DOMAIN, problems_of
from gauge.vbddl.goal import And
from gauge.vbddl.lexer import SECTIONS
from gauge.vbddl.names import Names
from gauge.vbddl.pool import catalogue_for
from gauge.vbddl.problems import Problem, Report, TaskFileError, TooManyProblemsError
from gauge.vbddl.reader import Atom, Group, read
from gauge.vbddl.task import Task

T = TypeVar("T")
NEEDED = ("problem", ":domain", ":objects", ":init", ":goal")
REFUSED_SECTIONS = {
    ":scene_properties": "LIBERO's own reader fails on it; choose floor and walls by an item of :variant",
    ":constraints": "no constraint is evaluated",
    ":metric": "no metric is evaluated",
}


def examine(text: str) -> tuple[Task | None, tuple[Problem, ...]]:
    """The task in `text` with every problem found; no task where its structure cannot be read."""
    report = Report(text.removeprefix("\ufeff"))
    task: Task | None = None
    try:
        found = _sections(report)
        if found is not None:
            whole, readable_goal = _task(report, found)
            names = Names(whole, catalogue_for(whole.types.values()))
            for problem in problems_of(whole, names, readable_goal):
                report.add(problem)
            task = whole if readable_goal else None
    except TooManyProblemsError:
        task = None
    return task, tuple(sorted(set(report.problems)))


def parse(text: str, name: str = "<text>") -> Task:
    """The task in `text`, which can be built and judged. A byte order mark in front is dropped.

    Raises:
        TaskFileError: it cannot; the error lists every problem with line and column.
    """
    task, found = examine(text)
    if task is None or any(problem.severity == "error" for problem in found):
        raise TaskFileError(name, [problem for problem in found if problem.severity == "error"])
    return task


def _sections(report: Report) -> dict[str, Group] | None:
    """The sections by their first word, none of the needed ones missing; None if the text is not a task."""
    root = read(report)
    if root is None:
        return None
    if root.head != "define":
        report.error(root.at, f"a task starts with '(define', not with '({root.head}'")
        return None
    found: dict[str, Group] = {}
    for part in root.parts[1:]:
        if not isinstance(part, Group):
            report.error(part.at, f"{part.text[:40]!r} stands outside any section")
        elif part.head == "domain":
            report.error(part.at, "this file defines a domain, not a task")
            return None
        elif part.head in found:
            first = report.place(found[part.head].at)
            report.error(part.at, f"section '({part.head}' is given twice (first at {first})")
        elif part.head in SECTIONS:
            found[part.head] = part
        else:
            _unknown_section(report, part)
    for head in NEEDED:
        if head not in found:
            report.error(root.at, f"the task has no ({head} ...)")
    return found


def _unknown_section(report: Report, part: Group) -> None:
    if part.head in REFUSED_SECTIONS:
        report.error(part.at, f"section '({part.head}' is refused: {REFUSED_SECTIONS[part.head]}")
        return
    first = part.parts[0] if part.parts else None
    shown = first.text[:40] if isinstance(first, Atom) else "("
    report.error(part.at, str(unknown("section", shown, list(SECTIONS))))


def _task(report: Report, found: dict[str, Group]) -> tuple[Task, bool]:
    """The task and whether its goal could be read; what could not be read is left out, and reported."""

    def section(head: str, read_it: Callable[[Report, Group], T], absent: T) -> T:
        return read_it(report, found[head]) if head in found else absent

    goal = section(":goal", formulas.goal, None)
    task = Task(
        problem=section("problem", partial(sections.one_name, what="the problem"), None) or "",
        domain=section(":domain", partial(sections.one_name, what="the domain"), None) or DOMAIN,
        instruction=sections.sentence(found[":language"]) if ":language" in found else "",
        regions=section(":regions", sections.regions, ()),
        fixtures=section(":fixtures", partial(sections.things, kind="fixture"), ()),
        objects=section(":objects", partial(sections.things, kind="object"), ()),
        init=section(":init", formulas.facts, ()),
        goal=goal or And(()),
        obj_of_interest=section(":obj_of_interest", sections.names, ()),
        items=section(":variant", variant.items, ()),
        shift=section(":shift", sections.shift, (0.0, 0.0)),
        swap=section(":swap", sections.swap, ()),
        places={head: report.place(group.at) for head, group in found.items()},
    )
    return task, goal is not None
