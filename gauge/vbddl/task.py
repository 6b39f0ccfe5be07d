"""The typed task: what a V-BDDL file says, without how it was written."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from gauge.core.items import Combination, Item
from gauge.vbddl.goal import Goal, Literal, Not
from gauge.vbddl.problems import Place

Rectangle = tuple[float, float, float, float]
Swap = tuple[tuple[tuple[str, ...], ...], ...]  # sets of groups of names


@dataclass(frozen=True, slots=True)
class Thing:
    """A declared object or fixture. Names and types are lower case."""

    name: str
    type: str
    place: Place | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Region:
    """A named part of a fixture, object or table.

    On a table (the workspace fixture of the problem) `ranges` gives rectangles (x_min, y_min, x_max, y_max) in
    metres of the table's frame; elsewhere the model of the target has a site of that name.
    `yaw` (lowest, highest; rad) turns fixtures placed there; `rgba` colours the marker (0 to 1).
    """

    name: str
    target: str
    ranges: tuple[Rectangle, ...] = ()
    yaw: tuple[float, float] | None = None
    rgba: Rectangle | None = None
    place: Place | None = field(default=None, compare=False)

    @property
    def full_name(self) -> str:
        """How `:init` and `:goal` call it: target, underscore, name."""
        return f"{self.target}_{self.name}"


@dataclass(frozen=True, slots=True)
class Task:
    """One task (Section 1 of VLA-GAUGE: instruction, layout, success criteria, execution conditions).

    Attributes:
        problem: LIBERO's problem class in lower case, which fixes the table and the robot's place.
        domain: `robosuite` for tasks that can run here.
        instruction: what the robot is told, exactly.
        regions, fixtures, objects: the layout.
        init: how the scene starts.
        goal: what has to hold at the end.
        obj_of_interest: names that LIBERO marks as relevant; they change nothing.
        items: the perturbation items of the `:variant` block; none is the clean task.
        shift: how far the whole layout may start from where it is written, to either side along x and y, m.
        swap: sets of groups that exchange their places from start to start; a group is of names of objects, or of
            regions of the table, which are places to go to.
        places: where each section stands in the file the task was read from.
    """

    problem: str
    domain: str
    instruction: str
    regions: tuple[Region, ...]
    fixtures: tuple[Thing, ...]
    objects: tuple[Thing, ...]
    init: tuple[Literal | Not, ...]
    goal: Goal
    obj_of_interest: tuple[str, ...] = ()
    items: tuple[Item, ...] = ()
    shift: tuple[float, float] = (0.0, 0.0)
    swap: Swap = ()
    places: Mapping[str, Place] = field(default_factory=dict, compare=False, repr=False)

    def __post_init__(self) -> None:
        """Bring declarations and items into the order in which a file holds them.

        Raises:
            GaugeError: two items change the same attribute.
        """
        object.__setattr__(self, "fixtures", _by_type(self.fixtures))
        object.__setattr__(self, "objects", _by_type(self.objects))
        object.__setattr__(self, "items", Combination.of(self.items).items)

    @property
    def types(self) -> Mapping[str, str]:
        """Type of every declared object and fixture."""
        return {thing.name: thing.type for thing in (*self.fixtures, *self.objects)}

    @property
    def members(self) -> Mapping[str, tuple[str, ...]]:
        """Names by type, in the order of declaration."""
        types = self.types
        return {kind: tuple(name for name in types if types[name] == kind) for kind in types.values()}


def _by_type(things: tuple[Thing, ...]) -> tuple[Thing, ...]:
    """The things type by type, types in the order of their first thing."""
    order = list(dict.fromkeys(thing.type for thing in things))
    return tuple(sorted(things, key=lambda thing: order.index(thing.type)))
