"""From a composed config to the objects of a run. Everything is checked first, all problems in one error."""

import os
from dataclasses import fields
from typing import TYPE_CHECKING, Any

from omegaconf import DictConfig, OmegaConf

from gauge.config import certified, items
from gauge.config.check import check, spec, whole_suite
from gauge.config.check import tasks as wanted
from gauge.config.models import LocalModel, RemoteModel
from gauge.config.profiles import TRANSPORT, ServedModel, profile
from gauge.config.registry import MODELS
from gauge.core.cell import Cell
from gauge.core.items import Combination
from gauge.core.policy import Policy, PolicySpec
from gauge.perturbations.base import Bound, Perturbation
from gauge.perturbations.combine import fitting, refuse_conflicts
from gauge.suites import Suite, Task, horizon

if TYPE_CHECKING:
    from gauge.wire.client import Patience

WAITS = ("connect_timeout_s", "first_call_timeout_s", "call_timeout_s", "attempts")
SERVING = ("serve", "serve_from", "serve_timeout_s")  # of the server, not of the policy that asks it


def combination(cfg: DictConfig) -> Combination:
    """The items of `perturbation=` and `value=` together with those of `pfc=`.

    Raises:
        GaugeError: a value does not fit its perturbation, or two items change the same attribute or thing.
    """
    found = [items.main_item(cfg), *(items.pfc_item(entry, cfg) for entry in items.pfc_entries(cfg))]
    chosen = Combination.of(item for item in found if item is not None)
    code = perturbations(cfg)
    refuse_conflicts(code[item.attribute] for item in chosen.items)
    return chosen


def perturbations(cfg: DictConfig) -> dict[str, Perturbation]:
    """The code behind every item of `combination(cfg)`, by attribute."""
    found = [] if cfg.perturbation.kind == "none" else [items.perturbation(cfg.perturbation)]
    found += [items.pfc_perturbation(entry, cfg) for entry in items.pfc_entries(cfg)]
    return {one.attribute: one for one in found}


def suite(cfg: DictConfig) -> Suite:
    """The whole suite; which of its tasks are evaluated says `tasks`."""
    return whole_suite(cfg.suite)


def tasks(cfg: DictConfig) -> tuple[Task, ...]:
    """The tasks to evaluate, in suite order: the chosen ones in which the combination makes sense.

    Where the value comes from a range, also those are left out in which its certificate drops it.

    Raises:
        NotApplicableError: there is none.
    """
    code = perturbations(cfg)
    bound = [Bound(item, code[item.attribute]) for item in combination(cfg).items]
    found = fitting(suite(cfg).select(wanted(cfg.suite)), bound)
    main = main_bound(cfg)
    return found if main is None else certified.kept(cfg, found, main)


def main_bound(cfg: DictConfig) -> Bound | None:
    """The item of `perturbation=` with its code, where its certificates decide; None where they do not."""
    item = items.main_item(cfg) if certified.asked(cfg) else None
    return None if item is None else Bound(item, items.perturbation(cfg.perturbation))


def cell(cfg: DictConfig) -> Cell:
    """What this job evaluates.

    Raises:
        GaugeError: the config cannot be run; every problem is listed.
    """
    check(cfg)
    return Cell(
        model=_controlled(cfg),
        suite={
            "name": cfg.suite.name,
            "digest": suite(cfg).digest,
            "horizon": horizon.identity(suite(cfg).tasks, cfg.suite.horizon),
            "settle_steps": cfg.suite.settle_steps,
            "stepper": cfg.sim.stepper,
            **_stricter(cfg.suite),
        },
        combination=combination(cfg),
        branch=cfg.branch.name,
        seed=cfg.seed,
    )


def _stricter(suite: DictConfig) -> dict[str, Any]:
    """A criterion of success other than LIBERO's; nothing for LIBERO's, so that its cells keep their ids."""
    own = {"hold_steps": suite.hold_steps, "released": suite.released}
    return {} if own == {"hold_steps": 1, "released": False} else own


def make_policy(cfg: DictConfig) -> Policy:
    """The policy behind `model=`; its class is imported now, nothing is connected yet.

    Raises:
        GaugeError: an unknown kind, or settings that the policy refuses.
    """
    model = cfg.model
    settings = {key: items.plain(model, key) for key in model if key not in ("kind", "name", "api_key_env")}
    cls: Any = MODELS.entry(model.kind).load()
    if OmegaConf.get_type(model) is ServedModel:
        return _served(cls, model)
    schema = OmegaConf.get_type(model) or object
    if not issubclass(schema, RemoteModel | LocalModel):
        policy: Policy = cls(**settings)
        return policy
    rest = {key: value for key, value in settings.items() if key not in {field.name for field in fields(PolicySpec)}}
    if issubclass(schema, LocalModel):
        local: Policy = cls(spec(model), **rest)
        return local
    rest = {key: value for key, value in rest.items() if key not in (*WAITS, *SERVING)}
    rest |= {"expect_model": rest["expect_model"] or "", "patience": _patience(model)}
    remote: Policy = cls(spec(model), api_key=os.environ.get(model.api_key_env, ""), **rest)
    return remote


def _patience(model: DictConfig) -> "Patience":
    from gauge.wire.client import Patience  # websockets, which most commands never need

    return Patience(**{key: model[key] for key in WAITS})


def _served(cls: Any, model: DictConfig) -> Policy:
    settings = {key: items.plain(model, key) for key in ("host", "port", "constants")}
    settings |= {"expect_model": model.expect_model or "", "patience": _patience(model)}
    key = os.environ.get(model.api_key_env, "")
    served: Policy = cls(profile(model), api_key=key, **settings)
    return served


def _controlled(cfg: DictConfig) -> dict[str, Any]:
    """The model's identity; under a control it is another one, with another name in every table."""
    model = _model_identity(cfg.model)
    if cfg.control == "none":
        return model
    return {**model, "name": f"{model['name']}-{cfg.control}", "control": cfg.control}


def _model_identity(model: DictConfig) -> dict[str, Any]:
    """Name and every setting that changes actions; how a server is reached does not."""
    schema = OmegaConf.get_type(model)
    assert schema is not None
    return {field.name: items.plain(model, field.name) for field in fields(schema) if field.metadata != TRANSPORT}
