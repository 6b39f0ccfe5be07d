"""Other Hydra apps may use gauge's options, e.g. `+perturbation=image_shift`."""

from hydra.core.config_search_path import ConfigSearchPath
from hydra.plugins.search_path_plugin import SearchPathPlugin


class GaugeSearchPath(SearchPathPlugin):
    """Appends gauge's `conf/` to every app's search path, and makes its schemas and interpolations known."""

    def manipulate_search_path(self, search_path: ConfigSearchPath) -> None:
        """Called by Hydra once at the start of an app."""
        from gauge.config.conf_dir import conf_dir
        from gauge.config.resolvers import register

        register()
        ours = str(conf_dir())
        known = {element.path.removeprefix("file://") for element in search_path.get_path() if element.path}
        if ours not in known:
            search_path.append(provider="gauge", path=f"file://{ours}")
