"""How much of a half could be had without eyes or without language, from what certificates say of shortcuts.

The measure is 2.7's fourth of the suites' design: at most one goal of those in a scene, and a tenth.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from gauge.suites.certificate import MOST_REPLAYED, Certificate
from gauge.suites.scenario import Scenario


@dataclass(frozen=True, slots=True)
class Blind:
    """Means over the certified scenarios of a half.

    Attributes:
        eyes: success rate of its witness, played in starts that it was not recorded in: without eyes.
        ears: of someone with eyes and hands like the expert's, who picks one of the goals that the scene allows without
            listening: without language.
        chance: one by the number of these goals.
    """

    eyes: float
    ears: float
    chance: float

    @property
    def most(self) -> float:
        """The highest rate that either may have."""
        return self.chance + MOST_REPLAYED


def blind(scenarios: Sequence[Scenario], known: Mapping[str, Certificate]) -> Blind | None:
    """Of these scenarios of one half; None where not all are certified, or none was ever looked at this way."""
    found = [known[one.id] for one in scenarios if one.id in known]
    if len(found) < len(scenarios) or not all(one.replay.n and one.both.n for one in found):
        return None
    goals = {
        one.layout: len({known[it.id].solution for it in scenarios if it.layout == one.layout}) for one in scenarios
    }
    numbers = [goals[one.layout] for one in scenarios]
    heard = [(one.solved.rate + (n - 1) * one.both.rate) / n for one, n in zip(found, numbers, strict=True)]
    rates = ([one.replay.rate for one in found], heard, [1 / n for n in numbers])
    eyes, ears, chance = (sum(rate) / len(found) for rate in rates)
    return Blind(eyes, ears, chance)


def problems(scenarios: Sequence[Scenario], known: Mapping[str, Certificate]) -> Iterator[str]:
    """Halves of which someone without eyes or ears would have more than a guess among the goals, and a tenth."""
    for (capability, split), part in groupby(scenarios, key=lambda one: (one.capability, one.split)):
        found = blind(list(part), known)
        if found is None:
            continue
        for what, rate in (("eyes", found.eyes), ("language", found.ears)):
            if rate > found.most:
                yield f"{capability}/{split}: {rate:.2f} are solved without {what}; at most {found.most:.2f} may be"
