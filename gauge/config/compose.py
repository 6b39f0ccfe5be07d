"""Configs of a sweep's jobs: those that differ in plain values only share one composition, the slow part of a sweep."""

import pickle
from collections.abc import Sequence

from hydra._internal.config_loader_impl import get_overrides_dirname
from hydra.core.config_loader import ConfigLoader
from hydra.core.override_parser.overrides_parser import OverridesParser
from hydra.core.override_parser.types import Override
from omegaconf import DictConfig, OmegaConf
from omegaconf.errors import OmegaConfBaseException

Key = tuple[str, ...]
WHOLE = "\n"  # marks keys of compositions that nothing else shares


class Composer:
    """Composes the configs of one sweep, equal to what Hydra's `load_sweep_config` gives for the same overrides."""

    def __init__(self, loader: ConfigLoader, master: DictConfig) -> None:
        self._loader, self._master = loader, master
        self._parser = OverridesParser.create(config_loader=loader)
        self._parsed: dict[str, Override] = {}
        self._groups: dict[str, bool] = {}
        self._made: dict[Key, bytes] = {}  # pickled: a config of 20 kB takes ten times that as objects

    def __call__(self, overrides: Sequence[str]) -> DictConfig:
        """The config of one job, the caller's own.

        Raises:
            HydraException, OmegaConfBaseException: as Hydra raises them.
        """
        parsed = [self._parse(line) for line in overrides]
        plain = [one for one in parsed if self._is_plain(one)]
        if len({one.key_or_group for one in plain}) < len(plain):
            plain = []  # the same key twice: the order decides
        rest = [one for one in parsed if one not in plain]
        key = (*(str(one.input_line) for one in rest), "", *sorted(one.key_or_group for one in plain))
        if not all(self._is_group(one) for one in rest):
            key = (WHOLE, *overrides)
        if key in self._made:
            found: DictConfig = pickle.loads(self._made[key])
            if key[0] == WHOLE:
                return found
            try:
                return self._with_values(found, plain, parsed)
            except OmegaConfBaseException:
                pass  # a value that does not fit: Hydra says so in its own words
        config: DictConfig = self._loader.load_sweep_config(self._master, list(overrides))
        self._made.setdefault(key, pickle.dumps(config))
        return config

    def _with_values(self, config: DictConfig, plain: Sequence[Override], parsed: Sequence[Override]) -> DictConfig:
        for one in plain:
            OmegaConf.update(config, one.key_or_group, one.value(), merge=True)
        own = [one for one in parsed if not one.is_hydra_override()]
        config.hydra.overrides.task = [one.input_line for one in own]
        naming = config.hydra.job.config.override_dirname
        config.hydra.job.override_dirname = get_overrides_dirname(
            own, kv_sep=naming.kv_sep, item_sep=naming.item_sep, exclude_keys=naming.exclude_keys
        )
        return config

    def _parse(self, line: str) -> Override:
        if line not in self._parsed:
            [self._parsed[line]] = self._parser.parse_overrides([line])
        return self._parsed[line]

    def is_plain(self, line: str) -> bool:
        """Whether an override sets one present value to a scalar and chooses no option."""
        return self._is_plain(self._parse(line))

    def _is_plain(self, override: Override) -> bool:
        changes = override.is_delete() or override.is_add() or override.is_force_add()
        special = (
            changes or override.package is not None or override.is_sweep_override() or override.is_hydra_override()
        )
        return not special and not self._is_group(override) and not isinstance(override.value(), dict | list)

    def _is_group(self, override: Override) -> bool:
        """Whether it chooses an option of a group of our own."""
        if override.is_hydra_override() or override.package is not None or override.is_delete():
            return False
        name = override.key_or_group
        if name not in self._groups:
            self._groups[name] = bool(self._loader.get_group_options(name))
        return self._groups[name]
