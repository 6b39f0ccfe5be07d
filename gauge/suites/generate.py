"""From rules to V-BDDL files: the same rules give the same files, byte for byte."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from gauge import vbddl
from gauge.suites.rules import Group, Member, Position, groups
from gauge.suites.scenario import ABOUT, About
from gauge.vbddl.catalogue import libero
from gauge.vbddl.goal import And, Goal, Literal, Not
from gauge.vbddl.task import Region, Task, Thing

FOLDER = Path(__file__).parent / "scenarios"
ARENAS = {
    "table": "libero_tabletop_manipulation",
    "floor": "libero_floor_manipulation",
    "kitchen": "libero_kitchen_tabletop_manipulation",
    "living": "libero_living_room_tabletop_manipulation",
    "study": "libero_study_tabletop_manipulation",
}
FIXTURE_HALF_M = 0.01  # as in LIBERO's task files
TEXTS_EQUAL = ("scene", "poses", "camera", "initial states", "goal", "horizon")


@dataclass(frozen=True, slots=True)
class Made:
    """A generated scenario: where it belongs, its name, and what its file and its row say."""

    folder: Path
    name: str
    task: Task
    about: About


def made() -> Iterator[Made]:
    """Every scenario of every rule."""
    for group in groups():
        layout = _Layout(group)
        for capability in group.prefixes:
            for index, member in enumerate(group.members):
                about = _about(group, capability, index)
                task = layout.task(member, member.texts[capability])
                yield Made(Path(capability) / group.split, scenario_name(group, capability, member), task, about)


def build(folder: Path = FOLDER) -> int:
    """Write all files anew and drop those that no rule makes any more; how many scenarios there are now."""
    tables: dict[Path, dict[str, object]] = {}
    written = set()
    for one in made():
        place = folder / one.folder
        place.mkdir(parents=True, exist_ok=True)
        path = place / f"{one.name}.bddl"
        vbddl.save(one.task, path)
        written.add(path)
        tables.setdefault(place, {})[one.name] = one.about.row()
    for path in set(folder.rglob("*.bddl")) - written:
        path.unlink()
    for place, rows in tables.items():
        (place / ABOUT).write_text(table(rows), encoding="utf-8")
    return len(written)


def table(rows: dict[str, object]) -> str:
    """The text of a folder's table."""
    return json.dumps(rows, indent=1, ensure_ascii=False) + "\n"


def scenario_name(group: Group, capability: str, member: Member) -> str:
    """Of the scenario that this goal is in this capability; its file is called so."""
    return f"{group.prefixes[capability]}_{member.name}"


def _about(group: Group, capability: str, index: int) -> About:
    """The sibling is the next goal in the scene; the twin of a text is the plain one for the same goal."""
    member = group.members[index]
    sibling = group.members[(index + 1) % len(group.members)]
    plain = next(iter(group.prefixes))
    return About(
        capability=capability,
        split=group.split,
        group=member.group,
        diagnostic=group.diagnostic[capability],
        value=member.values[capability],
        reason=group.reason[capability],
        sibling=scenario_name(group, capability, sibling) if sibling != member else "",
        twin=scenario_name(group, plain, member) if capability != plain else "",
        equal=TEXTS_EQUAL if capability != plain else TEXTS_EQUAL[:4],
        skills=member.skills,
    )


class _Layout:
    """A group's scene in V-BDDL, and the names in it."""

    def __init__(self, group: Group) -> None:
        self.group = group
        self.problem = ARENAS[group.arena]
        self.table = libero().problems[self.problem]
        self.names = numbered([*group.fixtures, *group.objects])
        self.regions = [*self._places(), *self._sites()]

    def task(self, member: Member, text: str) -> Task:
        """The scenario of one goal and one instruction."""
        group = self.group
        goal = tuple(self._literal(words) for words in member.goal)
        fixtures = [Thing(self.table.name, self.table.type), *(self._thing(name) for name in group.fixtures)]
        return Task(
            problem=self.problem,
            domain="robosuite",
            instruction=text,
            regions=tuple(self.regions),
            fixtures=tuple(fixtures),
            objects=tuple(self._thing(name) for name in group.objects),
            init=tuple(self._start()),
            goal=And(goal),
            shift=group.shift,
            swap=tuple(tuple(tuple(map(self._word, one)) for one in groups) for groups in group.swap),
        )

    def _thing(self, name: str) -> Thing:
        return Thing(self.names[name], name.partition(".")[0])

    def _places(self) -> Iterator[Region]:
        """Regions of the table: one for each thing that stands on it, then those that only goals name."""
        group = self.group
        for name, at in group.fixtures.items():
            x, y, yaw, *turn = at
            half, halves = sum(turn), (FIXTURE_HALF_M, FIXTURE_HALF_M)
            yield self._region(f"{self.names[name]}_region", (x, y), halves, (yaw - half, yaw + half))
        for name, place in group.objects.items():
            if not isinstance(place, str):
                yield self._region(f"{self.names[name]}_region", place, group.halves(name))
        for name, at in group.zones.items():
            turned = group.yaw(name)
            region = self._region(name, at, (at[2], at[2]), None if turned is None else (turned, turned))
            yield replace(region, rgba=(at[3], at[4], at[5], 1.0) if at[4:] else None)

    def _region(
        self, name: str, at: Position, halves: tuple[float, float], yaw: tuple[float, float] | None = None
    ) -> Region:
        (x, y), (half_x, half_y) = at[:2], halves
        corners = (round(x - half_x, 4), round(y - half_y, 4), round(x + half_x, 4), round(y + half_y, 4))
        return Region(name, self.table.name, (corners,), yaw)

    def _sites(self) -> Iterator[Region]:
        """Regions of models: every one that the group's facts and goals name."""
        group = self.group
        words = [word for member in group.members for literal in member.goal for word in literal]
        words += [word for fact in group.init for word in fact]
        words += [place for place in group.objects.values() if isinstance(place, str)]
        for word in dict.fromkeys(words):
            owner, _, site = word.rpartition(".")
            if owner in self.names and word not in self.names:
                yield Region(site, self.names[owner])

    def _start(self) -> Iterator[Literal]:
        group = self.group
        for name, place in {**group.objects, **group.fixtures}.items():
            if isinstance(place, str):
                yield Literal("On" if place in self.names else _inside(place), (self.names[name], self._word(place)))
            else:
                yield Literal("On", (self.names[name], f"{self.table.name}_{self.names[name]}_region"))
        for fact in group.init:
            yield Literal(fact[0], tuple(map(self._word, fact[1:])))

    def _literal(self, words: tuple[str, ...]) -> Goal:
        if words[0] == "not":
            return Not(self._literal(words[1:]))
        return Literal(words[0], tuple(map(self._word, words[1:])))

    def _word(self, word: str) -> str:
        """A name of the rules as the file has it."""
        if word in self.names:
            return self.names[word]
        if word in self.group.zones:
            return f"{self.table.name}_{word}"
        owner, _, site = word.rpartition(".")
        return f"{self.names[owner]}_{site}"


def _inside(place: str) -> str:
    """Whether something starts on or in a site: drawers hold it, tops carry it."""
    return "In" if place.endswith(("_region",)) and "cook" not in place else "On"


def numbered(names: list[str]) -> dict[str, str]:
    """Names of task files, `type_1`, `type_2`, ..., by the rules' `type` or `type.which`."""
    counts: dict[str, int] = {}
    found = {}
    for name in names:
        kind = name.partition(".")[0]
        counts[kind] = counts.get(kind, 0) + 1
        found[name] = f"{kind}_{counts[kind]}"
    return found
