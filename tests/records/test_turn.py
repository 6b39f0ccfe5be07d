import threading
import time
from pathlib import Path

import pytest
from at_once import together

from gauge.errors import GaugeError
from gauge.records.turn import turn

COUNTER = """
import sys
from pathlib import Path
from gauge.records.turn import turn
path = Path(sys.argv[1])
print("ready", flush=True)
sys.stdin.readline()
for _ in range(50):
    with turn(path):
        path.write_text(str(int(path.read_text()) + 1))
"""


@pytest.mark.process
def test_three_processes_count_without_losing_one(tmp_path: Path) -> None:
    path = tmp_path / "count"
    path.write_text("0")
    together(COUNTER, path, processes=3)
    assert path.read_text() == "150"


def test_who_waits_gets_its_turn_and_whoever_waits_too_long_hears_of_whom(tmp_path: Path) -> None:
    path, order = tmp_path / "table", list[str]()

    def later() -> None:
        with turn(path):
            order.append("second")

    waiting = threading.Thread(target=later)
    with turn(path):
        waiting.start()
        time.sleep(0.1)
        order.append("first")
        with pytest.raises(GaugeError, match=r"table has been in other hands for 0 s \(process \d+ on"), turn(path, 0):
            pass
    waiting.join(10)
    assert order == ["first", "second"]


def test_an_error_ends_the_turn(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError), turn(tmp_path / "table"):
        1 / 0  # noqa: B018
    with turn(tmp_path / "table", 0):
        pass
