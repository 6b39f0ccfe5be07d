"""Where the records of a cell lie: in the files of the processes that wrote them, or in the compacted parts of a study.

A part is a Parquet file with its list of contents beside it, `compacted/part-<name>.parquet` and `.json`, and is never
changed. It holds whole record files, called sources. A source counts exactly once, whatever was compacted by whom:

- its own file, if that is there with another size than when it was compacted (its writer was not dead after all);
- else the first part that holds it, if its file is still there, or if the cell's folder says that it was removed.

So a cell's folder that somebody deletes takes its compacted records along, and no file is ever locked or rewritten.
"""

import json
import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path
from typing import NamedTuple

from gauge.errors import GaugeError
from gauge.records.store import CELL_FILE, EPISODE_FILES

PARTS = "compacted"  # folder of a study
REMOVED = "compacted.json"  # in a cell's folder: record files that were removed after they were compacted
VERSION = 1


class Source(NamedTuple):
    """One record file, by name and bytes; `part` and `number` say where it lies compacted, None that it is read."""

    name: str
    size: int
    part: Path | None = None
    number: int = 0


@dataclass(frozen=True, slots=True)
class Shelf:
    """The record files of the cell in `folder`, by name; `described` says whether it holds a `cell.json`."""

    folder: Path
    sources: tuple[Source, ...]
    described: bool

    @property
    def size(self) -> int:
        """Bytes of all records as they were written."""
        return sum(source.size for source in self.sources)

    @property
    def loose(self) -> list[Source]:
        """Those that no part holds yet, or holds in part."""
        return [source for source in self.sources if source.part is None]


class Held(NamedTuple):
    """Where a part holds a source of so many bytes, and how many of its lines were damaged."""

    part: Path
    number: int
    size: int
    damaged: int


def shelves(folders: Sequence[Path]) -> Iterator[Shelf]:
    """The shelves of cells' folders; one that does not exist is empty.

    Raises:
        GaugeError: a list of compacted records is damaged, or compacted records are gone.
    """
    names: dict[Path, set[str]] = {}
    for folder in folders:
        names.setdefault(folder.parent, set()).add(folder.name)
    studies = {study: contents(study, wanted) for study, wanted in names.items()}
    for folder in folders:
        yield shelf(folder, studies[folder.parent].get(folder.name, {}))


def shelf(folder: Path, held: Mapping[str, Held]) -> Shelf:
    """One cell's shelf, given what parts hold of it."""
    found: list[Source] = []
    described = removed = False
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                described |= entry.name == CELL_FILE
                removed |= entry.name == REMOVED
                if fnmatch(entry.name, EPISODE_FILES):
                    found.append(_placed(entry.name, entry.stat().st_size, held))
    except (FileNotFoundError, NotADirectoryError):
        return Shelf(folder, (), False)
    if removed:
        here = {source.name for source in found}
        found += [_of_part(folder, name, held) for name in removed_from(folder) if name not in here]
    return Shelf(folder, tuple(sorted(found)), described)


def contents(study: Path, folders: Collection[str] | None = None) -> dict[str, dict[str, Held]]:
    """What the parts of a study hold, by cell's folder and file; of a source in several, the first part by name counts.

    Args:
        study: its folder.
        folders: names of the cells that are asked for; None for all.

    Raises:
        GaugeError: a list of contents is damaged.
    """
    found: dict[str, dict[str, Held]] = {}
    for path in sorted((study / PARTS).glob("part-*.json")):
        try:
            data = json.loads(path.read_text(encoding="utf-8"))
            assert data["version"] == VERSION
            rows = [
                (number, str(folder), str(name), int(size), int(bad))
                for number, (folder, name, size, bad) in enumerate(data["sources"])
                if folders is None or folder in folders
            ]
        except FileNotFoundError:
            continue
        except (OSError, ValueError, KeyError, TypeError, AssertionError) as error:
            raise GaugeError(f"{path} is no list of compacted records of this version ({error!r})") from error
        part = path.with_suffix(".parquet")
        if rows and part.is_file():
            for number, folder, name, size, bad in rows:
                found.setdefault(folder, {}).setdefault(name, Held(part, number, size, bad))
    return found


def removed_from(folder: Path) -> list[str]:
    """The record files that were removed from a cell's folder after they were compacted.

    Raises:
        GaugeError: the list is damaged.
    """
    path = folder / REMOVED
    try:
        return [str(name) for name in json.loads(path.read_text(encoding="utf-8"))["removed"]]
    except FileNotFoundError:
        return []
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise GaugeError(f"{path} cannot be read ({error!r}); it names the compacted records of the cell") from error


def _placed(name: str, size: int, held: Mapping[str, Held]) -> Source:
    at = held.get(name)
    return Source(name, size, at.part, at.number) if at is not None and at.size == size else Source(name, size)


def _of_part(folder: Path, name: str, held: Mapping[str, Held]) -> Source:
    at = held.get(name)
    if at is None:
        raise GaugeError(
            f"the compacted records of {folder.name} are gone: no file in {folder.parent / PARTS} holds {name}; "
            "put that folder back"
        )
    return Source(name, at.size, at.part, at.number)
