"""What a stage works with: it asks for episodes, missing ones are run first, and gets tables of what is stored."""

import logging
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import pandas as pd
from omegaconf import DictConfig

from gauge.core.items import Combination
from gauge.core.seeds import seed
from gauge.protocol import integrity
from gauge.protocol.tables import rates
from gauge.study.board import look
from gauge.study.lanes import Crew
from gauge.study.launch import launch
from gauge.study.plan import Left, Want, plan_table, wants
from gauge.study.results import Result
from gauge.study.space import Space

log = logging.getLogger(__name__)
Episodes = Mapping[str, Sequence[int]]


@dataclass
class Lab:
    """One stage at work.

    Attributes:
        cfg: the study's settings.
        crew: who is evaluated where.
        space: the perturbations.
        before: results of the stages before.
        used: cells whose records were read, by folder name, with the episodes that were asked for.
        hashes: of those episodes, by the same.
        left: scenarios in which a combination makes no sense.
        missing: wanted episodes without a result at the last look, by cell.
        ran_s: seconds spent on running episodes.
    """

    cfg: DictConfig
    crew: Crew
    space: Space
    before: Mapping[str, Result]
    used: dict[str, Episodes] = field(default_factory=dict)
    hashes: dict[str, str] = field(default_factory=dict)
    left: dict[Left, None] = field(default_factory=dict)
    missing: dict[str, Want] = field(default_factory=dict)
    ran_s: float = 0.0

    def evaluate(
        self, models: Iterable[str], combinations: Iterable[Combination], episodes: Episodes
    ) -> tuple[pd.DataFrame, pd.DataFrame]:
        """Episodes and rates of the models under the combinations; what is missing is run first.

        Every planned (model, combination, scenario) has a row in the rates, with n = 0 where nothing is known.
        """
        wanted, left = wants(self.crew, self.space, models, combinations, episodes)
        self.left |= dict.fromkeys(left)
        return self.observe(wanted)

    def observe(self, wanted: Sequence[Want]) -> tuple[pd.DataFrame, pd.DataFrame]:
        """The same for single wants, no two of the same cell.

        Raises:
            GaugeError: the results mix conditions.
        """
        board = look(self.crew, wanted)
        if board.missing:
            log.info("%d episodes in %d cells to run", sum(want.size for want in board.missing), len(board.missing))
            began = time.monotonic()
            launch(self.crew, board.missing, self.space)
            self.ran_s += time.monotonic() - began
            board = look(self.crew, wanted)
        integrity.refuse_mixed(board.conditions)
        self.used |= {want.cell: want.episodes for want in wanted}
        self.hashes |= board.hashes
        absent = {want.cell: want for want in board.missing}
        self.missing = {name: want for name, want in self.missing.items() if name not in board.hashes} | absent
        return board.episodes, filled(rates(board.episodes), plan_table(wanted))

    def rng(self, *scope: str) -> np.random.Generator:
        """A generator that depends on the study's seed and on `scope` alone."""
        return np.random.default_rng(seed("study", int(self.cfg.seed), *scope))

    def table(self, stage: str, name: str) -> pd.DataFrame:
        """A table of a stage before."""
        return self.before[stage].tables[name]

    @property
    def scenarios(self) -> pd.DataFrame:
        """All scenarios, see `gauge.protocol.tables`."""
        return self.crew.scenarios

    def notes(self) -> dict[str, pd.DataFrame]:
        """What was left out and what is missing, as tables; empty ones are left out."""
        left = pd.DataFrame([(one.combination, one.scenario_id, one.reason) for one in self.left])
        gaps = [
            (want.lane.model, want.combination.label, scenario, len(rollouts), name)
            for name, want in self.missing.items()
            for scenario, rollouts in want.episodes.items()
        ]
        found = {}
        if len(left):
            found["not_applicable"] = left.set_axis(["combination", "scenario_id", "reason"], axis=1)
        if gaps:
            found["missing"] = pd.DataFrame(gaps, columns=["model", "combination", "scenario_id", "episodes", "cell"])
        return found


def filled(found: pd.DataFrame, plan: pd.DataFrame) -> pd.DataFrame:
    """The rates with a row for everything that was planned, also where no episode is stored."""
    keys = list(plan.columns)
    frame = plan.merge(found, on=keys, how="left")
    counts = ["successes", "n", "errors"]
    frame[counts] = frame[counts].fillna(0).astype(int)
    frame["sr"] = frame.sr.astype("Float64")
    return frame.sort_values(keys, kind="stable", ignore_index=True)
