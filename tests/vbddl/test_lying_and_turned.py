"""Facts and goals about handles that turn and things that lie: what is said of names that cannot do it."""

import pytest

from gauge.vbddl import dumps, examine, parse

TASK = """(define (problem LIBERO_Tabletop_Manipulation)
  (:domain robosuite)
  (:language set the ketchup bottle upright)
  (:regions
    (ketchup_region (:target main_table) (:ranges ((-0.12 0.14 -0.08 0.18))) (:yaw_rotation ((0.0 1.5))))
    (faucet_region (:target main_table) (:ranges ((-0.11 -0.21 -0.09 -0.19))) (:yaw_rotation ((1.57 1.57))))
    (bowl_region (:target main_table) (:ranges ((0.0 0.0 0.02 0.02))))
    (handle (:target faucet_1))
  )
  (:fixtures main_table - table  faucet_1 - faucet)
  (:objects ketchup_1 - ketchup  bowl_1 - akita_black_bowl)
  (:init
    (On ketchup_1 main_table_ketchup_region)
    (On bowl_1 main_table_bowl_region)
    (On faucet_1 main_table_faucet_region)
    (Lying ketchup_1)
  )
  (:goal (And (Upright ketchup_1) (Not (TurnLeft faucet_1))))
)
"""


def found(old: str = "", new: str = "") -> list[str]:
    assert old in TASK
    return [problem.message for problem in examine(TASK.replace(old, new))[1] if problem.severity == "error"]


def test_the_task_is_sound_and_prints_as_it_was_read() -> None:
    assert found() == []
    task = parse(TASK)
    assert parse(dumps(task)) == task


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("(Upright ketchup_1)", "(Upright faucet_1)", "Upright is for objects that move freely, not for 'faucet_1'"),
        ("(TurnLeft faucet_1)", "(TurnLeft bowl_1)", "TurnLeft says nothing about a akita_black_bowl; it is for"),
        ("(TurnLeft faucet_1)", "(TurnOn faucet_1)", "TurnOn says nothing about a faucet"),
        ("(TurnLeft faucet_1)", "(TurnedLeft faucet_1)", "did you mean TurnLeft"),
        ("(Lying ketchup_1)\n", "(Lying faucet_1)\n", "Lying is for objects that move freely, not for 'faucet_1'"),
        ("(Lying ketchup_1)\n", "(Upright ketchup_1)\n", "'Upright' cannot be set up at the start"),
        (
            "(On ketchup_1 main_table_ketchup_region)\n    (On bowl_1 main_table_bowl_region)",
            "(On bowl_1 main_table_bowl_region) (On ketchup_1 bowl_1)",
            "'ketchup_1' can start lying only on a region of main_table",
        ),
    ],
)
def test_every_misuse_is_named(old: str, new: str, words: str) -> None:
    assert any(words in message for message in found(old, new)), found(old, new)
