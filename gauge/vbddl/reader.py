"""The brackets of a task file: nested lists of atoms, bounded in size and depth, each with its place."""

from dataclasses import dataclass, field

from gauge.vbddl.lexer import Kind, Token, opens_section, tokens
from gauge.vbddl.problems import Report

MAX_CHARACTERS = 256 * 1024  # the largest packaged task has 4,396
MAX_DEPTH = 50
NEAR = 200  # characters of a line looked back over


@dataclass(frozen=True, slots=True)
class Atom:
    """A word, quoted string or sentence; `name` is how it compares: in lower case, as LIBERO does."""

    text: str
    at: int
    kind: Kind = "symbol"

    @property
    def name(self) -> str:
        """The word in lower case."""
        return self.text.lower()


@dataclass(slots=True)
class Group:
    """What stands between a pair of brackets; `at` and `end` are the brackets' offsets."""

    at: int
    parts: "list[Atom | Group]" = field(default_factory=list)
    end: int = -1

    @property
    def head(self) -> str:
        """The first word in lower case; empty without one."""
        first = self.parts[0] if self.parts else None
        return first.name if isinstance(first, Atom) and first.kind == "symbol" else ""


Node = Atom | Group


def read(report: Report) -> Group | None:
    """The one list that the report's text consists of; None after a bracket error, which is reported."""
    text = report.text
    if len(text) > MAX_CHARACTERS:
        report.error(0, f"the file has {len(text)} characters; a task has at most {MAX_CHARACTERS}")
        return None
    stack: list[Group] = []
    root: Group | None = None
    crooked: Group | None = None
    for token in tokens(text):
        if root is not None:
            _surplus(report, root, token)
            return None
        if token.kind == "open":
            if _misplaced(report, stack, token):
                return None
            stack.append(Group(token.start))
        elif token.kind == "close":
            if not stack:
                report.error(token.start, "this ')' closes nothing")
                return None
            done = stack.pop()
            done.end = token.start
            if crooked is None and _crooked(text, done):
                crooked = done
            if stack:
                stack[-1].parts.append(done)
            else:
                root = done
        elif stack:
            stack[-1].parts.append(Atom(token.text, token.start, token.kind))
        else:
            report.error(token.start, f"a task starts with '(define', not with {token.text[:40]!r}")
            return None
    if root is None:
        _unclosed(report, stack, crooked)
    return root


def _misplaced(report: Report, stack: list[Group], token: Token) -> bool:
    """Report a bracket that is too deep, or that opens a section inside another one."""
    if len(stack) >= MAX_DEPTH:
        report.error(token.start, f"brackets are nested more than {MAX_DEPTH} deep")
        return True
    if len(stack) > 1 and opens_section(report.text, token.start):
        culprit = stack[-1]
        report.error(
            culprit.at,
            f"the bracket of '{_shown(culprit)}' is not closed before the next section at "
            f"{report.place(token.start)}; add ')'{_hint(stack)}",
        )
        return True
    return False


def _surplus(report: Report, root: Group, token: Token) -> None:
    """Report what stands after the bracket that closes the whole text."""
    if token.kind == "close":
        last = next((part for part in reversed(root.parts) if isinstance(part, Group)), root)
        report.error(
            token.start,
            f"this ')' closes nothing: '{_shown(root)}' was closed at {report.place(root.end)}; the section before, "
            f"'{_shown(last)}' of {report.place(last.at)}, may have a ')' too many{_hint([root])}",
        )
    elif token.kind == "open" and opens_section(report.text, token.start):
        last = next((part for part in reversed(root.parts) if isinstance(part, Group)), root)
        message = f"this ')' closes '{_shown(root)}' of {report.place(root.at)} although a section follows at "
        message += f"{report.place(token.start)}; '{_shown(last)}' of {report.place(last.at)} has a ')' too many"
        report.error(root.end, message + _hint([root]))
    else:
        report.error(token.start, f"text after the end of '{_shown(root)}' at {report.place(root.end)}")


def _unclosed(report: Report, stack: list[Group], crooked: Group | None) -> None:
    if not stack:
        report.error(0, "the file is empty; a task starts with '(define'")
        return
    message = f"the bracket of '{_shown(stack[-1])}' of {report.place(stack[-1].at)} is never closed; add ')'"
    if crooked is not None:
        message += f" (by the indentation, '{_shown(crooked)}' of {report.place(crooked.at)} lacks it)"
    report.error((crooked or stack[-1]).at, message + _hint(stack))


def _crooked(text: str, group: Group) -> bool:
    """Whether both brackets are the first on their lines and the lines are not indented alike."""
    opening, closing = _blanks_before(text, group.at), _blanks_before(text, group.end)
    return opening is not None and closing is not None and opening != closing


def _blanks_before(text: str, at: int) -> str | None:
    """The blanks between the start of the line and `at`; None if something else is there too, or far more."""
    line = text[text.rfind("\n", max(0, at - NEAR), at) + 1 or max(0, at - NEAR) : at]
    return None if line.strip(" \t") else line


def _shown(group: Group) -> str:
    first = group.parts[0] if group.parts else None
    return f"({first.text[:40]}" if isinstance(first, Atom) else "("


def _hint(stack: list[Group]) -> str:
    """A word on the instruction where a bracket of its own may be the reason: it stands last, or holds one."""
    inside = [part for group in stack for part in [group, *group.parts] if isinstance(part, Group)]
    language = next((group for group in inside if group.head == ":language"), None)
    if language is None:
        return ""
    sentence = language.parts[-1]
    holds_one = isinstance(sentence, Atom) and any(bracket in sentence.text for bracket in "()")
    suspect = holds_one or inside[-1] is language
    return r" (a single bracket in the instruction is written \( or \))" if suspect else ""
