import errno
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from gauge.core.cell import Cell
from gauge.core.record import EpisodeRecord
from gauge.errors import GaugeError, IncompleteError
from gauge.records.query import cell_state
from gauge.records.store import RecordWriter, open_cell

Make = Callable[..., EpisodeRecord]

WRITER = """
import sys
from pathlib import Path
from gauge.core.cell import Cell
from gauge.core.items import Combination
from gauge.core.record import EpisodeRecord
from gauge.records.store import RecordWriter, open_cell

folder, who, count = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
cell = Cell({"name": "pi0"}, {"name": "goal"}, Combination())
sys.stdin.readline()
open_cell(folder, cell)
with RecordWriter(folder) as writer:
    for rollout in range(count):
        writer.write(EpisodeRecord(cell.id, who, rollout, seed=rollout, status="success", prompt="x" * 500))
        print(rollout, flush=True)
"""


def start_writer(folder: Path, who: str, count: int) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", WRITER, str(folder), who, str(count)]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def test_round_trip_of_a_record(folder: Path, record: Make) -> None:
    written = record(
        "stove", 3, items=[{"attribute": "image_shift", "drawn": [0.1]}], wall_s={"policy": 1.5}, prompt='é"\n'
    )
    with RecordWriter(folder) as writer:
        writer.write(written)
    assert cell_state(folder).records == {("stove", 3): written}


def test_the_file_is_opened_at_the_first_write(folder: Path, record: Make) -> None:
    with RecordWriter(folder) as writer:
        assert not list(folder.glob("episodes-*"))
        writer.write(record())
        assert len(list(folder.glob("episodes-*"))) == 1


def test_eight_processes_write_at_once(tmp_path: Path, cell: Cell) -> None:
    folder = tmp_path / cell.name
    writers = [start_writer(folder, f"task{i}", 25) for i in range(8)]
    for writer in writers:
        writer.stdin.write("go\n")  # type: ignore[union-attr]
        writer.stdin.flush()  # type: ignore[union-attr]
    for writer in writers:
        writer.communicate()
    assert [writer.returncode for writer in writers] == [0] * 8
    state = cell_state(folder)
    assert len(state.records) == 200
    assert (state.damaged, state.duplicates) == (0, 0)
    assert len(list(folder.glob("episodes-*.jsonl"))) == 8
    assert sorted(path.name for path in folder.iterdir() if not path.name.startswith("episodes-")) == ["cell.json"]


def test_a_killed_writer_loses_no_acknowledged_record(tmp_path: Path, cell: Cell) -> None:
    folder = tmp_path / cell.name
    writer = start_writer(folder, "task", 100_000)
    assert writer.stdin is not None
    assert writer.stdout is not None
    writer.stdin.write("go\n")
    writer.stdin.flush()
    acknowledged = [int(writer.stdout.readline()) for _ in range(20)]
    writer.send_signal(signal.SIGKILL)
    acknowledged += [int(line) for line in writer.communicate()[0].splitlines()]
    stored = cell_state(folder).records
    assert {("task", rollout) for rollout in acknowledged} <= set(stored)


def test_a_cut_line_does_not_spoil_the_next(folder: Path, record: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    writer = RecordWriter(folder)
    writer.write(record("a", 0))
    whole = os.write
    with monkeypatch.context() as patch:
        patch.setattr(os, "write", lambda fd, data: whole(fd, data[:40]))
        with pytest.raises(IncompleteError, match="is full"):
            writer.write(record("a", 1))
    writer.write(record("a", 2))
    writer.close()
    state = cell_state(folder)
    assert sorted(state.records) == [("a", 0), ("a", 2)]
    assert state.damaged == 1
    assert len(list(folder.glob("episodes-*.jsonl"))) == 2


@pytest.mark.parametrize(
    ("code", "words"), [(errno.ENOSPC, "is full"), (errno.EDQUOT, "quota"), (errno.EROFS, "Read-only")]
)
def test_a_disk_that_refuses_is_one_sentence(
    folder: Path, record: Make, monkeypatch: pytest.MonkeyPatch, code: int, words: str
) -> None:
    def refuse(fd: int) -> None:
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(os, "fsync", refuse)
    with pytest.raises(IncompleteError, match=words) as caught:
        RecordWriter(folder).write(record())
    assert str(folder) in str(caught.value)
    assert "safe" in str(caught.value)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A real file system of 64 KiB."""
    mount = tmp_path / "disk"
    mount.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(mount)]
    try:
        subprocess.run(command, check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("mounting a file system needs root")
    yield mount
    subprocess.run(["umount", str(mount)], check=True)


def test_a_really_full_disk(small_disk: Path, cell: Cell, record: Make) -> None:
    folder = small_disk / cell.name
    open_cell(folder, cell)
    filler = small_disk / "filler"
    filler.write_bytes(b"x" * 20_000)
    writer, written = RecordWriter(folder), 0

    def fill() -> None:
        nonlocal written
        while True:
            writer.write(record("a", written, prompt="x" * 1000))
            written += 1

    with pytest.raises(IncompleteError) as caught:
        fill()
    assert f"the disk mounted at {small_disk}, which holds {folder}, is full: 0.0 MiB of 0.1 MiB" in str(caught.value)
    assert len(cell_state(folder).records) == written > 5
    with pytest.raises(IncompleteError, match="is full"):
        open_cell(small_disk / "another", cell)

    filler.unlink()
    writer.write(record("a", written))
    writer.close()
    assert len(cell_state(folder).records) == written + 1


def test_open_cell_twice_is_fine_and_leaves_the_file_alone(folder: Path, cell: Cell) -> None:
    before = (folder / "cell.json").read_bytes()
    open_cell(folder, cell)
    assert (folder / "cell.json").read_bytes() == before
    assert f'"id": "{cell.id}"' in before.decode()


def test_another_cell_in_the_folder_is_refused(folder: Path, cell: Cell) -> None:
    other = Cell(cell.model, cell.suite, cell.combination, seed=7)
    with pytest.raises(GaugeError, match=r"different seed\); use another study= name"):
        open_cell(folder, other)


@pytest.mark.parametrize("text", ["", "{", "[]", '{"id": 3}'])
def test_a_damaged_description_is_refused(folder: Path, cell: Cell, text: str) -> None:
    (folder / "cell.json").write_text(text)
    with pytest.raises(GaugeError, match="move it away"):
        open_cell(folder, cell)


def test_a_folder_that_cannot_be_made_is_one_sentence(tmp_path: Path, cell: Cell) -> None:
    (tmp_path / "study").write_text("a file where the folder should be")
    with pytest.raises(IncompleteError, match="cannot write to"):
        open_cell(tmp_path / "study" / cell.name, cell)
