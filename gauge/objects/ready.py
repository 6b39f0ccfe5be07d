"""From an id to model files on disk: generated objects are built once into a cache, others lie where they are."""

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from gauge.errors import GaugeError, unknown
from gauge.objects.entry import Entry
from gauge.objects.model import XML, Built
from gauge.objects.packaged import packaged
from gauge.objects.pool import find

CACHE = Path("outputs/objects")


@dataclass(frozen=True, slots=True)
class Ready:
    """An object that can be loaded.

    Attributes:
        entry: what it is.
        model: MJCF that robosuite's MujocoXMLObject reads.
    """

    entry: Entry
    model: Path


def ready(name: str, cache: Path = CACHE, folders: Sequence[Path] = ()) -> Ready:
    """The object of that id with its files; the files of a generated object are built if they are not there.

    Args:
        name: id in the pool.
        cache: folder that generated objects are built into; any number of processes may share it.
        folders: imported folders to look in beside the committed pool.

    Raises:
        GaugeError: there is no such object, its files are gone, or they are not those that were checked.
    """
    entry = find(name, folders)
    if entry.source == "generator":
        return Ready(entry, _generated(entry, cache))
    if entry.source in ("libero", "robosuite"):
        known = packaged()
        if name not in known:
            raise unknown("packaged model", name, list(known))
        return Ready(entry, known[name].model)
    for folder in folders:
        model = folder / name.rpartition("/")[2] / XML
        if model.is_file():
            return Ready(entry, model)
    raise GaugeError(f"the files of {name} are gone; import its folder again")


def numbered(name: str) -> tuple[str, int]:
    """Family and number of a generated object's id."""
    _, family, number = name.split("/")
    return family.replace("_", " "), int(number)


def named(family: str, number: int) -> str:
    """Id of a generated object."""
    return f"gen/{family.replace(' ', '_')}/{number:04d}"


def _generated(entry: Entry, cache: Path) -> Path:
    family, number = numbered(entry.id)
    folder = cache / f"{family.replace(' ', '_')}_{number:04d}_{entry.digest}"
    if (folder / XML).is_file():
        return folder / XML
    from gauge.objects.generate import generate

    built = generate(family, number).built
    if built.digest != entry.digest:
        raise GaugeError(
            f"{entry.id} is not what was checked (made {built.digest}, checked {entry.digest}); "
            "restore gauge/objects, or run python -m gauge.objects.make_pool to check anew"
        )
    return store(built, folder)


def store(built: Built, folder: Path) -> Path:
    """Write a built object into `folder`, whole or not at all, and return its MJCF."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix=".building-") as scratch:
        made = Path(scratch) / "object"
        built.write(made)
        try:
            made.replace(folder)
        except OSError:
            if not (folder / XML).is_file():  # else another process was faster
                raise
    return folder / XML
