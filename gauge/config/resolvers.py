"""Interpolations of `conf/`: `${gauge.cell:}`, `${gauge.abspath:...}` and `${gauge.options:}`."""

from pathlib import Path

from omegaconf import DictConfig, OmegaConf

from gauge.config import options, schema


def cell_name(*, _root_: DictConfig) -> str:
    """Folder name of the cell that the root config describes; refuses a config that cannot be run."""
    from gauge.config import build  # not at the top: every Hydra app of the environment imports this module

    return build.cell(_root_).name


def absolute(path: str, *, _root_: DictConfig) -> str:
    """`path` seen from where the command was typed, also in a worker that was started elsewhere."""
    return str((Path(_root_.hydra.runtime.cwd) / Path(path).expanduser()).resolve())


def option_table(*, _root_: DictConfig) -> str:
    """One line per group with all its options, for --help."""
    where = options.folders(_root_)
    return "\n  ".join(f"{group:<13} {', '.join(options.names(group, where))}" for group in options.groups())


def register() -> None:
    """Make schemas and interpolations known; safe to call again."""
    schema.register()
    for name, resolver in (("cell", cell_name), ("abspath", absolute), ("options", option_table)):
        OmegaConf.register_new_resolver(f"gauge.{name}", resolver, replace=True)
