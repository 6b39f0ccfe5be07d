"""What the names of a task stand for, and whether a literal uses them as its predicate wants."""

from collections.abc import Iterator
from difflib import get_close_matches

from gauge.errors import unknown
from gauge.vbddl.catalogue import Catalogue, Kind, Workspace
from gauge.vbddl.goal import Literal
from gauge.vbddl.predicates import PREDICATES, REFUSED
from gauge.vbddl.predicates import Kind as Role
from gauge.vbddl.task import Region, Task


class Names:
    """The names of one task, looked up in the catalogue."""

    def __init__(self, task: Task, catalogue: Catalogue) -> None:
        self.types = dict(task.types)
        self.movable = {thing.name for thing in task.objects}
        self.regions: dict[str, Region] = {region.full_name: region for region in task.regions}
        self.workspace: Workspace | None = catalogue.problems.get(task.problem)
        self.catalogue = catalogue

    @property
    def table(self) -> str:
        """Name of the workspace fixture."""
        return self.workspace.name if self.workspace else ""

    def kind(self, name: str) -> Kind | None:
        """Catalogue entry of a declared object or fixture."""
        return self.catalogue.types.get(self.types.get(name, ""))

    def on_table(self, region: Region) -> bool:
        """Whether the region is a rectangle of the table, not a site of a model."""
        return region.target == self.table

    def region_fault(self, region: Region) -> str:
        """Why the region is nowhere in the scene; empty if it is there."""
        if self.on_table(region):
            return "" if region.ranges else f"region {region.full_name!r} of the table has no (:ranges ...)"
        if self.table and self.table in region.full_name:
            return f"LIBERO takes region {region.full_name!r} for one of the table, whose name it holds; rename it"
        if region.target not in self.types:
            return f"region {region.name!r} has an {unknown('target', region.target, list(self.types))}"
        kind = self.kind(region.target)
        if kind is None or region.name in kind.regions:
            return ""
        if not kind.regions:
            return f"a {self.types[region.target]} has no regions, so {region.full_name!r} is nowhere"
        return str(unknown(f"region of a {self.types[region.target]}", region.name, list(kind.regions)))

    def undeclared(self, name: str) -> str:
        """The sentence on a name that is neither object, fixture nor region."""
        for target in self.types:
            kind = self.kind(target)
            if kind and name.startswith(f"{target}_") and name.removeprefix(f"{target}_") in kind.regions:
                part = name.removeprefix(f"{target}_")
                return f"region {name!r} is not declared; add ({part} (:target {target})) to :regions"
        return str(unknown("name", name, [*self.types, *self.regions]))

    def literal_faults(self, literal: Literal) -> Iterator[str]:
        """What is wrong with a literal without variables: predicate, number of names, each name."""
        word = literal.predicate.lower()
        if word in REFUSED:
            yield f"'{literal.predicate}' is refused: {REFUSED[word]}"
            return
        predicate = PREDICATES.get(word)
        if predicate is None:
            close = get_close_matches(word, PREDICATES, n=3, cutoff=0.4) or list(PREDICATES)
            yield f"unknown predicate {word!r}; did you mean {', '.join(PREDICATES[each].name for each in close)}"
            return
        if len(literal.arguments) != len(predicate.kinds):
            takes = f"{predicate.name} takes {len(predicate.kinds)} name{'s' * (len(predicate.kinds) > 1)}"
            yield f"{takes}, not {len(literal.arguments)}; write {predicate.usage}"
            return
        for role, name in zip(predicate.kinds, literal.arguments, strict=True):
            fault = self._fault(word, role, name)
            if fault:
                yield fault
        if len(literal.arguments) == 2 and literal.arguments[0] == literal.arguments[1]:
            yield f"{literal} relates {literal.arguments[0]} to itself"

    def _fault(self, word: str, role: Role, name: str) -> str:
        """Why `name` cannot play the role in the predicate `word`; empty if it can."""
        region = self.regions.get(name)
        if region is None and name not in self.types:
            return self.undeclared(name)
        predicate = PREDICATES[word].name
        if name == self.table:
            return f"{predicate} needs a region of the table, not {name!r} itself"
        if role == "object":
            return f"{name!r} is a region; {PREDICATES[word].usage} wants an object there" if region else ""
        if role == "place" and region is None:
            return ""
        if role in ("place", "region"):
            return self._region_role(predicate, name, region)
        if role == "solid":
            return self._solid_role(predicate, name, region)
        return self._state_role(word, predicate, name, region)

    def _region_role(self, predicate: str, name: str, region: Region | None) -> str:
        if region is None:
            kind = self.kind(name)
            known = ", ".join(f"{name}_{each}" for each in (kind.regions if kind else ()))
            return f"{predicate} needs a region, not the object {name!r}" + (f"; it has {known}" if known else "")
        fault = self.region_fault(region)
        kind = self.kind(region.target)
        site = kind.regions.get(region.name) if kind else None
        if fault or site is None or site.shape == "box":
            return fault
        return f"region {name!r} is a {site.shape}; {predicate} can only be judged for a box"

    def _solid_role(self, predicate: str, name: str, region: Region | None) -> str:
        if region or name not in self.movable:
            return f"{predicate} is for objects that move freely, not for {name!r}"
        kind = self.kind(name)
        return f"nobody knows which end of a {self.types[name]} is up" if kind and not kind.up else ""

    def _state_role(self, word: str, predicate: str, name: str, region: Region | None) -> str:
        owner = region.target if region else name
        kind = self.kind(owner)
        if region and self.region_fault(region):
            return self.region_fault(region)
        if kind is None and owner != self.table:
            return ""
        if kind is None or word not in kind.states:
            able = sorted(each for each, entry in self.catalogue.types.items() if word in entry.states)
            return f"{predicate} says nothing about a {self.types.get(owner, owner)}; it is for {', '.join(able)}"
        if region and word.startswith("turn"):
            return f"{name!r} is a region; {predicate} wants {owner!r} itself"
        if region and not kind.regions[region.name].joints:
            return f"region {name!r} does not move by itself; write ({predicate} {owner})"
        return ""
