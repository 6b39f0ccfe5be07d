"""The stated amount of a value and what was measured of it, for each of the 33 attributes.

Measured from model, positions, streams and frames, not by asking the perturbation's own code.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from gauge.validate.view import View


class Amount(NamedTuple):
    """What a value says, what was found, and whether that agrees."""

    stated: str
    measured: str
    agrees: bool


Measure = Callable[[View], Amount]


def number(stated: float, measured: float, tolerance: float) -> Amount:
    """A number that must be met within an absolute tolerance."""
    return Amount(f"{stated:g}", f"{measured:.4g}", bool(abs(stated - measured) <= tolerance))


def numbers(stated: object, error: float, tolerance: float, unit: str) -> Amount:
    """A vector of which the largest error is reported."""
    return Amount(str(stated), f"off by {error:.2g} {unit}".strip(), bool(np.isfinite(error) and error <= tolerance))


def measure(view: View) -> Amount:
    """What became of the value in this view."""
    from gauge.validate import amounts_scene, amounts_streams, amounts_things

    known = {**amounts_scene.MEASURES, **amounts_things.MEASURES, **amounts_streams.MEASURES}
    return known[view.bound.item.attribute](view)
