import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from gauge.errors import GaugeError, IncompleteError
from gauge.records import lock
from gauge.records.lock import CellLock

HOLDER = """
import sys, time
from pathlib import Path
from gauge.errors import GaugeError
from gauge.records.lock import CellLock
time.sleep(max(0.0, float(sys.argv[2]) - time.time()))
try:
    with CellLock(Path(sys.argv[1])):
        print("held", flush=True)
        sys.stdin.readline()
except GaugeError:
    print("refused", flush=True)
"""


def start_holder(folder: Path, at: float = 0.0) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", HOLDER, str(folder), str(at)]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def answer(holder: subprocess.Popen[str]) -> str:
    assert holder.stdout is not None
    return holder.stdout.readline().strip()


def forge(folder: Path, number: int = 1, silent_s: float = 0.0, **fields: object) -> Path:
    """A lock file as another process would have left it."""
    holder = {"host": "node7", "machine": "other", "pid": 4242, "started": "1", "since": "2026-11-29T10:00:00+00:00"}
    path = folder / f"lock-{number}.json"
    path.write_text(json.dumps(holder | fields))
    os.utime(path, (time.time() - silent_s,) * 2)
    return path


def test_one_run_at_a_time(folder: Path) -> None:
    sentence = rf"evaluated by process {os.getpid()} on .* since 20.*study="
    with CellLock(folder), pytest.raises(GaugeError, match=sentence):
        CellLock(folder).__enter__()
    with CellLock(folder):
        pass


def test_released_after_an_error(folder: Path) -> None:
    with pytest.raises(ZeroDivisionError), CellLock(folder):
        1 / 0  # noqa: B018
    with CellLock(folder):
        pass


def test_makes_the_folder(tmp_path: Path) -> None:
    with CellLock(tmp_path / "study" / "cell"):
        assert (tmp_path / "study" / "cell" / "lock-1.json").exists()


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "cell").write_text("a file")
    with pytest.raises(IncompleteError, match="cannot write"):
        CellLock(tmp_path / "cell").__enter__()


@pytest.mark.parametrize("reaped", [True, False], ids=["gone", "zombie"])
def test_a_killed_holder_is_taken_over_at_once(folder: Path, reaped: bool) -> None:
    holder = start_holder(folder)
    assert answer(holder) == "held"
    with pytest.raises(GaugeError, match=f"process {holder.pid} on"):
        CellLock(folder).__enter__()
    holder.send_signal(signal.SIGKILL)
    if reaped:
        holder.wait()
    else:
        while not Path(f"/proc/{holder.pid}/stat").read_text().rpartition(")")[2].startswith(" Z"):
            time.sleep(0.01)
    with CellLock(folder):
        pass
    holder.communicate()


def test_a_reused_process_id_is_not_the_holder(folder: Path) -> None:
    forge(folder, machine=lock._machine(), pid=os.getpid(), started="1")
    with CellLock(folder):
        pass


def test_another_host_lives_by_its_heartbeat(folder: Path) -> None:
    forge(folder, silent_s=100)
    with pytest.raises(GaugeError, match="process 4242 on node7 since 2026"):
        CellLock(folder).__enter__()
    forge(folder, silent_s=130)
    with CellLock(folder):
        assert [path.name for path in folder.glob("lock-*")] == ["lock-2.json"]


@pytest.mark.parametrize("text", ["", '{"host": "a"', '{"new": 1}', "[1]"])
def test_a_half_written_lock_lives_by_its_heartbeat(folder: Path, text: str) -> None:
    path = folder / "lock-5.json"
    path.write_text(text)
    with pytest.raises(GaugeError, match="evaluated by another process"):
        CellLock(folder).__enter__()
    os.utime(path, (time.time() - 130,) * 2)
    with CellLock(folder):
        pass


def test_the_heartbeat_beats(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lock, "HEARTBEAT_S", 0.02)
    with CellLock(folder):
        path = folder / "lock-1.json"
        os.utime(path, (0, 0))
        deadline = time.monotonic() + 5
        while path.stat().st_mtime == 0 and time.monotonic() < deadline:
            time.sleep(0.01)
        assert path.stat().st_mtime > time.time() - 10


def test_a_holder_that_was_passed_over_says_so_and_frees_nothing(
    folder: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(lock, "HEARTBEAT_S", 0.02)
    with CellLock(folder):
        (folder / "lock-1.json").unlink()
        forge(folder, 2)
        deadline = time.monotonic() + 5
        while "took over" not in caplog.text and time.monotonic() < deadline:
            time.sleep(0.01)
        assert "took over" in caplog.text
    with pytest.raises(GaugeError, match="node7"):
        CellLock(folder).__enter__()


def test_who_looked_too_early_finds_the_higher_lock(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    forge(folder, 3)
    looks = iter([folder / "lock-1.json"])  # seen before others took over and removed it
    now = CellLock._highest
    monkeypatch.setattr(CellLock, "_highest", lambda self: next(looks, None) or now(self))
    with pytest.raises(GaugeError, match="node7"):
        CellLock(folder).__enter__()
    assert [path.name for path in folder.glob("lock-*")] == ["lock-3.json"]


def test_eight_processes_race_for_a_stale_lock(folder: Path) -> None:
    forge(folder, silent_s=1000)
    holders = [start_holder(folder, at=time.time() + 1.5) for _ in range(8)]
    answers = [answer(holder) for holder in holders]
    for holder in holders:
        holder.communicate("\n")
    assert sorted(answers) == ["held"] + ["refused"] * 7
    assert [(path.name, path.stat().st_mtime) for path in folder.glob("lock-*")] == [("lock-2.json", 0)]


def crowd(count: int, body: Callable[[], None]) -> None:
    threads = [threading.Thread(target=body) for _ in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def test_many_races_have_one_winner_each(folder: Path) -> None:
    for round_ in range(40):
        for path in folder.glob("lock-*"):
            path.unlink()
        forge(folder, 1 + round_, silent_s=1000)
        start, end, won = threading.Barrier(8), threading.Barrier(8), []

        def race(start: threading.Barrier = start, end: threading.Barrier = end, won: list[int] = won) -> None:
            cell_lock = CellLock(folder)
            start.wait()
            try:
                with cell_lock:
                    won.append(1)
                    end.wait()
            except GaugeError:
                end.wait()

        crowd(8, race)
        assert len(won) == 1


def test_never_two_holders_while_locks_come_and_go(folder: Path) -> None:
    inside, most, taken = [0], [0], [0]
    guard = threading.Lock()

    def work() -> None:
        for _ in range(40):
            try:
                with CellLock(folder):
                    with guard:
                        inside[0] += 1
                        taken[0] += 1
                        most[0] = max(most[0], inside[0])
                    time.sleep(0.0005)
                    with guard:
                        inside[0] -= 1
            except GaugeError:
                time.sleep(0.001)

    crowd(8, work)
    assert most == [1]
    assert taken[0] > 20
