"""Instructions that no person would have written: file-name debris, chat preamble, nothing at all."""

import re
import unicodedata

MAX_CHARACTERS = 400
LOOKED_AT = 2000  # characters: the patterns below may take time that grows with the square

_DEBRIS = (
    re.compile(r"\bview(?: -?\d+){2,}", re.I),
    re.compile(r"\binit ?state\b(?: \d+)?", re.I),
    re.compile(r"\b(?:table|tb|light|language|lan|add|level|sample|noise|variant)[ _]?\d+$", re.I),
    re.compile(r"\b(?:kitchen|living[ _]room|study|main[ _]table|floor)[ _]scene[ _]?\d+", re.I),
    re.compile(r"\S+\.(?:bddl|pruned_init|init|hdf5|npz|json|txt)\b", re.I),
    re.compile(r"\b\w+_\w+\b"),
)
_PREAMBLE = re.compile(
    r"\W*(?:sure\b|certainly\b|of course\b|okay,|here(?:'s|\u2019s| is| are)\b|as an? (?:ai|language model)\b|"
    r"i(?:'m|\u2019m| am) sorry\b|i can(?:no|')t\b|(?:instruction|output|answer|rewritten|paraphrased?|"
    r"variation|version|task)[^.]{0,20}:)",
    re.I,
)
_MARKUP = re.compile(r"```|\*\*|^\s*(?:[-*#]|\d+[.)])\s|</?\w+>")
_QUOTES = re.compile(r"(['\"\u201c\u2018«]).*(['\"\u201d\u2019»])", re.S)


def suspicious(sentence: str) -> list[str]:
    """What is odd about an instruction, one sentence each; empty for an ordinary one."""
    if not sentence.strip():
        return ["the instruction is empty"]
    found = [f"the instruction has {len(sentence)} characters"] if len(sentence) > MAX_CHARACTERS else []
    sentence = sentence[:LOOKED_AT]
    for pattern in _DEBRIS:
        debris = pattern.search(sentence)
        if debris:
            found.append(f"the instruction holds what looks like a file or object name: {debris[0]!r}")
            break
    if _PREAMBLE.match(sentence):
        found.append(f"the instruction starts like the answer of a chat model: {sentence[:40]!r}")
    markup = _MARKUP.search(sentence)
    if markup:
        found.append(f"the instruction holds markup: {markup[0]!r}")
    if _QUOTES.fullmatch(sentence):
        found.append("the instruction stands in quotation marks, which the robot would be told too")
    odd = [char for char in sentence if unicodedata.category(char) in ("Cc", "Cf", "Co", "Cn") or char == "\ufffd"]
    if odd:
        found.append(f"the instruction holds a line break or an invisible character: {odd[0]!r}")
    if re.search(r"[;()]", sentence):
        found.append("the instruction holds ';' or brackets: text here, but LIBERO's own reader stops at them")
    return found
