"""Measures of what transforms the streams: executed actions and frames, on test signals of known shape."""

import numpy as np
from numpy.typing import NDArray

from gauge.rollout.perturbed import ActivePerturbations
from gauge.validate.amounts import Amount, Measure, number, numbers
from gauge.validate.view import View

Array = NDArray[np.float64]
STEPS = 2000
CARD_PX = 256


def _executed(view: View, commanded: Array) -> Array:
    active = ActivePerturbations([view.bound], view.seed, len(commanded))
    return np.array([active.action(action) for action in commanded])


def _commands() -> Array:
    """A stream [2000, 7] in which no two actions are alike and no bias or noise of the list is clipped."""
    return np.random.default_rng(0).uniform(-0.5, 0.5, (STEPS, 7))


def noise(view: View) -> Amount:
    """The standard deviation over the six arm dimensions, of commands of rest; the gripper must be untouched."""
    out = _executed(view, np.zeros((STEPS, 7)))
    sigma = float(view.value)
    found = number(sigma, float(out[:, :6].std()), 0.04 * sigma)
    centered = abs(out[:, :6].mean()) < 4 * sigma / np.sqrt(6 * STEPS)
    return found._replace(agrees=found.agrees and bool(centered and not out[:, 6].any()))


def bias(view: View) -> Amount:
    """The constant difference on y; all other dimensions must be untouched."""
    change = _executed(view, _commands()) - _commands()
    found = number(float(view.value), float(change[:, 1].mean()), 1e-9)
    constant = np.ptp(change[:, 1]) < 1e-9 and not np.delete(change, 1, axis=1).any()
    return found._replace(agrees=found.agrees and bool(constant))


def delay(view: View) -> Amount:
    """The shift in steps at which the executed stream is the commanded one; before it there must be no-ops."""
    commanded = _commands()
    out = _executed(view, commanded)
    steps = next((k for k in range(50) if np.array_equal(out[k:], commanded[: STEPS - k])), -1)
    found = number(float(view.value), steps, 0)
    return found._replace(agrees=found.agrees and not out[:steps].any())


def drop(view: View) -> Amount:
    """The share of steps that repeat the action before; all others must be untouched."""
    commanded = _commands()
    out = _executed(view, commanded)
    lost = (out != commanded).any(axis=1)
    before = np.vstack([np.zeros(7), out[:-1]])
    found = number(float(view.value), float(lost.mean()), 0.045)  # four standard errors at one half
    return found._replace(agrees=found.agrees and bool(np.array_equal(out[lost], before[lost])))


def _seen(view: View, card: NDArray[np.uint8]) -> NDArray[np.uint8]:
    return ActivePerturbations([view.bound], view.seed, 1).image(card)


def _white() -> NDArray[np.uint8]:
    return np.full((CARD_PX, CARD_PX, 3), 255, dtype=np.uint8)


def area(view: View) -> Amount:
    """The share of a white card that no longer is white."""
    return number(float(view.value), float((_seen(view, _white()) != 255).any(axis=2).mean()), 0.012)


def shift(view: View) -> Amount:
    """The share of columns by which a ramp moved to the right; what is left free must be black."""
    ramp = np.repeat(np.tile(np.arange(CARD_PX, dtype=np.uint8), (CARD_PX, 1))[..., None], 3, axis=2)
    out = _seen(view, ramp)
    first, last = int(out[0, 0, 0]), int(out[0, -1, 0])
    moved = -first if first else CARD_PX - 1 - last
    expected = np.zeros_like(ramp)
    if moved >= 0:
        expected[:, moved:] = ramp[:, : CARD_PX - moved]
    else:
        expected[:, :moved] = ramp[:, -moved:]
    found = number(float(view.value), moved / CARD_PX, 0.5 / CARD_PX + 1e-9)
    return found._replace(agrees=found.agrees and bool(np.array_equal(out, expected)))


def rotation(view: View) -> Amount:
    """The angle (degrees, counter-clockwise) by which the direction of a ramp turned."""
    ramp = np.repeat(np.tile(np.arange(CARD_PX, dtype=np.uint8), (CARD_PX, 1))[..., None], 3, axis=2)
    middle = slice(CARD_PX // 2 - 40, CARD_PX // 2 + 40)
    patch = _seen(view, ramp)[middle, middle, 0].astype(np.float64)
    rows, columns = np.mgrid[: len(patch), : len(patch)]
    plane = np.column_stack([columns.ravel(), rows.ravel(), np.ones(patch.size)])
    (across, down, _), *_ = np.linalg.lstsq(plane, patch.ravel(), rcond=None)
    return number(float(view.value), float(np.degrees(np.arctan2(-down, across))), 0.2)


def degraded(view: View) -> Amount:
    """How much a card of random squares changes, in grey levels; the strengths are LIBERO-Plus's table itself."""
    squares = np.random.default_rng(0).integers(0, 255, (16, 16, 3), dtype=np.uint8)
    card = np.kron(squares, np.ones((16, 16, 1), dtype=np.uint8))
    change = np.abs(_seen(view, card).astype(np.int16) - card).mean()
    return numbers(view.value, 0.0, 0, "")._replace(measured=f"changes {change:.1f} grey levels", agrees=change > 1)


MEASURES: dict[str, Measure] = {
    "action_bias": bias,
    "action_drop": drop,
    "action_noise": noise,
    "execution_delay": delay,
    "image_erasing": area,
    "image_occlusions": area,
    "image_rotation": rotation,
    "image_shift": shift,
    "noise": degraded,
}
