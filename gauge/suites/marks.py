"""Tables in Markdown, and pages that hold some between two marks."""

from collections.abc import Iterable, Iterator, Sequence

from gauge.errors import GaugeError

END = "<!-- end of tables -->"


def rewritten(page: str, begin: str, lines: Iterable[str]) -> str:
    """The page with these lines between the mark `begin` and the next `END`.

    Raises:
        GaugeError: it has no such marks.
    """
    before, found, rest = page.partition(begin)
    _, end, after = rest.partition(END)
    if not found or not end:
        raise GaugeError(f"the page has nowhere to write to: put the lines {begin} and {END} where the tables belong")
    return "\n".join([f"{before}{begin}", "", *lines, "", f"{END}{after}"])


def head(names: Sequence[str]) -> Iterator[str]:
    """The first two lines of a table."""
    yield from (row(*names), "|" + "---|" * len(names))


def row(*cells: object) -> str:
    """A line of a table."""
    return f"| {' | '.join(map(str, cells))} |"
