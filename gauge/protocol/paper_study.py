"""A synthetic study of the paper's shape: 12 policies whose factor scores follow the order that its text implies.

Its truth is made up; only its structure is the paper's (270 scenarios, 268 values, and which factors hurt more than
others, `perturbation_space.md`). So it shows what the stages do with such scores: 7 category combinations, 2 + 4 + 9
factor combinations, and the three that the paper retains.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from gauge.core.items import Combination
from gauge.protocol import paper, screening, selection, sensitivity
from gauge.protocol.anchors import anchor_scenarios, anchors, difficulty
from gauge.protocol.reference import reference_models
from gauge.protocol.robustness import r_scores
from gauge.protocol.schedule import mode_schedule
from gauge.protocol.space import combination_of
from gauge.protocol.synthetic import SyntheticPolicy, clean_probabilities, simulate
from gauge.protocol.tables import each, each_group, rates
from gauge.protocol.zero_shot import capability_rates, zero_shot

# R at each factor's worst value. Implied by the paper's screening: action > robot; target object, image > camera;
# camera > robot; the five visual factors of PFC(3,6) > camera. The last visual factor is above robot.
WORST = {
    "background": 0.94,
    "image_occlusion": 0.92,
    "light": 0.92,
    "object_appearance": 0.90,
    "noise": 0.80,
    "distractor_object": 0.68,
    "target_object": 0.92,
    "image": 0.85,
    "camera": 0.56,
    "action": 0.60,
    "robot": 0.30,
}
# The paper stops at PFC(2,4) and PFC(3,9), which hold these three; PFC(1,2) and all PCCs lack one. PFC(3,6) beats its
# own extensions, so something in them must help: here the distractor, once there is noise.
INTERACTION = {
    frozenset({"robot", "camera", "image"}): 0.0,
    frozenset({"robot", "camera"}): 0.4,
    frozenset({"noise", "action"}): 0.25,
    frozenset({"noise", "distractor_object"}): 6.0,
}
SKILLS = (1.3, 0.9, 0.1, 0.0, -0.1, -0.2, -0.3, -0.4, -0.5, -0.8, -1.2, -1.5)


@dataclass(frozen=True, slots=True)
class PaperStudy:
    """The tables of all stages of one synthetic study."""

    scenarios: pd.DataFrame
    reference: pd.DataFrame
    anchors: pd.DataFrame
    space: pd.DataFrame
    factors: pd.DataFrame
    categories: pd.DataFrame
    combinations: pd.DataFrame
    judged: pd.DataFrame
    modes: pd.DataFrame


def policies(scenarios: pd.DataFrame, space: pd.DataFrame, rng: np.random.Generator) -> list[SyntheticPolicy]:
    """12 synthetic policies, the best first; the second is more easily perturbed than the first."""
    found = []
    for number, skill in enumerate(SKILLS, start=1):
        weak = 0.85 if number % 2 else 1.15
        retention = {}
        for _, rows in each_group(space, "attribute"):
            for step, row in enumerate(each(rows), start=1):
                loss = min(1.0, weak * (1 - WORST[str(row.factor)])) * step / len(rows)
                retention[str(row.attribute), row.value] = 1 - loss
        name = f"synthetic-{number:02d}"
        found.append(SyntheticPolicy(name, clean_probabilities(scenarios, skill, rng), retention, INTERACTION))
    return found


def run(seed: int = 0, rollouts: int = 50) -> PaperStudy:
    """All stages up to the schedule of the last one, each from the tables of the one before."""
    rng = np.random.default_rng(seed)
    scenarios, space = paper.scenario_table(), paper.space()
    crew = policies(scenarios, space, rng)
    clean = simulate(crew, [Combination()], list(scenarios.scenario_id), rollouts, rng)
    found = rates(clean)
    reference = reference_models(zero_shot(capability_rates(found, scenarios)))
    names = list(reference.model)
    chosen = anchors(difficulty(found, scenarios, names))
    lab = _Lab([policy for policy in crew if policy.name in names], chosen, scenarios, rollouts, rng)
    singles = [combination_of(rows) for _, rows in each_group(space, "combination")]
    values = sensitivity.sensitive_values(sensitivity.value_scores(lab.scores(singles), space, names))
    attributes = sensitivity.attribute_scores(values)
    factors = sensitivity.factor_scores(attributes)
    config = screening.configuration(values, attributes, factors, seed)
    categories = screening.category_candidates(config)
    retained = _retained(categories, lab, names)
    sequences = screening.factor_candidates(config, [names.split("+") for names in retained.categories])
    judged = selection.judge(sequences, lab.scores(_combinations(sequences)), names)
    screened = screening.until_saturated(sequences, judged)
    final = selection.retain(judged[judged.name.isin(screened.name)].reset_index(drop=True))
    best = screened[screened.name.isin(final.name[final.retained])]
    modes = mode_schedule(best, values, scenarios.scenario_id, rollouts, seed)
    return PaperStudy(scenarios, reference, chosen, space, factors, categories, screened, final, modes)


@dataclass(frozen=True, slots=True)
class _Lab:
    """Evaluates the reference policies on the anchors."""

    crew: Sequence[SyntheticPolicy]
    chosen: pd.DataFrame
    scenarios: pd.DataFrame
    rollouts: int
    rng: np.random.Generator

    def scores(self, combinations: Sequence[Combination]) -> pd.DataFrame:
        """R of every combination."""
        where = list(anchor_scenarios(self.chosen, self.scenarios).scenario_id)
        episodes = simulate(self.crew, [Combination(), *combinations], where, self.rollouts, self.rng)
        return r_scores(rates(episodes))


def _retained(categories: pd.DataFrame, lab: _Lab, names: Sequence[str]) -> pd.DataFrame:
    judged = selection.judge(categories, lab.scores(_combinations(categories)), names)
    kept = selection.retain(judged)
    described = screening.summary(categories)
    return described[described.name.isin(kept.name[kept.retained])]


def _combinations(candidates: pd.DataFrame) -> list[Combination]:
    """The distinct combinations of a table of candidates."""
    found = {
        str(label): combination_of(rows.drop_duplicates("position"))
        for label, rows in each_group(candidates, "combination")
    }
    return list(found.values())
