"""Types of `conf/study.yaml`, and which part of a command line is the study's own."""

from collections.abc import Sequence
from dataclasses import dataclass, fields

from hydra.core.config_store import ConfigStore
from omegaconf import MISSING, DictConfig

from gauge.config import options
from gauge.config.check import raise_all, too_small
from gauge.errors import GaugeError, unknown
from gauge.study.given import Rates, check_rates, register_rates

STAGES = ("zero_shot", "anchors", "sensitivity", "screening", "combinatorial")
ALL = "all"
# Keys that a study sets itself for the cells that it evaluates.
SHARED = ("study", "outputs", "seed", "rollouts")
CHOSEN = ("perturbation", "value", "pfc")
FLAGS = {"--dry-run": "plan=true"}
PREFIX = "study."  # study.plan=true is plan=true
BUDGETS = ("full", "adaptive")


@dataclass
class Study:
    """Types of `conf/study.yaml`; what each means is said there."""

    stage: str = MISSING
    study: str = MISSING
    outputs: str = MISSING
    seed: int = MISSING
    rollouts: int = MISSING
    plan: bool = MISSING
    probe: bool = MISSING
    rates: Rates = MISSING
    allow_missing: bool = MISSING
    perturbations: list[str] | None = MISSING
    levels: int | None = MISSING
    references: int = MISSING
    threshold: float = MISSING
    anchor_models: str = MISSING
    budget: str = MISSING
    error: float = MISSING
    resamples: int = MISSING


def register() -> None:
    """Make the types known to Hydra."""
    ConfigStore.instance().store(group="schema", name="study", node=Study, provider="gauge")
    register_rates()


def partition(arguments: Sequence[str]) -> tuple[list[str], list[str]]:
    """The study's own arguments, Hydra's flags among them, and the overrides of the cells that it evaluates.

    Raises:
        GaugeError: an argument that a study has no place for.
    """
    own: list[str] = []
    cells: list[str] = []
    names = {field.name for field in fields(Study)}
    for argument in (FLAGS.get(one, one.removeprefix(PREFIX)) for one in arguments):
        if argument in ("-m", "--multirun"):
            raise GaugeError("a study runs many cells by itself: leave -m out")
        key = argument.partition("=")[0].lstrip("+~")
        if key.partition(".")[0] in CHOSEN:
            raise GaugeError(
                f"{key}= is chosen by the study; perturbations=[image_shift, ...] and levels=3 limit what it tries"
            )
        override = "=" in argument and not argument.startswith("-")
        ours = key.partition(".")[0] in names or key.startswith(("hydra.", "hydra/"))
        (cells if override and not ours else own).append(argument)
    return own, cells


def check(cfg: DictConfig) -> None:
    """Refuse settings that cannot be.

    Raises:
        GaugeError: one error that lists every problem.
    """
    check_rates(cfg.rates)
    found = []
    if cfg.stage not in (*STAGES, ALL):
        found.append(f"{unknown('stage', cfg.stage, [*STAGES, ALL])} (allowed: {', '.join((*STAGES, ALL))})")
    found += too_small(cfg, {"rollouts": 1, "seed": 0, "references": 1, "resamples": 100}, seconds=())
    if cfg.levels is not None and cfg.levels < 1:
        found.append(f"levels={cfg.levels} is too small: it is at least 1, or null for all")
    if not 0.0 < cfg.threshold <= 1.0:
        found.append(f"threshold={cfg.threshold} is not a success rate above 0")
    if cfg.anchor_models not in ("reference", "all"):
        found.append(f"anchor_models={cfg.anchor_models} is neither reference nor all")
    if cfg.budget not in BUDGETS:
        found.append(f"budget={cfg.budget} is neither {' nor '.join(BUDGETS)}")
    if not 0.0 < cfg.error < 0.5:
        found.append(f"error={cfg.error} is not a probability of a wrong decision, above 0 and below 0.5")
    known = [name for name in options.names("perturbation", options.folders(cfg)) if name != "none"]
    for name in cfg.perturbations or []:
        if name not in known:
            found.append(str(unknown("perturbation", name, known)))
    raise_all(found)


def stages(cfg: DictConfig) -> tuple[str, ...]:
    """The stages that `stage=` asks for, in order, with those before it."""
    return STAGES if cfg.stage == ALL else STAGES[: STAGES.index(cfg.stage) + 1]
