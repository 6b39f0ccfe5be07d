import pytest

from gauge.certify import compare
from gauge.certify.compare import Difference
from gauge.certify.solution import End
from gauge.suites.certificate import Starts, Witness

STARTS = Starts((1, 2), ("aa", "bb"), ((0.1, -0.2), (0.11, -0.21)), (5.0, 5.0), (), (0.5, 0.6), 200)
WITNESS = Witness(0, 99, "a.npz", "cc", (0.1, 0.2, 0.9))


def test_a_start_is_the_same_near_or_another() -> None:
    assert list(compare.start(STARTS, 1, "bb", (9.0, 9.0))) == []
    assert list(compare.start(STARTS, 1, "b", (0.1108, -0.21))) == [
        Difference("start 1 differs: its target lies 0.8 mm from where it was", True)
    ]
    assert list(compare.start(STARTS, 1, "b", (0.11, -0.214))) == [
        Difference("start 1 differs: its target lies 4.0 mm from where it was", False)
    ]


@pytest.mark.parametrize(
    ("here", "expected"),
    [
        (End(99, "cc", (0.1, 0.2, 0.9)), []),
        (None, [("the witness reaches the goal never, not after 99 steps", False)]),
        (End(101, "cc"), [("the witness reaches the goal after 101 steps, not after 99 steps", True)]),
        (End(94, "cc"), [("the witness reaches the goal after 94 steps, not after 99 steps", False)]),
        (
            End(99, "c", (0.1, 0.208, 0.9)),
            [("the witness ends in another state: its target lies 8.0 mm from where it did", True)],
        ),
        (
            End(99, "c", (0.1, 0.2, 0.8)),
            [("the witness ends in another state: its target lies 100.0 mm from where it did", False)],
        ),
    ],
)
def test_a_witness_ends_the_same_near_or_elsewhere(here: End | None, expected: list[tuple[str, bool]]) -> None:
    assert list(compare.end(WITNESS, here)) == expected


def test_where_the_end_is_not_on_record_the_step_is_compared_alone() -> None:
    old = Witness(0, 99, "a.npz")
    assert list(compare.end(old, End(99, "c", (0.0, 0.0, 0.0)))) == []
    assert [one.tolerable for one in compare.end(old, End(100, "c", (0.0, 0.0, 0.0)))] == [True]
