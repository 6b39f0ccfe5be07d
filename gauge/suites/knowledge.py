"""Whether a name or a fact singles out the target among the things of its scene, by the table of both."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files

from gauge.errors import GaugeError
from gauge.suites.rules import Group, Member

PLAIN = re.compile(r"(?:pick up|put) the (.+?) (?:and place it |on top of |to the |on the |in the ).+")
GENERATED = re.compile(r"gen_(.+)_\d+")


def faults(group: Group) -> Iterator[str]:
    """Goals whose plain name or fact fits another thing than the target, or none, or is in no table."""
    for member in group.members:
        if "visual_perception" in member.texts:
            yield from named(group, member, member.texts["visual_perception"])
        if "common_sense" in member.texts:
            yield from _known(group, member)


def kind(name: str) -> str:
    """The type of a thing of the rules; a generated one's is its family."""
    own = name.partition(".")[0]
    found = GENERATED.fullmatch(own)
    return found[1] if found else own


def named(group: Group, member: Member, text: str) -> Iterator[str]:
    """What is to be picked up or put is what one thing is called, in any order of words, or a part of that."""
    found = PLAIN.fullmatch(text)
    if found is None:
        yield f"{member.name}: no plain name is found in {text!r}"
        return
    said = sorted(found[1].split())
    called = {one: [sorted(name.split()) for name in names(one)] for one in group.objects}
    fitting = [one for one, names in called.items() if said in names]
    fitting = fitting or [one for one, names in called.items() if any(set(said) <= set(name) for name in names)]
    if fitting != [member.goal[0][1]]:
        yield f"{member.name}: {found[1]!r} names {listed(fitting)}; the goal moves {member.goal[0][1]}"


def names(thing: str) -> Sequence[str]:
    """What a thing of the rules is called."""
    own = kind(thing)
    return _table()["names"].get(own, [own.replace("_", " ")])


def _known(group: Group, member: Member) -> Iterator[str]:
    value = member.values["common_sense"]
    true_of = _table()["facts"].get(value)
    if true_of is None:
        yield f"{member.name}: gauge/suites/knowledge.yaml does not say what {value!r} is true of"
        return
    fitting = [one for one in group.objects if kind(one) in true_of]
    if fitting != [member.goal[0][1]]:
        yield f"{member.name}: {value!r} is true of {listed(fitting)}; the goal moves {member.goal[0][1]}"


def listed(things: Sequence[str]) -> str:
    """Names in a sentence."""
    return " and ".join(things) or "nothing in the scene"


@cache
def _table() -> Mapping[str, Mapping[str, Sequence[str]]]:
    """Names by type and types by fact.

    Raises:
        GaugeError: the file has another form.
    """
    import yaml

    read = yaml.safe_load(files("gauge.suites").joinpath("knowledge.yaml").read_text(encoding="utf-8"))
    if not isinstance(read, dict) or set(read) != {"names", "facts"}:
        raise GaugeError("gauge/suites/knowledge.yaml holds something else than names and facts")
    return read
