"""From `value=range` to one job per validated value: each job is a command that a person can paste."""

import re
from collections.abc import Callable, Sequence

from gauge.core.items import Value
from gauge.errors import GaugeError

LEGAL_FORMS = "write value=range for all validated values, or value.at=0.1,0.2 for chosen ones, not both"

Job = list[str]


def expand(jobs: Sequence[Job], levels_of: Callable[[Job], Sequence[Value]]) -> list[Job]:
    """Replace every `value=range` by points and add one clean job for every distinct rest of a job.

    Each value becomes `value=point value.at=<value> value.certified=true`, which leaves out the tasks in which its
    certificate drops it; `value.certified=false` uses it in all of them. The clean job, the control that the
    perturbed ones are compared with, is the rest without its perturbation plus `perturbation=none value=point`; it
    comes first, and `value.clean=false` leaves it out. Jobs without a range stay as they are; repeated jobs run once.

    Args:
        jobs: overrides `key=value` of each job, in Hydra's own spelling.
        levels_of: the validated values of a job's perturbation; called for jobs with a range only.

    Raises:
        GaugeError: a range together with a point, or a range without a perturbation.
    """
    _refuse_mixtures(jobs)
    expanded: list[Job] = []
    for job in jobs:
        expanded += _points(job, levels_of(job)) if is_range(job) else [list(job)]
    return [list(job) for job in dict.fromkeys(map(tuple, expanded))]


def is_range(job: Job) -> bool:
    """Whether the job says `value=range`."""
    return _value_of(job, "value") == "range"


def quoted(value: Value) -> str:
    """The value as Hydra's grammar reads it back: names stay bare, other text is quoted."""
    if isinstance(value, str) and not re.fullmatch(
        r"(?!(?i:true|false|null|nan|inf)$)[A-Za-z_][A-Za-z0-9_.+-]*", value
    ):
        # A backslash is an escape only before a quote.
        return "'" + re.sub(r"(\\*)('|$)", lambda found: found[1] * 2 + ("\\'" if found[2] else ""), value) + "'"
    return str(value)


def _points(job: Job, levels: Sequence[Value]) -> list[Job]:
    rest = [part for part in job if not _belongs(part, "value")]
    certified = [] if _says_no(job, "value.certified") else ["value.certified=true"]
    points = [[*rest, "value=point", f"value.at={quoted(level)}", *certified] for level in levels]
    if _says_no(job, "value.clean"):
        return points
    clean = [part for part in rest if not _belongs(part, "perturbation")]
    return [[*clean, "perturbation=none", "value=point"], *points]


def _refuse_mixtures(jobs: Sequence[Job]) -> None:
    ranges = [job for job in jobs if is_range(job)]
    if not ranges:
        return
    for job in ranges:
        if _value_of(job, "value.at") is not None:
            raise GaugeError(f"value.at={_value_of(job, 'value.at')} does not go with value=range: {LEGAL_FORMS}")
        if _value_of(job, "perturbation") == "none":
            raise GaugeError(
                "value=range needs a perturbation: leave perturbation=none out, the clean job is added by itself"
            )
    if any(_value_of(job, "value") == "point" for job in jobs):
        raise GaugeError(f"value=range and value=point do not go together: {LEGAL_FORMS}")


def _value_of(job: Job, key: str) -> str | None:
    """The value of the last override of exactly that key, without quotes."""
    found = [value for name, _, value in (part.partition("=") for part in job) if name.lstrip("+") == key]
    return found[-1].strip("'\"") if found else None


def _says_no(job: Job, key: str) -> bool:
    """Whether the job sets a switch to false."""
    return (_value_of(job, key) or "true").lower() == "false"


def _belongs(part: str, group: str) -> bool:
    """Whether an override is `group=...` or `group.key=...`."""
    name = part.partition("=")[0].lstrip("+~")
    return name == group or name.startswith(f"{group}.")
