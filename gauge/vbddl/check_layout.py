"""Checks of problem, types, names and regions."""

from collections.abc import Iterable, Iterator

from gauge.errors import unknown
from gauge.vbddl.goal import Literal, Not, literals
from gauge.vbddl.names import Names
from gauge.vbddl.problems import Place, Problem
from gauge.vbddl.task import Task, Thing

START = Place(1, 1)


def error(place: Place | None, message: str) -> Problem:
    """An error at the place; at the file's first character for a task that was not read from a file."""
    return Problem(place or START, "error", message)


def warning(place: Place | None, message: str) -> Problem:
    """A warning at the place."""
    return Problem(place or START, "warning", message)


def layout(task: Task, names: Names) -> Iterator[Problem]:
    """Problems of everything that is declared."""
    if names.workspace is None:
        known = list(names.catalogue.problems)
        message = (
            str(unknown("problem", task.problem, known)) if task.problem else f"known problems: {', '.join(known)}"
        )
        yield error(task.places.get("problem"), message)
        return
    yield from _table(task, names)
    yield from _types(task, names)
    yield from _twice(task, names)
    yield from _regions(task, names)
    known = [*names.types, *names.regions]
    for name in task.obj_of_interest:
        if name not in known:
            yield warning(task.places.get(":obj_of_interest"), str(unknown("name", name, known)))


def _table(task: Task, names: Names) -> Iterator[Problem]:
    workspace = names.workspace
    assert workspace is not None
    tables = [thing for thing in task.fixtures if thing.type == workspace.type]
    if not tables:
        message = f"{task.problem} needs its table among the fixtures: {workspace.name} - {workspace.type}"
        yield error(task.places.get(":fixtures"), message)
    for table in tables:
        if table.name != workspace.name:
            message = f"the {workspace.type} of {task.problem} is called {workspace.name}, not {table.name}"
            yield error(table.place, message)


def _types(task: Task, names: Names) -> Iterator[Problem]:
    tables = {names.workspace.type} if names.workspace else set()
    for thing in (*task.fixtures, *task.objects):
        fixed = thing in task.fixtures
        if fixed and thing.type in tables:
            continue
        fault = _type_fault(thing, names, fixed, tables)
        if fault:
            yield error(thing.place, fault)


def _type_fault(thing: Thing, names: Names, fixed: bool, tables: set[str]) -> str:
    kind = names.catalogue.types.get(thing.type)
    if kind is None:
        return str(unknown("type", thing.type, sorted({*names.catalogue.types, *tables})))
    if kind.missing:
        return f"type {thing.type!r} has no model: {kind.missing} is not in the installed packages"
    if fixed and not kind.fixture:
        return f"a {thing.type} cannot be fixed; declare {thing.name} under :objects"
    if not fixed and not kind.movable:
        return f"a {thing.type} cannot move; declare {thing.name} under :fixtures"
    return ""


def _twice(task: Task, names: Names) -> Iterator[Problem]:
    """Names that are given twice, among objects, fixtures and regions together."""
    first: dict[str, Place | None] = {}
    declared: Iterable[tuple[str, Place | None]] = [
        *((thing.name, thing.place) for thing in (*task.fixtures, *task.objects)),
        *((region.full_name, region.place) for region in task.regions),
    ]
    for name, place in declared:
        if name in first:
            yield error(place, f"name {name!r} is declared twice (first at {first[name] or 'an earlier place'})")
        first.setdefault(name, place)


def _regions(task: Task, names: Names) -> Iterator[Problem]:
    """Regions that are not in the scene. LIBERO skips them in silence, so an unused one is only a warning."""
    used = {name for literal in _all_literals(task) for name in literal.arguments}
    for region in task.regions:
        fault = names.region_fault(region)
        if fault and (region.full_name in used or names.on_table(region)):
            yield error(region.place, fault)
        elif fault:
            yield warning(region.place, f"{fault} (nothing uses the region)")


def _all_literals(task: Task) -> Iterator[Literal]:
    for fact in task.init:
        yield from literals(fact.part if isinstance(fact, Not) else fact)
    yield from literals(task.goal)
