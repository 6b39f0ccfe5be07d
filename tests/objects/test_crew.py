import os
import time

import pytest

from gauge.errors import GaugeError
from gauge.objects.crew import spread, watched

pytestmark = pytest.mark.process


def test_results_come_in_order_and_a_slow_one_is_told() -> None:
    found = list(spread(time.sleep, [0.0, 60.0, 0.01], 1, timeout_s=12.0))
    assert [item for item, _ in found] == [0.0, 60.0, 0.01]
    assert [result for _, result in found] == [None, "took longer than 12 s", None]


def test_a_process_that_dies_is_a_reason_and_the_others_go_on() -> None:
    (_, result), (_, other) = spread(os._exit, [3, 4], 1, timeout_s=60.0)
    assert result == "the process that worked on it ended with code 3"
    assert other == "the process that worked on it ended with code 4"


def test_no_process_is_a_user_fault() -> None:
    with pytest.raises(GaugeError, match="processes=0 is not possible"):
        list(spread(time.sleep, [0.0], 0, 1.0))


def test_a_log_gets_a_line_at_the_end(capsys: pytest.CaptureFixture[str]) -> None:
    assert list(watched("sorted", iter("abc"), 5, done=2)) == ["a", "b", "c"]
    assert "sorted: 5/5" in capsys.readouterr().err
