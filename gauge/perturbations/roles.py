"""Which object a task is about and what it is put on or into, read from the task file's goal."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from gauge import vbddl
from gauge.vbddl.catalogue import libero
from gauge.vbddl.goal import literals


@dataclass(frozen=True, slots=True)
class Roles:
    """The two objects that perturbations name, and what is said about them.

    Attributes:
        target: first argument of the goal's first predicate; a region stands for the thing it is part of.
        placed: second argument; empty where there is none or it is a place on the table.
        movable: whether the target is free to move.
        types: type of every object and fixture.
        problem: LIBERO's problem class, which fixes table, floor and walls.
    """

    target: str
    placed: str
    movable: bool
    types: dict[str, str]
    problem: str

    def name(self, role: str) -> str:
        """The object of a role, `target` or `placed`; empty if the task has none."""
        return self.target if role == "target" else self.placed


@cache
def roles(path: Path) -> Roles:
    """The roles in the task file at `path`.

    Raises:
        TaskFileError: it is not a task file.
    """
    task = vbddl.load(path)
    goal = next(literals(task.goal))
    owner = {region.full_name: region.target for region in task.regions}
    table = libero().problems[task.problem].name
    names = [owner.get(name, name) for name in goal.arguments]
    target, placed = [*names, ""][:2]
    types = dict(task.types)
    return Roles(
        target, "" if placed == table else placed, target in {o.name for o in task.objects}, types, task.problem
    )
