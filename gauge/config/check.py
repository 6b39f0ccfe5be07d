"""Everything that can be wrong with a composed config, found before anything is started."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import fields, is_dataclass
from functools import partial
from pathlib import Path
from typing import get_args

from omegaconf import MISSING, DictConfig, OmegaConf

from gauge import suites
from gauge.config import check_cluster, items
from gauge.config.check_cluster import one_of
from gauge.config.models import LocalModel, RemoteModel
from gauge.config.profiles import ServedModel, profile
from gauge.config.registry import MODELS
from gauge.config.schema import SCHEMAS, Config
from gauge.core.items import Combination, Item
from gauge.core.policy import BatchPolicy, Gripper, Orientation, PolicySpec, StateLayout
from gauge.errors import GaugeError, unknown
from gauge.perturbations.base import EachAction, Perturbation
from gauge.perturbations.combine import refuse_conflicts
from gauge.suites import capability, synthetic
from gauge.suites.scenario import load_folder

VIDEO = ("off", "first", "all")
RENDERERS = ("auto", "egl", "osmesa", "glfw")
STEPPERS = ("lean", "robosuite")
POLICIES = ("per_worker", "shared")
CONTROLS = ("none", "black", "swapped")
UNTESTED = ("expert", "noop", "random", "replay", "open_loop", "teleop", "synthetic")  # neither look nor listen
CONTROL_FREQ_HZ = 20


def check(cfg: DictConfig) -> None:
    """Refuse a config that cannot be run.

    Raises:
        GaugeError: one error that lists every problem.
    """
    raise_all(problems(cfg))


def raise_missing(cfg: DictConfig) -> None:
    """Refuse a config with keys that nobody has set.

    Raises:
        GaugeError: it names them all.
    """
    raise_all([f"{key} is not set: add {key}=..." for key in sorted(OmegaConf.missing_keys(cfg))])


def too_small(cfg: DictConfig, least: Mapping[str, float], seconds: Sequence[str] = ("timeout_s",)) -> list[str]:
    """What is wrong with numbers that have a least value, and with times, which are more than nothing."""
    found = [f"{key}={cfg[key]} is too small: it is at least {low}" for key, low in least.items() if cfg[key] < low]
    return found + [f"{key}={cfg[key]} must be more than 0 seconds" for key in seconds if not cfg[key] > 0]


def raise_all(found: list[str]) -> None:
    """One error for all problems, if there are any."""
    found = list(dict.fromkeys(found))
    if len(found) == 1:
        raise GaugeError(found[0])
    if found:
        raise GaugeError(f"{len(found)} problems:" + "".join(f"\n  - {problem}" for problem in found))


def problems(cfg: DictConfig) -> list[str]:
    """One sentence per problem; the values are looked at only if all keys are known and set."""
    return list(_keys(cfg)) or [
        *_settings(cfg),
        *_model(cfg.model),
        *_sharing(cfg),
        *_suite(cfg.suite),
        *_items(cfg),
        *check_cluster.problems(cfg),
        *_control(cfg),
    ]


def dotted_keys() -> list[str]:
    """Every key that can be set, `group.key` for those of a group."""
    found = [field.name for field in fields(Config)]
    for path, schema in SCHEMAS.items():
        if schema is not Config:
            found += [f"{path.split('/')[0]}.{field.name}" for field in fields(schema)]
    return sorted(set(found))


def _keys(cfg: DictConfig) -> Iterator[str]:
    known = [field.name for field in fields(Config)]
    for key in map(str, cfg):
        if key == "hydra":  # Hydra's own, with interpolations that lead back here
            continue
        if key not in known:
            yield str(unknown("key", key, dotted_keys()))
        elif OmegaConf.is_missing(cfg, key):
            yield f"{key} is not set: add {key}=..."
        elif isinstance(cfg[key], DictConfig):
            yield from _group(key, cfg[key])


def _group(group: str, node: DictConfig) -> Iterator[str]:
    schema = OmegaConf.get_type(node)
    if not (is_dataclass(schema) and schema in SCHEMAS.values()):
        yield f"the {group} option names no schema: its defaults begin with one of gauge's, e.g. /schema/{group}/..."
        return
    known = [field.name for field in fields(schema)]
    for key in map(str, node):
        if key not in known:
            yield str(unknown("key", f"{group}.{key}", [f"{group}.{name}" for name in known]))
    plain = OmegaConf.to_container(node)  # a tenth of the time of OmegaConf.missing_keys, which every job would pay for
    for key in sorted(_missing(group, plain)):
        yield f"{key} is not set: add {key}=..."


def _missing(name: str, value: object) -> Iterator[str]:
    """Dotted names of what nobody has set."""
    if value == MISSING:
        yield name
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from _missing(f"{name}.{key}", inner)
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from _missing(f"{name}[{index}]", inner)


def _settings(cfg: DictConfig) -> Iterator[str]:
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]*", cfg.study):
        yield f"study={cfg.study} cannot be a folder name: use letters, digits, '.', '_' and '-'"
    least = {"rollouts": 1, "workers": 0, "seed": 0, "stop_after_errors": 1, "recycle_after": 0}
    yield from too_small(cfg, least, ("episode_timeout_s", "policy_timeout_s"))
    yield from one_of("video", cfg.video, VIDEO)
    yield from one_of("renderer", cfg.renderer, RENDERERS)
    yield from one_of("sim.stepper", cfg.sim.stepper, STEPPERS)


def _model(model: DictConfig) -> Iterator[str]:
    try:
        entry = MODELS.entry(model.kind)
    except GaugeError as error:
        yield str(error)
        return
    if OmegaConf.get_type(model) is not entry.schema:
        yield f"model.kind={model.kind} does not fit the other settings of this option: type model={model.kind}"
        return
    if model.kind == "synthetic" and not model.name.startswith(synthetic.NAME):
        yield f"model.name={model.name}: no policy was run, so a synthetic model's name begins with {synthetic.NAME}"
    for key, allowed in (("orientation", Orientation), ("state", StateLayout), ("gripper", Gripper)):
        if key in model:
            yield from one_of(f"model.{key}", model[key], get_args(allowed))
    yield from _faults(lambda: spec(model))


def _sharing(cfg: DictConfig) -> Iterator[str]:
    yield from one_of("policy", cfg.policy, POLICIES)
    if cfg.policy_batch is not None and cfg.policy_batch < 1:
        yield f"policy_batch={cfg.policy_batch} is too small: it is at least 1, or null for no limit"
    if cfg.policy != "shared" or cfg.model.kind not in MODELS.entries:
        return
    if cfg.workers == 0:
        yield "policy=shared needs workers to share it: add workers=1 or more"
    if cfg.model.kind in ("remote", "served"):
        name = "remote" if cfg.model.kind == "remote" else cfg.model.name
        yield f"model={name} is one server for all workers already: leave policy=per_worker"
    elif not issubclass(MODELS.entry(cfg.model.kind).load(), BatchPolicy):
        yield f"model={cfg.model.kind} answers one episode at a time and cannot be shared: leave policy=per_worker"


def spec(model: DictConfig) -> PolicySpec:
    """The spec that a model option declares; what it leaves out is declared by the policy's class.

    Raises:
        GaugeError: an unknown camera, or more actions executed than answered.
    """
    if OmegaConf.get_type(model) is ServedModel:
        return profile(model).spec
    if not issubclass(OmegaConf.get_type(model) or object, RemoteModel | LocalModel):
        return PolicySpec(**{key: model[key] for key in ("chunk", "executed") if key in model})
    size = tuple(model.image_size)
    if len(size) != 2 or min(size) < 1:
        raise GaugeError(f"model.image_size={list(size)} is not [height, width] in pixels, e.g. [224, 224]")
    return PolicySpec(
        cameras=tuple(model.cameras),
        image_size=(size[0], size[1]),
        orientation=model.orientation,
        state=model.state,
        gripper=model.gripper,
        chunk=model.chunk,
        executed=model.executed,
    )


def _suite(suite: DictConfig) -> Iterator[str]:
    yield from one_of("suite.kind", suite.kind, ("libero", "files", "capability", synthetic.NAME))
    yield from _faults(lambda: whole_suite(suite).select(tasks(suite)))
    if suite.horizon is None and suite.kind not in ("files", "capability"):
        yield "suite.horizon=null takes what certificates of scenarios say; this suite has none: give a number"
    if suite.horizon is not None and suite.horizon < 1:
        yield f"suite.horizon={suite.horizon} is too small: an episode has at least 1 control step"
    if suite.settle_steps < 0:
        yield f"suite.settle_steps={suite.settle_steps} is negative: the scene settles for 0 or more control steps"
    if suite.hold_steps < 1:
        yield f"suite.hold_steps={suite.hold_steps} is too small: the goal has to hold for at least 1 control step"
    if suite.kind == synthetic.NAME and (suite.hold_steps, suite.released) != (1, False):
        yield "suite=synthetic has no goal that could be held: leave suite.hold_steps and suite.released out"
    if suite.control_freq_hz != CONTROL_FREQ_HZ:
        yield f"suite.control_freq_hz={suite.control_freq_hz} is not possible: LIBERO has {CONTROL_FREQ_HZ} Hz"


def whole_suite(suite: DictConfig) -> suites.Suite:
    """All tasks of the suite.

    Raises:
        GaugeError: there is no such suite, or task files of its folder are broken.
    """
    if suite.kind == "files":
        return load_folder(Path(suite.path), suite.name)
    if suite.kind == "capability":
        return capability.load(suite.name, suite.capability, suite.split)
    return synthetic.load() if suite.kind == synthetic.NAME else suites.load(suite.name)


def tasks(suite: DictConfig) -> list[int | str] | None:
    """The wanted indices and names of tasks as plain data; None for all.

    Raises:
        GaugeError: both a list and a single one are wanted.
    """
    wanted: list[int | str] | None = items.plain(suite, "tasks")
    if suite.scenario is None:
        return wanted
    if wanted is not None:
        raise GaugeError("suite.tasks and suite.scenario both say which scenarios are wanted; give one of them")
    return [suite.scenario]


def untested(model: DictConfig) -> bool:
    """Whether a model neither looks nor listens, so that controls would say nothing of it."""
    return model.kind in UNTESTED or (model.kind == "tiny" and bool(model.blind))


def _control(cfg: DictConfig) -> Iterator[str]:
    yield from one_of("control", cfg.control, CONTROLS)
    asked = "controls=true" if cfg.controls else f"control={cfg.control}"
    if asked == "control=none":
        return
    if untested(cfg.model):
        yield f"{asked} tests whether a policy looks and listens, which model={cfg.model.name} does not"
    if cfg.controls and cfg.control != "none":
        yield "controls=true evaluates every control already: leave control= out"
    with suppress(GaugeError):
        if cfg.control != "black" and len({task.instruction for task in whole_suite(cfg.suite).tasks}) < 2:
            yield f"{asked} tells a policy of another task, and all of {cfg.suite.name} have the same instruction"


def _items(cfg: DictConfig) -> Iterator[str]:
    found: list[Item | None] = []
    yield from _faults(lambda: found.append(items.main_item(cfg)))
    for entry in items.pfc_entries(cfg):
        yield from _faults(partial(lambda one: found.append(items.pfc_item(one, cfg)), entry))
    yield from _faults(lambda: Combination.of(item for item in found if item is not None))
    code = _code(cfg, {item.attribute for item in found if item is not None})
    yield from _faults(lambda: refuse_conflicts(code))
    yield from _faults(lambda: _refuse_deltas(cfg.model, code))


def _refuse_deltas(model: DictConfig, code: list[Perturbation]) -> None:
    """Refuse a perturbation of normalised deltas where the model commands poses in metres."""
    changing = [one.attribute for one in code if isinstance(one, EachAction)]
    if changing and model.kind in MODELS.entries and spec(model).action == "osc_absolute":
        raise GaugeError(
            f"perturbation={changing[0]} changes normalised deltas, but model={model.name} commands absolute poses; "
            "choose another perturbation or another model"
        )


def _code(cfg: DictConfig, attributes: set[str]) -> list[Perturbation]:
    """The code behind the items that were found; what could not be built was said already."""
    options = [] if cfg.perturbation.kind == "none" else [partial(items.perturbation, cfg.perturbation)]
    options += [partial(items.pfc_perturbation, entry, cfg) for entry in items.pfc_entries(cfg)]
    built: list[Perturbation] = []
    for make in options:
        with suppress(GaugeError):
            built.append(make())
    return [one for one in built if one.attribute in attributes]


def _faults(attempt: Callable[[], object]) -> Iterator[str]:
    try:
        attempt()
    except GaugeError as error:
        yield str(error)
