"""How much of a half could be had without vision or without language, from what certificates say of shortcuts.

Either may be at most a guess among the goals of a scene, and a tenth.
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
        without_vision: success rate of a witness, played in starts that it was not recorded in.
        without_language: that of someone who sees and acts like the expert, but picks one of the goals that the scene
            allows without reading which is meant.
        chance: one by the number of these goals.
    """

    without_vision: float
    without_language: float
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
    goals: dict[str, set[str]] = {}
    for one in scenarios:
        goals.setdefault(one.layout, set()).add(known[one.id].solution)
    numbers = [len(goals[one.layout]) for one in scenarios]
    guessed = [(it.solved.rate + (n - 1) * it.both.rate) / n for it, n in zip(found, numbers, strict=True)]
    rates = ([it.replay.rate for it in found], guessed, [1 / n for n in numbers])
    return Blind(*(sum(rate) / len(found) for rate in rates))


def problems(scenarios: Sequence[Scenario], known: Mapping[str, Certificate]) -> Iterator[str]:
    """Halves of which someone without vision or language has more than a guess among the goals, and a tenth."""
    for (capability, split), part in groupby(scenarios, key=lambda one: (one.capability, one.split)):
        found = blind(list(part), known)
        if found is None:
            continue
        for what, rate in (("vision", found.without_vision), ("language", found.without_language)):
            if rate > found.most:
                yield f"{capability}/{split}: {rate:.2f} are solved without {what}; at most {found.most:.2f} may be"
