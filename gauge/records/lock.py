"""One live run per cell folder, on any file system, with nothing to clean up after a kill.

The lock is a numbered file, `lock-<n>.json`; the highest number counts. Whoever creates the next number
(exclusive create, which needs no flock and is atomic on NFS) holds the lock, and may do so only when the
highest is free or its holder is gone. A free lock is a file whose time is 0; the highest file is never renamed or
removed, so numbers only grow and of several processes that want the next number exactly one gets it.
"""

import json
import logging
import os
import re
import socket
import tempfile
import threading
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Self

from gauge.errors import GaugeError
from gauge.records.store import disk_fault

HEARTBEAT_S = 15.0
STALE_S = 120.0
_NAME = re.compile(r"lock-(\d+)\.json")
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Holder:
    """Who holds a lock.

    Attributes:
        host: name for the reader.
        machine: boot and process-id namespace; process ids mean something only where it is the same. Empty
            where the system cannot tell.
        pid: process id, with `started` (clock ticks since boot) against reuse of the number.
        since: UTC time, ISO 8601.
    """

    host: str
    machine: str
    pid: int
    started: str
    since: str

    @classmethod
    def myself(cls) -> Self:
        """This process, from now on."""
        now = datetime.now(UTC).isoformat(timespec="seconds")
        return cls(socket.gethostname(), _machine(), os.getpid(), _started(os.getpid()), now)

    @property
    def lives(self) -> bool | None:
        """Whether this process still runs; None where only its own machine could tell."""
        if not self.machine or self.machine != _machine():
            return None
        return _started(self.pid) == self.started


def holder_of(cell_dir: Path) -> Holder | None:
    """Who evaluates the cell in `cell_dir` at this moment; None if nobody does, or it cannot be told who."""
    found = [path for path in cell_dir.glob("lock-*.json") if _NAME.fullmatch(path.name)]
    top = max(found, key=_number, default=None)
    if top is None:
        return None
    try:
        holder, beat = _read(top), top.stat().st_mtime
        silent_s = _disk_clock(cell_dir) - beat
    except OSError:
        return None
    return holder if beat != 0 and _is_live(holder, silent_s) else None


class LockedError(GaugeError):
    """A live run holds the lock.

    Attributes:
        holder: who that is, for people.
    """

    def __init__(self, sentence: str, holder: str) -> None:
        super().__init__(sentence)
        self.holder = holder


class CellLock:
    """Context manager: this process is the only one that evaluates the cell in `cell_dir`."""

    def __init__(self, cell_dir: Path) -> None:
        self.cell_dir = cell_dir
        self._path: Path | None = None
        self._done = threading.Event()
        self._beating: threading.Thread | None = None

    def __enter__(self) -> Self:
        """Make the folder where it is missing, and take the lock.

        Raises:
            LockedError: a live run holds it.
            IncompleteError: the folder cannot be written.
        """
        try:
            self.cell_dir.mkdir(parents=True, exist_ok=True)
            self._path = self._acquire()
        except OSError as error:
            raise disk_fault(self.cell_dir, error) from error
        self._done.clear()
        self._beating = threading.Thread(target=self._beat, args=(self._path,), name="cell-lock", daemon=True)
        self._beating.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._done.set()
        if self._path is None or self._beating is None:
            return
        self._beating.join(timeout=5.0)  # a beat after the release would make the lock look held
        try:
            os.utime(self._path, (0, 0))
        except OSError as fault:  # passed over, or the disk is gone; the next run finds our process gone
            _log.warning("cannot release %s (%s)", self._path, fault)
        self._path = None

    def _acquire(self) -> Path:
        while True:
            top = self._highest()
            if top is not None:
                self._refuse_if_live(top)
            mine = self.cell_dir / f"lock-{_number(top) + 1}.json"
            try:
                fd = os.open(mine, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
            except FileExistsError:
                continue  # another process was faster; look again at who holds it now
            try:
                os.write(fd, json.dumps(asdict(Holder.myself())).encode())
            except OSError:
                mine.unlink(missing_ok=True)
                raise
            finally:
                os.close(fd)
            if self._highest() == mine:
                self._remove_below(mine)
                return mine
            mine.unlink(missing_ok=True)  # the number had been passed and cleaned up while we looked

    def _refuse_if_live(self, path: Path) -> None:
        try:
            holder, beat = _read(path), path.stat().st_mtime
        except FileNotFoundError:
            return  # just taken over; creating the next number decides
        if beat == 0 or not _is_live(holder, _disk_clock(self.cell_dir) - beat):
            return
        who = f"process {holder.pid} on {holder.host} since {holder.since}" if holder else "another process"
        raise LockedError(
            f"{self.cell_dir.name} is being evaluated by {who}; wait until it ends (a killed run on another "
            f"host is noticed after {STALE_S:.0f} s), or use another study= name",
            who,
        )

    def _highest(self) -> Path | None:
        found = [path for path in self.cell_dir.iterdir() if _NAME.fullmatch(path.name)]
        return max(found, key=_number, default=None)

    def _remove_below(self, mine: Path) -> None:
        for path in self.cell_dir.iterdir():
            if _NAME.fullmatch(path.name) and _number(path) < _number(mine):
                path.unlink(missing_ok=True)

    def _beat(self, path: Path) -> None:
        while not self._done.wait(HEARTBEAT_S):
            try:
                os.utime(path)
            except FileNotFoundError:
                _log.warning("another run took over %s because this one showed no sign of life", self.cell_dir)
                return
            except OSError as error:
                _log.warning("cannot refresh %s (%s)", path, error)


def _number(path: Path | None) -> int:
    match = _NAME.fullmatch(path.name) if path else None
    return int(match[1]) if match else 0


def _read(path: Path) -> Holder | None:
    """The holder; None while its file is still being written, or if it is damaged."""
    try:
        return Holder(**json.loads(path.read_text()))
    except (ValueError, TypeError):
        return None


def _is_live(holder: Holder | None, silent_s: float) -> bool:
    """Whether the holder still runs; by its process on the same machine, else by its heartbeat."""
    known = holder.lives if holder else None
    return silent_s < STALE_S if known is None else known


def _machine() -> str:
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
        return f"{boot} {Path('/proc/self/ns/pid').readlink()}"
    except OSError:
        return ""


def _started(pid: int) -> str:
    """Start time of a running process in clock ticks since boot; empty when there is no such process."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return ""
    after_name = stat.rpartition(")")[2].split()  # the name may hold spaces and brackets
    return "" if after_name[0] in "ZX" else after_name[19]


def _disk_clock(folder: Path) -> float:
    """Now, by the clock that stamps files in `folder` (on NFS, not the clock of this host)."""
    with tempfile.TemporaryFile(dir=folder) as file:
        return os.fstat(file.fileno()).st_mtime
