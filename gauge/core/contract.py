"""What two sides say about the same policy, compared before any episode: a profile against whoever answers."""

import json
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from gauge.core.policy import PolicySpec
from gauge.errors import GaugeError

WIDEST = 80
NOTHING = "not declared"

# How many actions are carried out before the next look is the evaluation's choice, not the policy's.
_NOT_COMPARED = frozenset({"executed"})
_OF_IMAGES = frozenset({"image_size", "orientation"})


class Difference(NamedTuple):
    """One entry of which both sides say something else, as text."""

    field: str
    profile: str
    other: str


def whole(profile: PolicySpec, declared: Mapping[str, Any]) -> list[Difference]:
    """Every field in which the profile and a whole declared spec differ; one that either side lacks differs, too.

    Size and orientation of images say nothing where neither side uses a camera.
    """
    mine = profile.to_json()
    blind = not profile.cameras and declared.get("cameras") == []
    skipped = _NOT_COMPARED | _OF_IMAGES if blind else _NOT_COMPARED
    names = [str(name) for name in {**mine, **declared} if name not in skipped]
    return [one for name in names for one in _entry(name, mine.get(name, NOTHING), declared.get(name, NOTHING))]


def declared_part(profile: PolicySpec, declared: Mapping[str, Any]) -> list[Difference]:
    """The fields of a spec that the other side declares and the profile says otherwise; what it leaves out passes."""
    mine = profile.to_json()
    return [one for name, value in declared.items() for one in _entry(str(name), mine.get(name, NOTHING), value)]


def demanded(wanted: Mapping[str, Any], said: Any, path: str = "") -> list[Difference]:
    """The entries, nested ones as `a.b`, that the profile demands and the other side says otherwise or not at all."""
    inner = said if isinstance(said, Mapping) else {}
    return [one for key, value in wanted.items() for one in _demanded(f"{path}{key}", value, inner.get(key, NOTHING))]


def agree(who: str, differences: list[Difference], advice: str, other: str = "server") -> None:
    """Refuse a policy whose contract is another one.

    Args:
        who: the other side, for the sentence.
        differences: between the two.
        advice: what to do about it.
        other: the other side, as the head of its column.

    Raises:
        GaugeError: there are differences; they are listed as a table.
    """
    if differences:
        raise GaugeError(f"{who} and this model's profile differ:\n{table(differences, other)}\n{advice}")


def table(differences: list[Difference], other: str = "server") -> str:
    """The differences below each other."""
    rows = [Difference("field", "profile", other), *differences]
    first, second = (max(len(row[column]) for row in rows) for column in (0, 1))
    return "\n".join(f"  {row.field:<{first}}  {row.profile:<{second}}  {row.other}".rstrip() for row in rows)


def _demanded(path: str, wanted: Any, said: Any) -> list[Difference]:
    if isinstance(wanted, Mapping):
        return demanded(wanted, said, f"{path}.")
    return list(_entry(path, wanted, said))


def _entry(name: str, mine: Any, theirs: Any) -> Iterator[Difference]:
    if _plain(mine) != _plain(theirs):
        yield Difference(name, _shown(mine), _shown(theirs))


def _plain(value: Any) -> str:
    """Text that is the same for equal values; a foreign server may send anything, which `!=` may not compare."""
    try:
        return json.dumps(value, sort_keys=True, default=repr)
    except (TypeError, ValueError):
        return repr(value)


def _shown(value: Any) -> str:
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value))[:WIDEST] or "none"
    return str(value)[:WIDEST]
