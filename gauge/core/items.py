"""Perturbation items and their combinations: what changes, by which value, in which mode."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from gauge.errors import GaugeError

Value = float | str
Mode = Literal["static", "dynamic"]

WORD = re.compile(r"[A-Za-z_][\w.+-]*", re.ASCII)


@dataclass(frozen=True, slots=True)
class Item:
    """One perturbation: (category, factor, attribute, value or value set, mode).

    A static item holds one value; a dynamic item holds the set from which a value is drawn anew at
    steps 0, floor(H/3) and floor(2H/3) (VLA-GAUGE, Section III).
    """

    category: str
    factor: str
    attribute: str
    values: tuple[Value, ...]
    mode: Mode = "static"

    def __post_init__(self) -> None:
        if self.mode == "static" and len(self.values) != 1:
            raise GaugeError(f"{self.attribute}: a static item has one value, not {len(self.values)}")
        if self.mode == "dynamic" and len(set(self.values)) < 2:
            raise GaugeError(f"{self.attribute}: a dynamic item needs at least 2 different values; use value=point")

    def __str__(self) -> str:
        """The item in V-BDDL."""
        shown = " ".join(map(value_text, self.values))
        values = f"(:value {shown})" if self.mode == "static" else f"(:values {shown})"
        return (
            f"(:item (:category {self.category}) (:factor {self.factor}) "
            f"(:attribute {self.attribute}) {values} (:mode {self.mode}))"
        )

    @property
    def label(self) -> str:
        """Short form for names and tables: `image_shift=0.1` or `image_shift=dynamic`."""
        return f"{self.attribute}={self.values[0] if self.mode == 'static' else 'dynamic'}"


@dataclass(frozen=True, slots=True)
class Combination:
    """Conflict-checked items in canonical order (by attribute); empty is the clean scene."""

    items: tuple[Item, ...] = ()

    @classmethod
    def of(cls, items: Iterable[Item]) -> "Combination":
        """The combination of `items`.

        Raises:
            GaugeError: two items change the same attribute.
        """
        ordered = tuple(sorted(items, key=lambda item: item.attribute))
        names = [item.attribute for item in ordered]
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise GaugeError(
                f"two items change {', '.join(twice)}; list each perturbation once (perturbation= or pfc=)"
            )
        return cls(ordered)

    @property
    def label(self) -> str:
        """Short form for names and tables; `clean` when nothing changes."""
        return "+".join(item.label for item in self.items) or "clean"


def value_text(value: Value) -> str:
    """A value as V-BDDL writes it: numbers and plain words bare, any other text in quotes."""
    if not isinstance(value, str) or WORD.fullmatch(value):
        return str(value)
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def resample_steps(horizon: int) -> tuple[int, int, int]:
    """The steps at which a dynamic item draws anew: 0, floor(H/3), floor(2H/3)."""
    return 0, horizon // 3, 2 * horizon // 3
