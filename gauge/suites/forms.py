"""Whether a text of the semantic suite singles out its target, read by the words that its form is made of.

A mention names target and destination; an exclusion says what is not meant, a story may; a relational noun phrase says
what its target is next to.
"""

import re
from collections.abc import Iterator
from random import Random

from gauge.suites import relations
from gauge.suites.arrangements import arrangements
from gauge.suites.knowledge import listed, named, names
from gauge.suites.rules import Group, Member

CAPABILITY = "semantic_grounding"
NOUN_PHRASES = ("reduced noun phrase", "noun phrase with an attribute")
RELATIONAL = "relational noun phrase"
NEXT_TO = re.compile(r"pick up the (\w+) next to the (.+?) and place it .+")
OUT = (  # what each group of a match names is not meant
    re.compile(r"neither the (\w+) nor the (\w+) one"),
    re.compile(r"not the (\w+)(?: one)?"),
    re.compile(r"the (\w+) and the (\w+) stay where they are"),
)
ONLY = re.compile(r"only (\w+) ones")


def faults(group: Group) -> Iterator[str]:
    """Goals whose text in the semantic suite fits another thing than the target, or none."""
    for member in group.members:
        text, form = member.texts.get(CAPABILITY), member.values.get(CAPABILITY)
        if text is None:
            continue
        if form in NOUN_PHRASES:
            yield from named(group, member, text)
        elif form == RELATIONAL:
            yield from _related(group, member, text)
        else:
            yield from _read(group, member, text)


def _read(group: Group, member: Member, text: str) -> Iterator[str]:
    """Of what the text does not rule out, the longest name in it, but for the destination's, is the target's alone."""
    destination = member.goal[0][2].partition(".")[0]
    meant, rest = [one for one in group.objects if one.partition(".")[0] != destination], text
    for form in OUT:
        for found in form.finditer(rest):
            for word in found.groups():
                if not any(_has(one, word) for one in meant):
                    yield f"{member.name}: {text!r} rules out {word!r}, which names nothing in the scene"
                meant = [one for one in meant if not _has(one, word)]
        rest = form.sub("", rest)
    if only := ONLY.search(rest):
        meant = [one for one in meant if _has(one, only[1])]
    said = {one: max((len(name) for name in names(one) if _says(rest, name)), default=0) for one in meant}
    longest = max(said.values(), default=0)
    fitting = [one for one, length in said.items() if length == longest > 0]
    if fitting != [member.goal[0][1]]:
        yield f"{member.name}: {text!r} names {listed(fitting)}; the goal moves {member.goal[0][1]}"


def _related(group: Group, member: Member, text: str) -> Iterator[str]:
    """Of what has the name, the target alone is next to the reference by the rule of the spatial suite, in 50 draws."""
    found, random = NEXT_TO.fullmatch(text), Random(member.name)
    word, near = found.groups() if found else ("", "")
    called = [one for one in group.objects if _has(one, word)]
    references = [one for one in group.objects if near in names(one)]
    if len(references) != 1 or len(called) < 2:
        yield f"{member.name}: {text!r} relates {listed(called)} to {listed(references)}; needed are two things and one"
        return
    for order in arrangements(group):
        for _ in range(relations.DRAWS):
            at = {name: relations.drawn(order, name, random) for name in (*called, *references)}
            verdicts = {one: relations.next_to(at[one], at[references[0]]) for one in called}
            if verdicts != {one: one == member.goal[0][1] for one in called}:
                told = ", ".join(f"{one} {relations.TOLD[verdict]}" for one, verdict in verdicts.items())
                yield f"{member.name}: {text!r} does not single out {member.goal[0][1]}: {told}"
                return


def _has(thing: str, word: str) -> bool:
    """Whether the word is part of what the thing is called."""
    return any(word in name.split() for name in names(thing))


def _says(text: str, name: str) -> bool:
    return re.search(rf"\b{re.escape(name)}s?\b", text) is not None
