"""The pool: the committed table of objects, and tables of imported folders beside it."""

from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path
from types import MappingProxyType

from gauge.errors import unknown
from gauge.objects.entry import Entry, read

TABLE = "pool.csv"


@cache
def builtin() -> MappingProxyType[str, Entry]:
    """The committed pool by id, in order of id."""
    with_path = Path(str(files("gauge.objects").joinpath("data", TABLE)))
    return MappingProxyType({one.id: one for one in read(with_path)})


def pool(folders: Sequence[Path] = ()) -> dict[str, Entry]:
    """The committed pool and what was imported into `folders`, by id.

    Raises:
        GaugeError: a folder holds no table, or a damaged one.
    """
    found = dict(builtin())
    for folder in folders:
        found |= {one.id: one for one in read(folder / TABLE)}
    return found


def find(name: str, folders: Sequence[Path] = ()) -> Entry:
    """The object of that id.

    Raises:
        GaugeError: there is none; the closest ids are named.
    """
    known = pool(folders)
    if name not in known:
        raise unknown("object", name, list(known))
    return known[name]
