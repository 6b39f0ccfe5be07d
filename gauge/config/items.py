"""From config to perturbation items: the one of `perturbation=` and `value=`, and those of `pfc=`."""

from collections.abc import Sequence
from dataclasses import fields
from typing import Any

from omegaconf import DictConfig, OmegaConf

from gauge.config import options
from gauge.config.registry import PERTURBATIONS
from gauge.config.schema import Attribute
from gauge.core.items import Item
from gauge.errors import GaugeError
from gauge.perturbations.base import Perturbation


def perturbation(option: DictConfig) -> Perturbation:
    """The value object behind a perturbation option; its levels are checked against its bounds.

    Raises:
        GaugeError: an unknown kind, or a level out of bounds.
    """
    cls = PERTURBATIONS.entry(option.kind).load()
    settings = {field.name: plain(option, field.name) for field in fields(Perturbation)}
    return cls(**{**settings, "levels": tuple(settings["levels"])})


def main_item(cfg: DictConfig) -> Item | None:
    """The item of `perturbation=` and `value=`; None when nothing changes.

    Raises:
        GaugeError: value and perturbation do not fit each other.
    """
    value = cfg.value
    if cfg.perturbation.kind == "none":
        _refuse_value_without_perturbation(cfg)
        return None
    chosen = perturbation(cfg.perturbation)
    if value.kind == "range":
        raise GaugeError("value=range is a sweep of several jobs; one job has value.at=... or value=dynamic")
    if value.kind == "dynamic":
        return chosen.item(tuple(plain(value, "levels") or chosen.levels), "dynamic")
    if value.at is None:
        raise GaugeError(
            f"perturbation={chosen.attribute} needs a value: type value.at={chosen.levels[0]} for one of "
            f"{_listed(chosen.levels)}, or value=range for all of them, or value=dynamic"
        )
    return chosen.item((value.at,))


def pfc_perturbation(entry: DictConfig, cfg: DictConfig) -> Perturbation:
    """The value object of one item of `pfc.items`; its option is read from the config folders.

    Raises:
        GaugeError: the item names no perturbation, or an unknown one.
    """
    if entry.perturbation == "none":
        raise GaugeError(f"every item of pfc.items names a perturbation: {_listed(named(cfg))}")
    return perturbation(options.load("perturbation", entry.perturbation, Attribute, options.folders(cfg)))


def pfc_item(entry: DictConfig, cfg: DictConfig) -> Item | None:
    """One item of `pfc.items`: `at` gives a static one, `levels` a dynamic one.

    Raises:
        GaugeError: an unknown perturbation, or a value out of bounds.
    """
    chosen = pfc_perturbation(entry, cfg)
    if (entry.at is None) == (entry.levels is None):
        raise GaugeError(
            f"pfc.items: {entry.perturbation} takes either at (one value, e.g. at: {chosen.levels[0]}) "
            f"or levels (drawn from during the episode), exactly one of them"
        )
    return chosen.item((entry.at,)) if entry.levels is None else chosen.item(tuple(plain(entry, "levels")), "dynamic")


def plain(node: DictConfig, key: str) -> Any:
    """The value of a key as plain data; iterating a typed list of numbers and words yields no plain values."""
    value = node[key]
    return OmegaConf.to_container(value, resolve=True) if OmegaConf.is_config(value) else value


def pfc_entries(cfg: DictConfig) -> Sequence[DictConfig]:
    """The entries of `pfc.items`; as an attribute, `items` would be the method of every mapping."""
    entries: Sequence[DictConfig] = cfg.pfc["items"]
    return entries


def named(cfg: DictConfig) -> list[str]:
    """All perturbation options but none."""
    return [name for name in options.names("perturbation", options.folders(cfg)) if name != "none"]


def _refuse_value_without_perturbation(cfg: DictConfig) -> None:
    value = cfg.value
    given = f"value.at={value.at}" if value.kind == "point" else f"value={value.kind}"
    if value.kind != "point" or value.at is not None:
        raise GaugeError(f"{given} needs a perturbation: add perturbation= with one of {_listed(named(cfg))}")


def _listed(values: Sequence[Any]) -> str:
    return ", ".join(map(str, values))
