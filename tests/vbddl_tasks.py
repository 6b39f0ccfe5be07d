"""A small sound task as text, and generated ones: shared by the tests of V-BDDL."""

from hypothesis import strategies as st

from gauge.core.items import Item
from gauge.vbddl import And, Exists, ForAll, Literal, Not, Or, Region, Task, Thing
from gauge.vbddl.lexer import BLANKS
from gauge.vbddl.predicates import PREDICATES
from gauge.vbddl.sections import MAX_SHIFT_M

SOUND = """(define (problem LIBERO_Tabletop_Manipulation)
  (:domain robosuite)
  (:language Put the bowl in the Top drawer)
  (:regions
    (bowl_region (:target main_table) (:ranges ((-0.1 -0.01 -0.08 0.01))))
    (cabinet_region (:target main_table) (:ranges ((0.02 -0.25 0.04 -0.23))) (:yaw_rotation ((3.14 3.14))))
    (top_region (:target wooden_cabinet_1))
  )
  (:fixtures
    main_table - table
    wooden_cabinet_1 - wooden_cabinet
  )
  (:objects
    akita_black_bowl_1 - akita_black_bowl
  )
  (:obj_of_interest
    akita_black_bowl_1
  )
  (:init
    (On akita_black_bowl_1 main_table_bowl_region)
    (On wooden_cabinet_1 main_table_cabinet_region)
    (Open wooden_cabinet_1_top_region)
  )
  (:goal
    (And (In akita_black_bowl_1 wooden_cabinet_1_top_region))
  )
)
"""

names = st.from_regex(r"[a-z0-9_][a-z0-9_.+-]{0,12}", fullmatch=True)
finite = st.floats(allow_nan=False, allow_infinity=False)
numbers4 = st.tuples(finite, finite, finite, finite)
sentences = st.one_of(
    st.text(st.characters(exclude_categories=["Cs"])),
    st.text(st.sampled_from('()\\;" \n\t:a')),
    st.sampled_from(
        ["a\n(:goal", "smile :)", "(black) bowl", "a\\", "((", "\\)", "\ufeffput", "Ünïcode 碗 чаша", "'q' \"q\""]
    ),
).map(lambda text: text.strip(BLANKS))
predicates = st.one_of(
    st.sampled_from([each.name for each in PREDICATES.values()]),
    names.filter(
        lambda word: word not in (*PREDICATES, "and", "or", "not", "forall", "exists", "imply", "when", "forn")
    ),
)


def literals(bound: tuple[str, ...] = ()) -> st.SearchStrategy[Literal]:
    arguments = names if not bound else st.one_of(names, st.sampled_from(bound))
    return st.builds(Literal, predicates, st.lists(arguments, max_size=3).map(tuple))


@st.composite
def goals(draw: st.DrawFn, depth: int = 4, bound: tuple[str, ...] = ()):
    kind = draw(st.sampled_from(["literal", "literal", "and", "or", "not", "forall", "exists"])) if depth else "literal"
    if kind == "literal":
        return draw(literals(bound))
    if kind in ("and", "or"):
        parts = tuple(draw(goals(depth - 1, bound)) for _ in range(draw(st.integers(1, 3))))
        return And(parts) if kind == "and" else Or(parts)
    if kind == "not":
        return Not(draw(goals(depth - 1, bound)))
    variable = f"?{draw(names)}"
    if variable in bound:
        return draw(literals(bound))
    body = draw(goals(depth - 1, (*bound, variable)))
    return (ForAll if kind == "forall" else Exists)(variable, draw(names), body)


values = st.one_of(finite, st.integers(-(10**30), 10**30), st.text(st.characters(exclude_categories=["Cs"])))
labels = st.from_regex(r"[A-Za-z0-9_][A-Za-z0-9_.+-]{0,12}", fullmatch=True)
items = st.one_of(
    st.builds(Item, labels, labels, labels, st.tuples(values), st.just("static")),
    st.builds(
        Item,
        labels,
        labels,
        labels,
        st.lists(values, min_size=2, max_size=4, unique=True).map(tuple),
        st.just("dynamic"),
    ),
)
things = st.lists(st.builds(Thing, names, names), max_size=5).map(tuple)
facts = st.one_of(literals(), st.builds(Not, literals()))
regions = st.builds(
    Region,
    names,
    names,
    st.lists(numbers4, max_size=3).map(tuple),
    st.none() | st.tuples(finite, finite),
    st.none() | numbers4,
)
tasks = st.builds(
    Task,
    problem=names,
    domain=names,
    instruction=sentences,
    regions=st.lists(regions, max_size=4).map(tuple),
    fixtures=things,
    objects=things,
    init=st.lists(facts, max_size=4).map(tuple),
    goal=goals(),
    obj_of_interest=st.lists(names, max_size=3).map(tuple),
    items=st.lists(items, max_size=3, unique_by=lambda item: item.attribute).map(tuple),
    shift=st.tuples(*[st.floats(0.0, MAX_SHIFT_M)] * 2),
    swap=st.lists(
        st.lists(st.lists(names, min_size=1, max_size=3).map(tuple), min_size=1, max_size=3).map(tuple), max_size=2
    ).map(tuple),
)
