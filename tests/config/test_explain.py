from hydra.errors import ConfigCompositionException, HydraException, InstantiationException, MissingConfigException
from omegaconf.errors import InterpolationResolutionError

from gauge.config.explain import user_error
from gauge.errors import GaugeError


def test_a_user_fault_is_found_under_the_wrappings_of_hydra() -> None:
    fault = GaugeError("too dark")
    wrapped = InterpolationResolutionError("in hydra.run.dir")
    wrapped.__context__ = fault
    outer = InstantiationException("outer")
    outer.__cause__ = wrapped
    assert user_error(outer) is fault


def test_a_bug_while_a_user_fault_was_handled_stays_a_bug() -> None:
    bug = KeyError("typo in the code")
    bug.__context__ = GaugeError("too dark")
    assert user_error(bug) is None


def test_a_missing_plugin_says_how_to_install_it() -> None:
    missing = MissingConfigException("could not find", "hydra/sweeper/gauge", ["basic"])
    assert "pip install -e ." in str(user_error(missing))


def test_hydras_other_errors_are_its_own_words_on_one_line() -> None:
    assert str(user_error(ConfigCompositionException("first\nsecond"))) == "first second"
    assert str(user_error(HydraException("first\nsecond"))) == "first"
    assert user_error(ZeroDivisionError("bug")) is None
