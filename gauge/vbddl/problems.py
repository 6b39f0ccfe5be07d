"""What is wrong with a task file and where, collected so that one run shows all of it."""

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from gauge.errors import GaugeError

Severity = Literal["error", "warning"]
MAX_PROBLEMS = 200


class Place(NamedTuple):
    """Where something stands in a task file; both count characters and lines from 1."""

    line: int
    column: int

    def __str__(self) -> str:
        """As editors write it: `line:column`."""
        return f"{self.line}:{self.column}"


@dataclass(frozen=True, slots=True, order=True)
class Problem:
    """One finding. An error means that the task cannot run as written; a warning, that it may mislead."""

    place: Place
    severity: Severity
    message: str


class TaskFileError(GaugeError):
    """A task file that cannot run; its text lists every problem as `file:line:column: severity: message`."""

    def __init__(self, name: str, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(shown(name, problem) for problem in self.problems))


def shown(name: str, problem: Problem) -> str:
    """The problem as one line that editors can jump to."""
    return f"{name}:{problem.place}: {problem.severity}: {problem.message}"


class TooManyProblemsError(Exception):
    """More problems than anyone would read; looking for more ends here."""


@dataclass(slots=True)
class Report:
    """The problems found so far in one text, which turns offsets into places; at most 200."""

    text: str
    problems: list[Problem] = field(default_factory=list)
    _starts: list[int] = field(default_factory=list)

    def place(self, offset: int) -> Place:
        """The place of a character offset."""
        if not self._starts:
            self._starts = [0]
            for index, char in enumerate(self.text):
                if char == "\n" or (char == "\r" and self.text[index + 1 : index + 2] != "\n"):
                    self._starts.append(index + 1)
        line = bisect_right(self._starts, offset)
        return Place(line, offset - self._starts[line - 1] + 1)

    def error(self, offset: int, message: str) -> None:
        """Add an error at a character offset."""
        self.add(Problem(self.place(offset), "error", message))

    def warn(self, offset: int, message: str) -> None:
        """Add a warning at a character offset."""
        self.add(Problem(self.place(offset), "warning", message))

    def add(self, problem: Problem) -> None:
        """Add a problem.

        Raises:
            TooManyProblemsError: there are 200 already.
        """
        if len(self.problems) >= MAX_PROBLEMS:
            note = f"there are more than {MAX_PROBLEMS} problems; the rest is not shown"
            self.problems.append(Problem(problem.place, "error", note))
            raise TooManyProblemsError
        self.problems.append(problem)
