"""What a perturbation is: a named attribute with validated values and one explicit stage."""

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal, NamedTuple, get_args
from xml.etree.ElementTree import Element, fromstring, tostring

import numpy as np
from numpy.typing import NDArray

from gauge.core.items import Item, Mode, Value
from gauge.errors import GaugeError

if TYPE_CHECKING:
    from gauge.perturbations.roles import Roles
    from gauge.sim.edits import SceneEdits
    from gauge.suites import Task

Stage = Literal["compile", "start", "action", "observation"]
STAGES: tuple[Stage, ...] = ("compile", "start", "action", "observation")
Evidence = Literal["paper", "cited work", "assumption"]

ActionFilter = Callable[[NDArray[np.float64], Value, np.random.Generator], NDArray[np.float64]]
ImageFilter = Callable[[NDArray[np.uint8], Value, np.random.Generator], NDArray[np.uint8]]


@dataclass(frozen=True)
class Perturbation(ABC):
    """One attribute of the perturbation space; the fields come from its config option.

    Subclasses add `stage`, whether the value may change during an episode, how a value is checked,
    and what their stage asks for: `edit`, `rebuild` and `settle`, or `filter`. `evidence` says where the levels
    come from. `touches` names what is changed; two items that touch the same thing cannot be combined.
    """

    category: str
    factor: str
    attribute: str
    unit: str
    default: Value
    levels: tuple[Value, ...]
    source: str = ""
    evidence: str = "assumption"

    stage: ClassVar[Stage]
    mutable: ClassVar[bool] = True
    touches: ClassVar[str] = ""

    def __post_init__(self) -> None:
        if self.evidence not in get_args(Evidence):
            raise GaugeError(f"{self.attribute}: evidence is one of {', '.join(get_args(Evidence))}")
        for level in self.levels:
            if self.validate(level) == self.default:
                raise GaugeError(f"{self.attribute}: the default {self.default} cannot be one of its levels")
        if len(set(self.levels)) != len(self.levels):
            raise GaugeError(f"{self.attribute}: levels repeat a value: {list(self.levels)}")

    @abstractmethod
    def validate(self, value: object) -> Value:
        """`value` in its canonical form.

        Raises:
            GaugeError: the value is of the wrong kind or out of bounds.
        """

    def fit(self, task: "Roles", instruction: str, values: tuple[Value, ...]) -> None:  # noqa: B027 - optional
        """Say whether these values make sense in a task; most do in every one.

        Raises:
            NotApplicableError: they do not, and why.
        """

    def item(self, values: tuple[object, ...], mode: Mode = "static") -> Item | None:
        """The item for these values; None when it is static at the default, which changes nothing."""
        if mode == "dynamic" and not self.mutable:
            raise GaugeError(f"{self.attribute} cannot change during an episode; use value=point or value=range")
        checked = tuple(self.validate(value) for value in values)
        if mode == "static" and checked == (self.default,):
            return None
        return Item(self.category, self.factor, self.attribute, checked, mode)


@dataclass(frozen=True)
class NumericPerturbation(Perturbation):
    """An attribute whose value is one number within closed bounds."""

    low: ClassVar[float]
    high: ClassVar[float]

    def validate(self, value: object) -> Value:
        """The value as a float within [low, high]."""
        if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
            raise GaugeError(f"{self.attribute} takes a number in {self.unit}, not {value!r}; {self._allowed()}")
        if not self.low <= value <= self.high:
            raise GaugeError(f"{self.attribute}={value:g} is out of bounds; {self._allowed()}")
        return float(value)

    def _allowed(self) -> str:
        levels = ", ".join(map(str, self.levels))
        return (
            f"allowed: {self.low:g} to {self.high:g} {self.unit}, e.g. value.at={self.levels[0]} "
            f"(value=range sweeps {levels})"
        )


