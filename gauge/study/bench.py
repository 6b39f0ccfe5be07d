"""The anchors, on which perturbations are tried: with all rollouts at once, or with some and more where it matters."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from gauge.core.items import Combination
from gauge.protocol.adaptive import FIRST, Floats, more
from gauge.protocol.tables import CLEAN
from gauge.protocol.twins import Counts, Twins
from gauge.study.lab import Lab
from gauge.study.plan import Want, wants

ADAPTIVE = "adaptive"


@dataclass
class Bench:
    """What was seen on the anchors so far, by the combinations' labels.

    Attributes:
        lab: the stage at work.
        models: who is evaluated.
        reference: of those the reference models, which alone decide.
        anchors: scenario ids.
        asked: rollouts by label.
        looks: of all races.
        doubt: of each race at its end, the share of completed grids that would decide otherwise.
    """

    lab: Lab
    models: list[str]
    reference: list[str]
    anchors: list[str]
    asked: dict[str, int] = field(default_factory=dict)
    looks: int = 0
    doubt: list[float] = field(default_factory=list)
    _built: dict[str, Combination] = field(default_factory=lambda: {CLEAN: Combination()})
    _episodes: dict[str, pd.DataFrame] = field(default_factory=dict)
    _rates: dict[str, pd.DataFrame] = field(default_factory=dict)
    _twins: Twins | None = None

    @classmethod
    def of(cls, lab: Lab) -> "Bench":
        """By what the stages before have found."""
        reference = list(lab.table("zero_shot", "reference").model)
        models = list(lab.crew.models) if lab.cfg.anchor_models == "all" else reference
        return cls(lab, models, reference, list(lab.table("anchors", "anchors").scenario_id.dropna()))

    @property
    def adaptive(self) -> bool:
        """Whether rollouts are spent bit by bit."""
        return bool(self.lab.cfg.budget == ADAPTIVE)

    def run(self, built: Mapping[str, Combination], first: bool = False) -> None:
        """Run combinations that were not tried yet: all rollouts, or with `first` an adaptive budget's first ones."""
        self._built |= {label: one for label, one in built.items() if label not in self._built}
        most = int(self.lab.cfg.rollouts)
        few = min(FIRST, most) if first and self.adaptive else most
        self._ask({label: most if label == CLEAN else few for label in [CLEAN, *built] if label not in self.asked})

    def run_on(self, labels: Sequence[str]) -> None:
        """Give these more rollouts."""
        self._ask({label: more(self.asked[label], int(self.lab.cfg.rollouts)) for label in labels})

    def again(self) -> tuple[pd.DataFrame, pd.DataFrame]:
        """Episodes and rates of everything that was tried, read at once."""
        return self.lab.observe(self._wanted(self.asked))

    def all_rates(self) -> pd.DataFrame:
        """Rates of everything that was tried."""
        return pd.concat(list(self._rates.values()), ignore_index=True)

    def all_episodes(self) -> pd.DataFrame:
        """Episodes of everything that was tried."""
        return pd.concat([part.astype({"combination": str, "model": str}) for part in self._episodes.values()])

    def counts(self, labels: Sequence[str]) -> tuple[Counts, Floats, NDArray[np.bool_]]:
        """What a race needs of these: counts by clean twin, clean success [V, M], and which of them can be scored [V].

        Reference models without clean success on the anchors have no R; they are left out.
        """
        twins = self._usable()
        fits = [set(self._rates[label].scenario_id) for label in labels]
        where = np.array([[name in own for name in self.anchors] for own in fits]).reshape(len(labels), -1)
        clean = twins.rate(where)
        asked = np.array([self.asked[label] for label in labels])
        seen = pd.concat([self._episodes[label].astype({"combination": str}) for label in labels])
        counted = Counts(*twins.count(seen, labels), twins.left(where, asked))
        known = (np.nan_to_num(clean) > 0).all(axis=1) & (counted.n.sum(axis=2) > 0).all(axis=1)
        return counted, clean, known & (clean.shape[1] > 0)

    def spent(self) -> pd.DataFrame:
        """One row per combination: combination, rollouts (in every scenario), full (what the full grid has)."""
        rows = [(label, rollouts) for label, rollouts in self.asked.items() if label != CLEAN]
        return pd.DataFrame(rows, columns=["combination", "rollouts"]).assign(full=int(self.lab.cfg.rollouts))

    def said(self) -> str:
        """One sentence on the budget."""
        table = self.spent()
        share, error = table.rollouts.sum() / max(1, table.full.sum()), self.lab.cfg.error
        return (
            f"Adaptive budget: {share:.0%} of the full grid's rollouts in {self.looks} looks; at most "
            f"{max(self.doubt, default=0.0):.1%} of the completed grids decide otherwise ({error:.0%} were allowed)."
        )

    def _usable(self) -> Twins:
        if self._twins is None:
            rollouts = int(self.lab.cfg.rollouts)
            every = Twins.of(self._episodes[CLEAN], self.reference, self.anchors, rollouts)
            good: NDArray[np.bool_] = every.won.sum(axis=(1, 2)) > 0
            names = tuple(name for name, usable in zip(every.models, good, strict=True) if usable)
            self._twins = Twins(names, every.scenarios, every.won[good], every.known[good])
        return self._twins

    def _ask(self, rollouts: Mapping[str, int]) -> None:
        """Have so many rollouts of each label, and keep what they came to."""
        if not rollouts:
            return
        self.asked |= rollouts
        episodes, rates = self.lab.observe(self._wanted(rollouts))
        for kept, frame in ((self._episodes, episodes), (self._rates, rates)):
            parts: Any = {str(label): part for label, part in frame.groupby("combination", observed=True)}
            kept |= {label: parts.get(label, frame.iloc[:0]) for label in rollouts}

    def _wanted(self, rollouts: Mapping[str, int]) -> list[Want]:
        found: list[Want] = []
        for number in sorted(set(rollouts.values())):
            chosen = [self._built[label] for label, asked in rollouts.items() if asked == number]
            where = dict.fromkeys(self.anchors, range(number))
            wanted, left = wants(self.lab.crew, self.lab.space, self.models, chosen, where)
            self.lab.left |= dict.fromkeys(left)
            found += wanted
        return found
