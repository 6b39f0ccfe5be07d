"""The scenes of single skills and of their combinations keep to the plan, as far as files tell."""

from collections import Counter

from gauge import vbddl
from gauge.suites import SUITES, generate, load
from gauge.suites.planned import PLAN
from gauge.vbddl.goal import And, Literal, Not, literals

OWN = ("action_reasoning", "compositional")
MADE = [one for one in generate.made() if one.about.capability in OWN]


def of(capability: str, split: str) -> list[generate.Made]:
    return [one for one in MADE if (one.about.capability, one.about.split) == (capability, split)]


def parts(task: vbddl.Task) -> tuple[Literal | Not, ...]:
    assert isinstance(task.goal, And)
    return task.goal.parts  # type: ignore[return-value]


def stated(task: vbddl.Task) -> set[tuple[str, str]]:
    """Predicates of one name in a goal, each with the type that it is about."""
    owner = {region.full_name: region.target for region in task.regions}
    ones = [one for one in literals(task.goal) if len(one.arguments) == 1]
    return {(one.predicate, task.types[owner.get(one.arguments[0], one.arguments[0])]) for one in ones}


def liberos(*suites: str) -> list[vbddl.Task]:
    return [vbddl.load(one.bddl_path) for suite in suites for one in load(suite).tasks]


def test_every_group_has_as_many_scenarios_as_planned() -> None:
    for capability in OWN:
        for split in ("id", "ood"):
            assert dict(Counter(one.about.group for one in of(capability, split))) == PLAN[capability][split]


def test_siblings_are_of_the_same_split_and_every_scene_has_at_least_two_goals() -> None:
    rows = {one.name: one for one in MADE}
    for one in MADE:
        sibling = rows[one.about.sibling]
        assert (sibling.folder, sibling.name != one.name) == (one.folder, True)
        assert sibling.task.init == one.task.init
        assert sibling.task.goal != one.task.goal


def test_skills_inside_use_what_liberos_40_tasks_ask_of_doors_drawers_and_knobs() -> None:
    asked = {predicate for task in liberos(*SUITES[:4]) for predicate, _ in stated(task)}
    for one in of("action_reasoning", "id"):
        assert {predicate for predicate, _ in stated(one.task)} <= asked
        assert not any(isinstance(part, Not) for part in parts(one.task))


def test_skills_outside_ask_for_a_joint_or_an_effect_that_none_of_liberos_130_tasks_does() -> None:
    asked = {pair for task in liberos(*SUITES) for pair in stated(task)}
    for one in of("action_reasoning", "ood"):
        undone = [part for part in parts(one.task) if isinstance(part, Not)]
        assert undone or (stated(one.task) and stated(one.task).isdisjoint(asked)), one.name


def test_two_goods_in_the_basket_are_pairs_that_liberos_40_tasks_do_not_have_and_none_is_twice() -> None:
    def pair(task: vbddl.Task) -> frozenset[str]:
        return frozenset(task.types[one.arguments[0]] for one in literals(task.goal) if one.predicate == "In")

    known = {pair(task) for task in liberos("libero_10")}
    pairs = [pair(one.task) for one in of("compositional", "id") if one.about.group == "C1"]
    assert len(set(pairs)) == len(pairs) == 10
    assert known.isdisjoint(pairs)
    assert max(Counter(kind for two in pairs for kind in two).values()) == 2


def test_combinations_inside_have_two_subgoals_and_those_outside_more_stages() -> None:
    assert {len(parts(one.task)) for one in of("compositional", "id")} == {2}
    for one in of("compositional", "ood"):
        assert len(one.about.skills) >= 4 or one.about.group == "D4", one.name


def test_no_subgoal_is_among_the_facts_of_the_start() -> None:
    for one in MADE:
        assert not [part for part in parts(one.task) if part in one.task.init], one.name


def test_a_mat_is_seen_and_other_zones_are_not() -> None:
    tasks = {one.name: one.task for one in MADE}
    colour = {name: [(r.name, r.rgba) for r in task.regions if r.rgba] for name, task in tasks.items()}
    assert colour["action_B4b_dressing"] == [("red_mat", (0.8, 0.1, 0.1, 1.0))]
    assert colour["action_A1a_push"] == []
