"""Stage 3: who sees what when. The mode of every trial and the values of the dynamic ones (VLA-GAUGE, IV-B).

Everything is a function of the root seed, the combination, the scenario and the rollout, never of the model, so all
models meet the same modes and the same values. Episodes draw their values by the same `gauge.core.draws`.
"""

from collections.abc import Iterable

import pandas as pd

from gauge.core.draws import draws
from gauge.core.items import Combination, resample_steps
from gauge.core.seeds import episode_seed, stream
from gauge.protocol.space import combination_of, dynamic_combination_of
from gauge.protocol.tables import CLEAN, EPISODES, each, each_group, require

MODES = ("static", "dynamic")


def mode_schedule(
    combinations: pd.DataFrame, sensitive: pd.DataFrame, scenario_ids: Iterable[str], rollouts: int, root: int = 0
) -> pd.DataFrame:
    """Static or dynamic, each with probability 1/2, for every (combination, scenario, rollout).

    Where no attribute of a combination can move, a dynamic trial is the static one under another mode.

    Args:
        combinations: the retained candidates, see `gauge.protocol.screening`.
        sensitive: see `gauge.protocol.sensitivity.sensitive_values`.
        scenario_ids: the base scenarios.
        rollouts: trials per task instance, numbered from 0.
        root: root seed of all episodes.

    Returns:
        One row per trial: name (of the candidate), scenario_id, rollout, mode, combination (the label of the cell
        that evaluates this trial).
    """
    require(combinations, ("name", "combination"), "candidates")
    scenarios = list(scenario_ids)
    parts = []
    for name, rows in each_group(combinations, "name"):
        static = combination_of(rows).label
        labels = {"static": static, "dynamic": dynamic_combination_of(rows, sensitive).label}
        modes = [mode(static, scenario, rollout, root) for scenario in scenarios for rollout in range(rollouts)]
        part = pd.DataFrame(
            {
                "name": name,
                "scenario_id": [scenario for scenario in scenarios for _ in range(rollouts)],
                "rollout": list(range(rollouts)) * len(scenarios),
                "mode": modes,
            }
        )
        parts.append(part.assign(combination=part["mode"].map(labels)))
    return pd.concat(parts, ignore_index=True)


def value_schedule(
    modes: pd.DataFrame,
    combinations: pd.DataFrame,
    sensitive: pd.DataFrame,
    horizons: pd.DataFrame,
    root: int = 0,
) -> pd.DataFrame:
    """The values of every trial and when they take effect.

    A static item has one row, at step 0; a dynamic one has a row at 0, floor(H/3) and floor(2H/3).

    Args:
        modes: see `mode_schedule`.
        combinations: as there.
        sensitive: as there.
        horizons: one row per scenario, scenario_id and horizon (control steps).
        root: as there.

    Returns:
        One row per (trial, item, step): name, scenario_id, rollout, attribute, step, value.
    """
    require(horizons, ("scenario_id", "horizon"), "horizons")
    horizon = dict(zip(horizons.scenario_id, horizons.horizon.astype(int), strict=True))
    items: dict[tuple[str, str], Combination] = {}
    for name, rows in each_group(combinations, "name"):
        items[name, "static"] = combination_of(rows)
        items[name, "dynamic"] = dynamic_combination_of(rows, sensitive)
    found = []
    for trial in each(modes):
        seed = episode_seed(root, str(trial.scenario_id), int(trial.rollout))
        for item in items[str(trial.name), str(trial.mode)].items:
            steps = resample_steps(horizon[str(trial.scenario_id)]) if item.mode == "dynamic" else (0,)
            for step, value in zip(steps, draws(item, seed), strict=True):
                found.append((trial.name, trial.scenario_id, trial.rollout, item.attribute, step, value))
    return pd.DataFrame(found, columns=["name", "scenario_id", "rollout", "attribute", "step", "value"])


def by_candidate(episodes: pd.DataFrame, modes: pd.DataFrame) -> pd.DataFrame:
    """The episodes that the schedule planned, with the candidate's name as their combination.

    A candidate is evaluated by two cells, its static and its dynamic one; here they become one. Clean episodes stay
    as they are; a trial that was evaluated in the mode it was not planned for is left out.

    Args:
        episodes: see `gauge.protocol.tables`.
        modes: see `mode_schedule`.
    """
    require(episodes, EPISODES, "episodes")
    planned = modes[["combination", "scenario_id", "rollout", "name"]]
    named = episodes.merge(planned, on=["combination", "scenario_id", "rollout"])
    named["combination"] = named.pop("name")
    return pd.concat([episodes[episodes.combination == CLEAN], named], ignore_index=True)


def mode(label: str, scenario_id: str, rollout: int, root: int = 0) -> str:
    """`static` or `dynamic` for one trial of the static combination `label`."""
    rng = stream(episode_seed(root, scenario_id, rollout), "perturbation", label, "mode")
    return MODES[int(rng.integers(2))]
