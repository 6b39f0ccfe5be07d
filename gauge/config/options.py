"""Options of a config group, read as files: for messages, for --help, and for the items of a combination."""

from pathlib import Path

from hydra.core.hydra_config import HydraConfig
from omegaconf import DictConfig, OmegaConf

from gauge.config.conf_dir import conf_dir
from gauge.errors import unknown


def folders(cfg: DictConfig | None = None) -> list[Path]:
    """The config folders in the order Hydra searches them; gauge's own is always among them.

    Args:
        cfg: a composed root config; if it has no `hydra` node, the running job's is taken.
    """
    sources = OmegaConf.select(cfg, "hydra.runtime.config_sources") if cfg is not None else None
    if sources is None and HydraConfig.initialized():
        sources = HydraConfig.get().runtime.config_sources
    found = [Path(source.path) for source in sources or [] if source.schema == "file"]
    return list(dict.fromkeys([*found, conf_dir()]))


def names(group: str, where: list[Path]) -> list[str]:
    """All options of `group`, sorted; nested ones as `folder/name`."""
    found: set[str] = set()
    for folder in where:
        root = folder / group
        found |= {path.relative_to(root).with_suffix("").as_posix() for path in root.rglob("*.yaml")}
    return sorted(found)


def groups() -> list[str]:
    """Gauge's own groups, sorted: every folder of `conf/` but Hydra's."""
    return sorted(path.name for path in conf_dir().iterdir() if path.is_dir() and path.name != "hydra")


def load(group: str, name: str, schema: type, where: list[Path]) -> DictConfig:
    """The option `name` of `group` as typed config.

    Raises:
        GaugeError: there is no such option; the closest are named.
    """
    for folder in where:
        path = folder / group / f"{name}.yaml"
        if path.is_file():
            loaded = OmegaConf.load(path)
            if isinstance(loaded, DictConfig):
                loaded.pop("defaults", None)
            merged = OmegaConf.merge(OmegaConf.structured(schema), loaded)
            assert isinstance(merged, DictConfig)
            return merged
    raise unknown(f"{group} option", name, names(group, where))
