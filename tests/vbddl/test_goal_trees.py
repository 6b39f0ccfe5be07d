"""BEHAVIOR-style goals: nested, quantified, grounded over the declared objects, with three-valued truth."""

import pytest
from vbddl_tasks import SOUND

from gauge.errors import GaugeError
from gauge.vbddl import And, Exists, ForAll, Literal, Not, Or, parse
from gauge.vbddl.goal import ground, literals, truth, wants

GOAL = "(And (In akita_black_bowl_1 wooden_cabinet_1_top_region))"
TWO = SOUND.replace("akita_black_bowl_1 - ", "akita_black_bowl_1 akita_black_bowl_2 - ").replace(
    "(Open", "(On akita_black_bowl_2 akita_black_bowl_1) (Open"
)


def test_nested_formulas_parse_and_ground() -> None:
    text = TWO.replace(
        GOAL,
        "(OR (forall (?b - akita_black_bowl) (IN ?B wooden_cabinet_1_top_region))"
        "    (not (exists (?b - akita_black_bowl) (or (up ?b) (close ?wooden_cabinet_1)))))",
    )
    task = parse(text)
    top = "wooden_cabinet_1_top_region"
    assert task.goal == Or(
        (
            ForAll("?b", "akita_black_bowl", Literal("In", ("?b", top))),
            Not(
                Exists("?b", "akita_black_bowl", Or((Literal("Up", ("?b",)), Literal("Close", ("wooden_cabinet_1",)))))
            ),
        )
    )
    plain = ground(task.goal, task.members)
    assert [str(literal) for literal in literals(plain)] == [
        f"(In akita_black_bowl_1 {top})",
        f"(In akita_black_bowl_2 {top})",
        "(Up akita_black_bowl_1)",
        "(Close wooden_cabinet_1)",
        "(Up akita_black_bowl_2)",
        "(Close wooden_cabinet_1)",
    ]


A, B = Literal("Up", ("a",)), Literal("Up", ("b",))


@pytest.mark.parametrize(
    ("goal", "known", "expected"),
    [
        (A, {A: True}, True),
        (A, {}, None),
        (And((A, B)), {A: True}, None),
        (And((A, B)), {A: False}, False),
        (And((A, B)), {A: True, B: True}, True),
        (Or((A, B)), {A: True}, True),
        (Or((A, B)), {A: False}, None),
        (Or((A, B)), {A: False, B: False}, False),
        (Not(A), {A: True}, False),
        (Not(A), {}, None),
    ],
)
def test_truth_knows_what_it_does_not_know(goal, known, expected) -> None:
    assert truth(goal, known) is expected


def test_quantifiers_are_bounded() -> None:
    many = {"plate": tuple(f"plate_{index}" for index in range(101))}
    goal = ForAll("?a", "plate", Exists("?b", "plate", Literal("InContact", ("?a", "?b"))))
    with pytest.raises(GaugeError, match="10201 literals; at most 10000"):
        ground(goal, many)


def test_a_quantified_literal_is_checked_for_each_object() -> None:
    with pytest.raises(GaugeError, match="relates akita_black_bowl_1 to itself"):
        parse(TWO.replace(GOAL, "(exists (?b - akita_black_bowl) (InContact ?b akita_black_bowl_1))"))


def test_what_a_goal_asks_for_is_the_first_of_alternatives_and_what_must_not_hold() -> None:
    on, in_, up = Literal("On", ("a", "b")), Literal("In", ("a", "c")), Literal("Up", ("a",))
    goal = And((Or((on, up)), Not(in_), Not(And((up,)))))
    assert list(wants(goal)) == [on, Not(in_)]
