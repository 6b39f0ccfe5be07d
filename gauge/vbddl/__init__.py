"""V-BDDL, the task language: plain BDDL plus one optional `:variant` block (docs/v-bddl.md)."""

from gauge.vbddl.check import check
from gauge.vbddl.files import examine_file, load, save
from gauge.vbddl.goal import And, Exists, ForAll, Goal, Literal, Not, Or
from gauge.vbddl.held import Held
from gauge.vbddl.parser import examine, parse
from gauge.vbddl.printer import dumps
from gauge.vbddl.problems import Place, Problem, TaskFileError
from gauge.vbddl.task import Region, Task, Thing

__all__ = [
    "And",
    "Exists",
    "ForAll",
    "Goal",
    "Held",
    "Literal",
    "Not",
    "Or",
    "Place",
    "Problem",
    "Region",
    "Task",
    "TaskFileError",
    "Thing",
    "check",
    "dumps",
    "examine",
    "examine_file",
    "load",
    "parse",
    "save",
]