@dataclass(frozen=True)
class IntegerPerturbation(NumericPerturbation):
    """An attribute whose value is a whole number within closed bounds."""

    def validate(self, value: object) -> Value:
        """The value as an int within [low, high]."""
        number = super().validate(value)
        if int(number) != number:
            raise GaugeError(f"{self.attribute} takes whole numbers, not {value!r}; {self._allowed()}")
        return int(number)


@dataclass(frozen=True)
class ChoicePerturbation(Perturbation):
    """An attribute whose value is one of a few words."""

    choices: ClassVar[tuple[str, ...]]

    def validate(self, value: object) -> Value:
        """The word, or the default."""
        if value == self.default and isinstance(value, str):
            return value
        if value not in self.choices:
            raise GaugeError(f"{self.attribute}: unknown value {value!r}; allowed: {', '.join(self.choices)}")
        return str(value)


class Bound(NamedTuple):
    """An item and the code behind its attribute."""

    item: Item
    perturbation: Perturbation


class StartPerturbation(Perturbation):
    """Changes fields of the compiled scene; every edit is undone at the end of the episode."""

    stage: ClassVar[Stage] = "start"

    @abstractmethod
    def edit(self, edits: "SceneEdits", value: Value) -> None:
        """Write `value` into the scene through `edits`, from the unperturbed fields."""


@dataclass(frozen=True)
class CompilePerturbation(Perturbation):
    """Changes the model before it is compiled; the scene is another one, and the value holds for whole episodes."""

    stage: ClassVar[Stage] = "compile"
    mutable: ClassVar[bool] = False

    @abstractmethod
    def rebuild(self, world: Element, task: "Task", value: Value) -> None:
        """Change the MJCF tree `world` in place."""

    @abstractmethod
    def settle(self, edits: "SceneEdits", value: Value, rng: np.random.Generator) -> None:
        """Bring the start in line with the rebuilt scene, before it settles."""


@dataclass(frozen=True, slots=True)
class Change:
    """One compile-stage value in one task: takes the MJCF text of the scene and returns the changed one."""

    perturbation: CompilePerturbation
    task: "Task"
    value: Value

    def __call__(self, mjcf: str) -> str:
        """The changed MJCF."""
        world = fromstring(mjcf)
        self.perturbation.rebuild(world, self.task, self.value)
        return tostring(world, encoding="unicode")


def changes(bound: Sequence[Bound], task: "Task") -> tuple[Change, ...]:
    """What the items change in the model of the task before it is compiled; scenes with the same are the same."""
    return tuple(
        Change(one.perturbation, task, one.item.values[0])
        for one in bound
        if isinstance(one.perturbation, CompilePerturbation)
    )


class ActionPerturbation(Perturbation):
    """Transforms the stream of executed actions."""

    stage: ClassVar[Stage] = "action"

    @abstractmethod
    def filter(self) -> ActionFilter:
        """What transforms one episode's actions; one that remembers makes a new memory here."""


class EachAction(ActionPerturbation):
    """Transforms every action by itself, remembering nothing."""

    def filter(self) -> ActionFilter:
        """The transformation itself."""
        return self.action

    @abstractmethod
    def action(self, action: NDArray[np.float64], value: Value, rng: np.random.Generator) -> NDArray[np.float64]:
        """The executed action [7] for the commanded `action` [7]; called once per control step."""


class ObservationPerturbation(Perturbation):
    """Transforms what the policy sees, on every camera, in upright orientation and policy size."""

    stage: ClassVar[Stage] = "observation"

    @abstractmethod
    def filter(self) -> ImageFilter:
        """What transforms one episode's frames; one that remembers makes a new memory here."""


class EachImage(ObservationPerturbation):
    """Transforms every frame by itself, remembering nothing."""

    def filter(self) -> ImageFilter:
        """The transformation itself."""
        return self.image

    @abstractmethod
    def image(self, image: NDArray[np.uint8], value: Value, rng: np.random.Generator) -> NDArray[np.uint8]:
        """The seen frame, uint8 [H, W, 3], for the rendered `image` of the same shape."""
