"""Noise: blur of five kinds, as LIBERO-Plus degrades what the policy sees."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gauge.core.items import Value
from gauge.errors import GaugeError
from gauge.perturbations.base import EachImage, Perturbation
from gauge.perturbations.degrade import KINDS, SEVERITIES


@dataclass(frozen=True)
class Noise(EachImage, Perturbation):
    """A kind of degradation and its severity, e.g. `fog:6`, drawn from the episode's one generator.

    Kinds and strengths are those of LIBERO-Plus (which took them from ImageNet-C, Hendrycks and Dietterich 2019),
    stated for frames of 256 pixels and scaled to the policy's own size. A severity between two stated ones lies
    between them in strength.
    """

    def validate(self, value: object) -> Value:
        """`none`, or kind and severity (2 to 10) with a colon between."""
        if value == self.default:
            return str(value)
        kind, _, severity = str(value).partition(":")
        known = f"{self.attribute} is a kind and a severity, e.g. value.at=fog:6; kinds: {', '.join(KINDS)}"
        if kind not in KINDS:
            raise GaugeError(f"{self.attribute}: unknown value {value!r}; {known}")
        try:
            strength = float(severity)
        except ValueError:
            raise GaugeError(f"{self.attribute}: {value!r} has no severity; {known}") from None
        if not SEVERITIES[0] <= strength <= SEVERITIES[-1]:
            raise GaugeError(f"{self.attribute}: the severity of {value!r} is out of bounds; allowed: 2 to 10")
        return f"{kind}:{strength:g}"

    def image(self, image: NDArray[np.uint8], value: Value, rng: np.random.Generator) -> NDArray[np.uint8]:
        """The degraded frame."""
        if value == self.default:
            return image
        kind, _, severity = str(value).partition(":")
        blurred = KINDS[kind](image / 255.0, float(severity), rng)
        return np.asarray(np.rint(np.clip(blurred, 0.0, 1.0) * 255.0), dtype=np.uint8)
