"""The perturbation space as a table: one row per value that stage 1 tries.

Columns: category, factor, attribute, value (a number or text), mutable (whether it may change during an episode),
combination (the label under which episodes of this value are found, `attribute=value`).
"""

from collections.abc import Iterable, Mapping
from typing import Any

import pandas as pd

from gauge.core.items import Combination, Item, Mode, Value
from gauge.errors import GaugeError
from gauge.protocol.tables import each, require

SPACE = ("category", "factor", "attribute", "value", "mutable", "combination")


def space_table(attributes: Iterable[Mapping[str, Any]]) -> pd.DataFrame:
    """The table of `attributes`, each with category, factor, attribute, values and mutable.

    Raises:
        GaugeError: an attribute is listed twice or repeats a value.
    """
    rows = [
        {
            **{name: entry[name] for name in ("category", "factor", "attribute", "mutable")},
            "value": value,
            "combination": static_item(entry["category"], entry["factor"], entry["attribute"], value).label,
        }
        for entry in attributes
        for value in entry["values"]
    ]
    # As objects: in a column of floats the value 2 would become 2.0, and so another label.
    frame = pd.DataFrame(rows, columns=list(SPACE), dtype=object).astype({"mutable": bool})
    twice = frame.combination[frame.combination.duplicated()]
    if len(twice):
        raise GaugeError(f"the perturbation space lists {twice.iloc[0]} twice")
    return frame


def static_item(category: str, factor: str, attribute: str, value: Value) -> Item:
    """A static item; a helper for rows of tables."""
    return Item(category, factor, attribute, (value,))


def combination_of(rows: pd.DataFrame) -> Combination:
    """The static combination of `rows`, each with category, factor, attribute and value."""
    require(rows, ("category", "factor", "attribute", "value"), "items")
    columns = zip(rows.category, rows.factor, rows.attribute, rows.value, strict=True)
    return Combination.of(static_item(*row) for row in columns)


def dynamic_combination_of(rows: pd.DataFrame, sensitive: pd.DataFrame) -> Combination:
    """Like `combination_of`, but every mutable attribute with at least 2 sensitive values draws from them.

    Args:
        rows: one row per item, with category, factor, attribute and value.
        sensitive: the sensitive values, see `gauge.protocol.sensitivity.sensitive_values`.
    """
    items = []
    for row in each(rows):
        found = sensitive[(sensitive.attribute == row.attribute) & sensitive.sensitive]
        moves = len(found) >= 2 and bool(found.mutable.all())
        mode: Mode = "dynamic" if moves else "static"
        values = tuple(found.value) if moves else (row.value,)
        items.append(Item(str(row.category), str(row.factor), str(row.attribute), values, mode))
    return Combination.of(items)
