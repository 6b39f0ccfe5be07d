"""Tokens of a task file with their exact source text; the instruction is one token, byte for byte."""

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

SECTIONS = (
    "problem",
    ":domain",
    ":requirements",
    ":language",
    ":regions",
    ":shift",
    ":swap",
    ":fixtures",
    ":objects",
    ":obj_of_interest",
    ":init",
    ":goal",
    ":variant",
)
BLANKS = " \t\r\n\f\v"

Kind = Literal["open", "close", "symbol", "string", "sentence"]

_TOKEN = re.compile(r'(?P<skip>\s+|;[^\r\n]*)|(?P<open>\()|(?P<close>\))|(?P<string>"(?:[^"\\]|\\.)*")|[^\s();]+', re.S)
_LANGUAGE = re.compile(r"\(\s*:language(?=[\s()])", re.I)
_SECTION = re.compile(rf"\(\s*(?:{'|'.join(SECTIONS[1:])})(?=[\s()])", re.I)
_BRACKET = re.compile(r"(?<!\\)(\\*)([()])")
_INDENT = 200  # a section's bracket is looked for at most this far into a line


class Token(NamedTuple):
    """A piece of the text: `text` is exactly what stands at characters `start` to `end`.

    A `sentence` is the instruction with its escapes undone; a `string` keeps its quotes.
    """

    kind: Kind
    text: str
    start: int
    end: int


def tokens(text: str) -> Iterator[Token]:
    """The tokens of `text` in order, without blanks and comments (`;` to the end of the line)."""
    at = 0
    while at < len(text):
        language = _LANGUAGE.match(text, at)
        if language:
            end = _sentence_end(text, language.end())
            yield from _instruction(text, at, language.end(), end)
            at = end
            continue
        match = _TOKEN.match(text, at)
        assert match is not None  # every character starts a token
        if match.lastgroup != "skip":
            yield Token(_kind(match.lastgroup), match.group(), at, match.end())
        at = match.end()


def opens_section(text: str, at: int) -> bool:
    """Whether the bracket at `at` opens a section of a task and is the first thing on its line."""
    before = text[max(0, at - _INDENT) : at].rstrip(" \t\f\v")
    return before[-1:] in ("\n", "\r") and _SECTION.match(text, at) is not None


def _kind(group: str | None) -> Kind:
    kinds: dict[str | None, Kind] = {"open": "open", "close": "close", "string": "string"}
    return kinds.get(group, "symbol")


def _instruction(text: str, at: int, keyword_end: int, end: int) -> Iterator[Token]:
    """`(`, `:language` and the sentence; the closing bracket is left to the ordinary rules."""
    keyword = keyword_end - len(":language")
    sentence = unescape(text[keyword_end:end]).strip(BLANKS)
    yield Token("open", "(", at, at + 1)
    yield Token("symbol", text[keyword:keyword_end], keyword, keyword_end)
    start = keyword_end
    while start < end and text[start] in BLANKS:
        start += 1
    yield Token("sentence", sentence, start, end)


def _sentence_end(text: str, at: int) -> int:
    """Offset of the bracket that closes the instruction; without one, of the next section or of the text's end.

    Brackets in the sentence count unless an odd number of backslashes stands before them.
    """
    depth = 0
    for match in _BRACKET.finditer(text, at):
        bracket = match.start(2)
        if match[2] == "(" and opens_section(text, bracket):
            return bracket
        if len(match[1]) % 2:
            continue
        depth += 1 if match[2] == "(" else -1
        if depth < 0:
            return bracket
    return len(text)


def escape(sentence: str) -> str:
    """The sentence as it is written in a file: as it is, or with its brackets escaped where they do not balance.

    `unescape` undoes it exactly. Only brackets, and backslashes right before a bracket, are touched.
    """
    if unescape(sentence) == sentence and _sentence_end(f"{sentence})", 0) == len(sentence):
        return sentence
    body = _BRACKET.sub(lambda match: f"{match[1] * 2}\\{match[2]}", sentence)
    return body + "\\" * (len(body) - len(body.rstrip("\\")))  # they stand before the closing bracket


def unescape(written: str) -> str:
    """The sentence that `escape` wrote, which the closing bracket follows."""
    return _BRACKET.sub(lambda match: match[1][: len(match[1]) // 2] + match[2], f"{written})")[:-1]
