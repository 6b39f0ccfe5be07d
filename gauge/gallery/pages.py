"""The gallery's pages: a table of scenarios for each capability and split, and an index with strips of solutions."""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path

from gauge.suites.certificate import Certificate
from gauge.suites.planned import CAPABILITIES
from gauge.suites.scenario import Scenario

STRIPS = 12
SAMPLES = 3  # pictures of a suite on the index
HEADS = ("first start", "scenario", "instruction", "what varies", "sibling", "certificate")


@dataclass(frozen=True, slots=True)
class Chapter:
    """The scenarios of one page, and the page's name; that is their capability and split, if they have such."""

    name: str
    scenarios: tuple[Scenario, ...]


def chapters(scenarios: Iterable[Scenario]) -> list[Chapter]:
    """The pages, in the order of the plan; scenarios without a capability are on a page of their own."""
    found: dict[tuple[int, str, str], list[Scenario]] = {}
    for one in scenarios:
        rank = CAPABILITIES.index(one.capability) if one.capability in CAPABILITIES else len(CAPABILITIES)
        found.setdefault((rank, one.capability, one.split), []).append(one)
    return [Chapter("_".join(filter(None, key[1:])) or "scenarios", tuple(found[key])) for key in sorted(found)]


def filmed(book: Sequence[Chapter], known: Mapping[str, Certificate]) -> list[Scenario]:
    """At most `STRIPS` scenarios without fault, of every page about as many, no layout twice."""
    kept = [[one for one in part.scenarios if one.id in known and not known[one.id].faults()] for part in book]
    found: dict[str, Scenario] = {}
    for turn in zip_longest(*kept):
        for one in turn:
            if one is not None and len(found) < STRIPS:
                found.setdefault(one.layout, one)
    return list(found.values())


def page(part: Chapter, known: Mapping[str, Certificate], starts: Mapping[str, Path], place: Path, index: Path) -> str:
    """The table of a chapter, in Markdown, for a file in the folder `place`."""
    abouts = [one.about for one in part.scenarios]
    lines = [f"# {part.name}", "", f"{_number(part.scenarios)}; [all suites]({_link(index, place)})."]
    for word, told in (
        ("Varied", [about.diagnostic for about in abouts]),
        ("Why they are here", [about.reason for about in abouts]),
    ):
        if any(told):
            lines += ["", f"{word}: {'; '.join(dict.fromkeys(filter(None, told)))}."]
    lines += ["", f"| {' | '.join(HEADS)} |", "|" + "---|" * len(HEADS)]
    for one in part.scenarios:
        cells = (
            _picture(starts.get(one.layout), place, one.name),
            f"[{one.name}]({_link(one.bddl_path, place)})",
            one.instruction,
            one.about.value,
            one.about.sibling,
            verdict(known.get(one.id)),
        )
        lines.append(f"| {' | '.join(map(_cell, cells))} |")
    return "\n".join(lines) + "\n"


def contents(
    book: Sequence[Chapter],
    known: Mapping[str, Certificate],
    starts: Mapping[str, Path],
    strips: Mapping[str, Path],
    folder: Path,
) -> str:
    """The index, in Markdown, for a file beside the pages' folder."""
    place = folder.parent
    lines = [
        "# Gallery",
        "",
        "How every scenario starts (agent view, initial state 0), with its instruction and what is certified of it.",
        "Made by `python -m gauge.suites gallery`, which draws what is missing or changed. Siblings start alike and",
        "share a picture.",
        "",
        "| suite | scenarios | certified | without fault | |",
        "|---|---|---|---|---|",
    ]
    for part in book:
        certified = [known[one.id] for one in part.scenarios if one.id in known]
        good = sum(not one.faults() for one in certified)
        layouts = list(dict.fromkeys(one.layout for one in part.scenarios))
        chosen = layouts[:: max(1, len(layouts) // SAMPLES)][:SAMPLES]
        pictures = " ".join(_picture(starts.get(layout), place, part.name) for layout in chosen)
        link = f"[{part.name}]({_link(folder / f'{part.name}.md', place)})"
        lines.append(f"| {link} | {len(part.scenarios)} | {len(certified)} | {good} | {pictures} |")
    lines += _solutions(book, known, strips, place)
    return "\n".join(lines) + "\n"


def _solutions(
    book: Sequence[Chapter], known: Mapping[str, Certificate], strips: Mapping[str, Path], place: Path
) -> Iterator[str]:
    if not strips:
        return
    yield from ("", "## Solutions", "", "The expert's witness played again, from its start until its goal holds.")
    for part in book:
        for one in part.scenarios:
            witness = known[one.id].witness if one.id in known else None
            if one.id in strips and witness is not None:
                told = f"initial state {witness.state}, {witness.step} control steps"
                yield from ("", f"**{one.name}**: {one.instruction} ({told})", "")
                yield _picture(strips[one.id], place, one.instruction)


def verdict(known: Certificate | None) -> str:
    """What a certificate comes to, in a few words."""
    if known is None:
        return "none yet"
    return f"dropped: {'; '.join(faults)}" if (faults := known.faults()) else "kept"


def _number(scenarios: Sequence[Scenario]) -> str:
    return f"{len(scenarios)} scenario{'s' * (len(scenarios) != 1)}"


def _picture(path: Path | None, place: Path, told: str) -> str:
    return "not drawn yet" if path is None else f"![{told}]({_link(path, place)})"


def _link(path: Path, place: Path) -> str:
    return Path(os.path.relpath(path, place)).as_posix()


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")
