"""Task files on disk: read with every problem located, written byte for byte."""

from pathlib import Path

from gauge.errors import GaugeError
from gauge.vbddl.parser import examine
from gauge.vbddl.printer import dumps
from gauge.vbddl.problems import Place, Problem, TaskFileError
from gauge.vbddl.reader import MAX_CHARACTERS
from gauge.vbddl.task import Task

MAX_BYTES = 4 * MAX_CHARACTERS


def examine_file(path: Path) -> tuple[Task | None, tuple[Problem, ...]]:
    """The task in a UTF-8 file with every problem found; a file that cannot be read is one problem."""
    try:
        if not path.is_file():
            return None, (_whole("is not a file" if path.exists() else "there is no such file"),)
        with path.open("rb") as stream:
            raw = stream.read(MAX_BYTES + 1)
    except OSError as fault:
        return None, (_whole(f"the file cannot be read: {fault.strerror}"),)
    if len(raw) > MAX_BYTES:
        return None, (
            _whole(f"the file has more than {MAX_BYTES} bytes; a task has at most {MAX_CHARACTERS} characters"),
        )
    try:
        return examine(raw.decode("utf-8"))
    except UnicodeDecodeError as fault:
        before = raw[: fault.start].decode("utf-8", errors="replace")
        line = before.count("\n") + 1
        column = len(before) - (before.rfind("\n") + 1) + 1
        message = f"byte 0x{raw[fault.start]:02x} is not UTF-8; save the file as UTF-8"
        return None, (Problem(Place(line, column), "error", message),)


def load(path: Path) -> Task:
    """The task in a file, which can be built and judged.

    Raises:
        TaskFileError: it cannot; the error lists every problem with file, line and column.
    """
    task, found = examine_file(path)
    faults = [problem for problem in found if problem.severity == "error"]
    if task is None or faults:
        raise TaskFileError(str(path), faults)
    return task


def save(task: Task, path: Path) -> None:
    """Write the task so that `load` gives it back.

    Raises:
        GaugeError: it cannot be written down, or the file cannot be written.
    """
    try:
        path.write_bytes(dumps(task).encode("utf-8"))
    except OSError as fault:
        raise GaugeError(f"{path} cannot be written: {fault.strerror}") from fault


def _whole(message: str) -> Problem:
    return Problem(Place(1, 1), "error", message)
