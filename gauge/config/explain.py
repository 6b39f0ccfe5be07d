"""One sentence for the errors of Hydra and OmegaConf: what was wrong, what is closest, what to type."""

import re
from dataclasses import fields, is_dataclass

from hydra.errors import ConfigCompositionException, HydraException, MissingConfigException, OverrideParseException
from omegaconf.errors import ConfigAttributeError, ConfigKeyError, OmegaConfBaseException, ValidationError

from gauge.config import options
from gauge.config.check import dotted_keys
from gauge.config.schema import SCHEMAS, Config, RangeValue
from gauge.core.sweep import LEGAL_FORMS
from gauge.errors import GaugeError, unknown


def user_error(error: BaseException) -> GaugeError | None:
    """The user fault behind `error`, unwrapped or put into words; None for anything unexpected."""
    seen = error
    while not isinstance(seen, GaugeError):
        inner = seen.__cause__ or seen.__context__
        if inner is None or not isinstance(seen, OmegaConfBaseException | HydraException):
            return _explained(error)
        seen = inner
    return seen


def _explained(error: BaseException) -> GaugeError | None:
    cause = error.__cause__
    if isinstance(error, MissingConfigException) and error.options is not None:
        group, _, name = str(error.missing_cfg_file).rpartition("/")
        if group in ("hydra/sweeper", "hydra/launcher") and name == "gauge":
            return GaugeError("gauge's Hydra plugins are not installed: type pip install -e . in gauge's own folder")
        return unknown(f"{group} option" if group else "config", name, list(error.options))
    if isinstance(error, OverrideParseException):
        return GaugeError(f"cannot read {error.override!r}; write key=value, and quote values with special characters")
    if isinstance(error, ConfigCompositionException) and isinstance(cause, ConfigKeyError | ConfigAttributeError):
        return _unknown_key(str(error), cause)
    if isinstance(error, ConfigCompositionException) and isinstance(cause, ValidationError):
        return GaugeError(f"{_first_line(error).removeprefix('Error merging override ')}: {_first_line(cause)}")
    if isinstance(error, ConfigCompositionException):
        return _composition(str(error))
    if isinstance(error, HydraException | OmegaConfBaseException):
        return GaugeError(_first_line(error))
    return None


def _composition(message: str) -> GaugeError:
    ambiguous = re.match(r"(?:Ambiguous value for argument|Sweep parameters) '(.*?)'", message)
    if ambiguous:
        return GaugeError(f"{ambiguous[1]} lists several values: add -m to run one job for each")
    group = re.match(r"Could not override '([^'.]+)'", message)
    if group:
        return unknown("group", group[1], options.groups())
    return GaugeError(" ".join(message.split()))


def _unknown_key(message: str, cause: ConfigKeyError | ConfigAttributeError) -> GaugeError:
    """The closest keys beside it; a key of a sibling option says so."""
    override = re.search(r"Could not override '(.*?)'", message)
    typed = override[1] if override else str(cause.full_key or cause.key)
    schema = cause.object_type
    if schema is RangeValue:
        return GaugeError(f"{typed} does not go with value=range: {LEGAL_FORMS}")
    if schema is dict:
        return GaugeError(f"{typed} is not set yet: add it with +{typed}=...")
    if schema is Config or not is_dataclass(schema):
        return unknown("key", typed, dotted_keys() + options.groups())
    if "." not in typed:  # the root of another command
        return unknown("key", typed, _fields(schema))
    prefix, _, key = str(cause.full_key or cause.key).rpartition(".")
    within = prefix or typed  # OmegaConf gives no prefix for the elements of a list
    siblings = [one for path, one in SCHEMAS.items() if path.split("/")[0] == within]
    if any(key in _fields(one) for one in siblings):
        return GaugeError(
            f"{typed} is a key of other options of {within}: choose one with {within}=..., "
            f"or, where {within}= lists several, type {typed}=choice(...)"
        )
    return unknown("key", f"{within}.{key}", [f"{within}.{name}" for name in _fields(schema)])


def _fields(schema: type) -> list[str]:
    return [field.name for field in fields(schema)]


def _first_line(error: BaseException) -> str:
    return str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
