"""Writing results: a folder per cell, a file per writing process, a line per episode."""

import errno
import json
import os
import secrets
import shutil
import socket
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self

from gauge.core.cell import Cell
from gauge.core.record import EpisodeRecord
from gauge.errors import GaugeError, IncompleteError

CELL_FILE = "cell.json"
EPISODE_FILES = "episodes-*.jsonl"
FULL = (errno.ENOSPC, errno.EDQUOT)


class RecordWriter:
    """Appends records to a file of its own in a cell's folder. One process, one thread, one writer.

    The file is opened at the first write. What is written goes out in one system call and is then synced, so a
    killed process loses no written episode; a line that was cut short is never continued.
    """

    def __init__(self, cell_dir: Path) -> None:
        self.cell_dir = cell_dir
        self._fd: int | None = None

    def write(self, record: EpisodeRecord) -> None:
        """Store one record; when this returns it is on the disk.

        Raises:
            IncompleteError: the disk is full or the folder cannot be written; nothing before is lost.
        """
        self._append(record.to_line().encode())

    def write_all(self, records: Iterable[EpisodeRecord]) -> None:
        """Store several records with one sync, for episodes that take less time than a sync does.

        When this returns they are all on the disk. A process killed meanwhile leaves whole lines and at most one that
        was cut short, so that some of these episodes, and none before, are to be run again.

        Raises:
            IncompleteError: the disk is full or the folder cannot be written; nothing before is lost.
        """
        lines = "".join([record.to_line() for record in records]).encode()
        if lines:
            self._append(lines)

    def _append(self, lines: bytes) -> None:
        try:
            if self._fd is None:
                self._fd = _create(self.cell_dir)
            if os.write(self._fd, lines) != len(lines):
                raise OSError(errno.ENOSPC, "short write")
            os.fsync(self._fd)
        except OSError as error:
            self.close()
            raise disk_fault(self.cell_dir, error) from error

    def close(self) -> None:
        """Let go of the file; a later write starts a new one."""
        fd, self._fd = self._fd, None
        if fd is not None:
            with suppress(OSError):  # every line was synced, so a late complaint is about nothing new
                os.close(fd)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def open_cell(cell_dir: Path, cell: Cell) -> None:
    """Make the cell's folder and describe the cell in it; any number of processes may do so at once.

    Raises:
        GaugeError: the folder already belongs to another cell, or its description is damaged.
        IncompleteError: the folder cannot be written.
    """
    path = cell_dir / CELL_FILE
    wanted = json.loads(json.dumps({"id": cell.id, **cell.to_json()}))
    try:
        cell_dir.mkdir(parents=True, exist_ok=True)
        if not path.exists():
            replace(path, json.dumps(wanted, indent=2, ensure_ascii=False, allow_nan=False) + "\n")
    except OSError as error:
        raise disk_fault(cell_dir, error) from error
    found = read_cell(cell_dir)
    if found != wanted:
        differing = ", ".join(k for k in sorted({*found, *wanted}) if k != "id" and found.get(k) != wanted.get(k))
        raise GaugeError(
            f"{path} describes another cell (different {differing or 'id'}); "
            "use another study= name, or move that folder away"
        )


def read_cell(cell_dir: Path) -> dict[str, object]:
    """The content of a cell folder's `cell.json`: the cell's JSON and its id.

    Raises:
        GaugeError: it is missing or damaged.
    """
    path = cell_dir / CELL_FILE
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise GaugeError(f"{cell_dir} holds no {CELL_FILE}, so it is no cell's folder; give the study's") from error
    except (OSError, ValueError) as error:
        raise GaugeError(f"{path} cannot be read ({error}); move it away and run the same command again") from error
    if not isinstance(data, dict) or not isinstance(data.get("id"), str):
        raise GaugeError(f"{path} does not describe a cell; move it away and run the same command again")
    return data


def disk_fault(folder: Path, error: OSError) -> IncompleteError:
    """The one sentence for an episode that could not be stored."""
    safe = "all episodes stored before are safe and the same command continues after them"
    if error.errno not in FULL:
        return IncompleteError(f"cannot write to {folder} ({error.strerror or error}); {safe}")
    above = folder.resolve().parents
    mount = next(p for p in (folder.resolve(), *above) if p.is_mount() or p == Path(p.anchor))
    usage = shutil.disk_usage(mount)
    quota = ", or your quota or its file count is used up," if usage.free > 2**20 else ""
    return IncompleteError(
        f"the disk mounted at {mount}, which holds {folder}, is full{quota}: {usage.free / 2**20:.1f} MiB of "
        f"{usage.total / 2**20:.1f} MiB are free; make room; {safe}"
    )


def _create(cell_dir: Path) -> int:
    """A new file that no other process, on this host or another, has ever written."""
    name = EPISODE_FILES.replace("*", f"{socket.gethostname()}-{os.getpid()}-{secrets.token_hex(4)}")
    return os.open(cell_dir / name, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666)


def replace(path: Path, text: str) -> None:
    """Write a file so that readers see either nothing or all of it."""
    temporary = path.with_name(f".{path.name}-{secrets.token_hex(4)}")
    try:
        with temporary.open("w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)
