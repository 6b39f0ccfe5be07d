"""Facts of `:init` and the tree of `:goal`, from brackets to literals; unknown constructs are refused by name."""

from gauge.vbddl.goal import And, Exists, ForAll, Goal, Literal, Not, Or
from gauge.vbddl.predicates import CONNECTIVES, UNSUPPORTED, canonical
from gauge.vbddl.problems import Report
from gauge.vbddl.reader import Atom, Group, Node
from gauge.vbddl.sections import name

Scope = frozenset[str]


def facts(report: Report, group: Group) -> tuple[Literal | Not, ...]:
    """What holds at the start: literals, or `(not LITERAL)`."""
    found: list[Literal | Not] = []
    for part in group.parts[1:]:
        fact = formula(report, part, frozenset())
        if isinstance(fact, Literal) or (isinstance(fact, Not) and isinstance(fact.part, Literal)):
            found.append(fact)
        elif fact is not None:
            report.error(part.at, "':init' holds plain facts such as (On plate_1 main_table_plate_region)")
    return tuple(found)


def goal(report: Report, group: Group) -> Goal | None:
    """The one formula of `:goal`."""
    if len(group.parts) == 1:
        report.error(group.at, "the goal is empty; it would hold at once")
        return None
    if len(group.parts) > 2:
        report.error(group.parts[2].at, "the goal is one formula; put several into (And ...)")
    return formula(report, group.parts[1], frozenset())


def formula(report: Report, node: Node, scope: Scope) -> Goal | None:
    """A literal, a connective or a quantifier; None if a part of it was reported."""
    if not isinstance(node, Group) or not node.head:
        report.error(node.at, "a formula is written (PREDICATE NAME ...) or (And ...)")
        return None
    word = node.head
    if word in UNSUPPORTED:
        report.error(node.at, f"'{word}' cannot be evaluated; use {', '.join(CONNECTIVES)}")
        return None
    if word in ("and", "or"):
        return _several(report, node, scope)
    if word == "not":
        return _negation(report, node, scope)
    if word in ("forall", "exists"):
        return _quantified(report, node, scope)
    return _literal(report, node, scope)


def _several(report: Report, node: Group, scope: Scope) -> Goal | None:
    parts = [formula(report, part, scope) for part in node.parts[1:]]
    if not parts:
        always = "always holds" if node.head == "and" else "never holds"
        report.error(node.at, f"'({node.head})' is empty: it {always}")
        return None
    found = tuple(part for part in parts if part is not None)
    if len(found) < len(parts):
        return None
    return (And if node.head == "and" else Or)(found, report.place(node.at))


def _negation(report: Report, node: Group, scope: Scope) -> Goal | None:
    if len(node.parts) != 2:
        report.error(node.at, f"'not' takes one formula, not {len(node.parts) - 1}")
        return None
    part = formula(report, node.parts[1], scope)
    return None if part is None else Not(part, report.place(node.at))


def _quantified(report: Report, node: Group, scope: Scope) -> Goal | None:
    usage = f"write ({node.head} (?x - TYPE) FORMULA)"
    binding = node.parts[1] if len(node.parts) == 3 else None
    if not isinstance(binding, Group) or len(binding.parts) != 3:
        report.error(node.at, f"'{node.head}' takes one variable with its type and one formula; {usage}")
        return None
    label, dash, sort = binding.parts
    if not (isinstance(label, Atom) and label.text.startswith("?") and isinstance(dash, Atom) and dash.text == "-"):
        report.error(binding.at, f"a variable starts with '?' and has a type; {usage}")
        return None
    variable = name(report, Atom(label.text[1:], label.at), "a variable")
    kind = name(report, sort, "the type of a variable")
    if variable is None or kind is None:
        return None
    if f"?{variable}" in scope:
        report.error(label.at, f"variable ?{variable} is bound twice; give the inner one another name")
    body = formula(report, node.parts[2], scope | {f"?{variable}"})
    if body is None:
        return None
    return (ForAll if node.head == "forall" else Exists)(f"?{variable}", kind, body, report.place(node.at))


def _literal(report: Report, node: Group, scope: Scope) -> Literal | None:
    word = name(report, node.parts[0], "a predicate")
    arguments = [_argument(report, part, scope) for part in node.parts[1:]]
    found = tuple(each for each in arguments if each is not None)
    if word is None or len(found) < len(arguments):
        return None
    return Literal(canonical(word), found, report.place(node.at))


def _argument(report: Report, node: Node, scope: Scope) -> str | None:
    """A declared name or a bound variable. BEHAVIOR writes `?` before declared names too: that mark is dropped."""
    if isinstance(node, Atom) and node.text.startswith("?"):
        text = name(report, Atom(node.text[1:], node.at), "a variable")
        return f"?{text}" if f"?{text}" in scope else text
    return name(report, node, "each argument of a predicate")
