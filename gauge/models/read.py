"""All model options and what their profiles say."""

from omegaconf import DictConfig, OmegaConf

from gauge.config import options
from gauge.config.conf_dir import conf_dir
from gauge.config.profiles import ServedModel
from gauge.config.registry import MODELS
from gauge.errors import GaugeError, unknown


def names() -> list[str]:
    """Every option of `model=`, sorted."""
    return options.names("model", [conf_dir()])


def option(name: str) -> DictConfig:
    """The option as typed config.

    Raises:
        GaugeError: there is none; the closest are named.
    """
    if name not in names():
        raise unknown("model", name, names())
    kind = OmegaConf.load(conf_dir() / "model" / f"{name}.yaml").kind
    return options.load("model", name, MODELS.entry(kind).schema, [conf_dir()])


def served(name: str) -> DictConfig:
    """The option of a published policy.

    Raises:
        GaugeError: there is none, or it is one of gauge's own policies, which have no profile.
    """
    found = option(name)
    if OmegaConf.get_type(found) is not ServedModel:
        raise GaugeError(f"model={name} is one of gauge's own and has no profile; python -m gauge.models list")
    return found


def profiles() -> list[DictConfig]:
    """Every published policy, those of the paper first."""
    found = [model for model in map(option, names()) if OmegaConf.get_type(model) is ServedModel]
    return sorted(found, key=lambda model: not model.about.in_paper)
