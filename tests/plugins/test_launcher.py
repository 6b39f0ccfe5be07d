import pytest
from hydra import version
from hydra.core.plugins import Plugins
from hydra.plugins.launcher import Launcher
from hydra.test_utils.launcher_common_tests import LauncherTestSuite

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")


@pytest.fixture(autouse=True)
def compatible(hydra_restore_singletons: None) -> None:
    """Hydra's suite expects its oldest behaviour: jobs change into their own folder."""
    version.setbase("1.1")


def test_hydra_finds_the_launcher() -> None:
    assert "GaugeLauncher" in [cls.__name__ for cls in Plugins.instance().discover(Launcher)]


@pytest.mark.parametrize(("launcher_name", "overrides"), [("gauge", ["+hydra.launcher.cluster.kind=debug"])])
class TestDebug(LauncherTestSuite):
    """Hydra's own tests of a launcher, in this process."""


@pytest.mark.parametrize(("launcher_name", "overrides"), [("gauge", ["+hydra.launcher.cluster.kind=local"])])
class TestLocal(LauncherTestSuite):
    """Hydra's own tests of a launcher, each job in a process of its own."""
