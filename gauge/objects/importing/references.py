"""What a file names besides itself. Every name has to lie inside the folder that is imported, and to exist."""

import json
import re
from pathlib import Path
from xml.etree import ElementTree

from gauge.errors import GaugeError

MOST_BYTES = 200_000_000


def checked(path: Path, root: Path) -> None:
    """Go through everything that reading `path` would open.

    Raises:
        GaugeError: a name leaves the folder, a file is missing or too large.
    """
    _size(path)
    for name in _names(path):
        inside(name, path.parent, root)


def inside(name: str, base: Path, root: Path) -> Path:
    """The file that `name` means, seen from the folder `base`.

    Raises:
        GaugeError: it lies outside of `root`, or does not exist.
    """
    plain = re.sub(r"^(package|file|model)://", "", name.strip().replace("\\", "/"))
    options = [base / plain, root / plain, root / Path(plain).name] if "://" in name else [base / plain]
    top = root.resolve()
    for option in options:
        resolved = option.resolve()
        if not resolved.is_relative_to(top):
            raise GaugeError(f"it names {name}, which leaves the folder")
        if resolved.is_file():
            _size(resolved)
            return resolved
    raise GaugeError(f"it names {name}, which is missing")


def _size(path: Path) -> None:
    size = path.stat().st_size
    if size == 0:
        raise GaugeError(f"{path.name} is empty")
    if size > MOST_BYTES:
        raise GaugeError(f"{path.name} has {size // 1_000_000} MB (at most {MOST_BYTES // 1_000_000})")


def _names(path: Path) -> list[str]:
    suffix = path.suffix.lower()
    if suffix == ".obj":
        libraries = _lines(path, "mtllib")
        found = list(libraries)
        for library in libraries:
            file = path.parent / library
            if file.is_file():
                found += [name.split()[-1] for name in _lines(file, "map_Kd")]
        return found
    if suffix == ".gltf":
        try:
            tree = json.loads(path.read_text(encoding="utf-8"))
            items = [item for key in ("buffers", "images") for item in tree.get(key, [])]
        except (ValueError, AttributeError) as error:
            raise GaugeError(f"{path.name} is no glTF ({error})") from error
        return [item["uri"] for item in items if item.get("uri") and not item["uri"].startswith("data:")]
    return []


def _lines(path: Path, key: str) -> list[str]:
    """What follows `key` at the start of a line."""
    found = []
    with path.open(encoding="utf-8", errors="replace") as file:
        for line in file:
            if line.startswith(key + " ") or line.strip().startswith(key + " "):
                found.append(line.strip()[len(key) :].strip())
    return found


def tree(path: Path) -> ElementTree.Element:
    """The XML of a model.

    Raises:
        GaugeError: it is no XML, or declares entities (which could grow without bound).
    """
    text = path.read_text(encoding="utf-8", errors="replace")
    if "<!ENTITY" in text or "<!DOCTYPE" in text:
        raise GaugeError(f"{path.name} declares a document type, which is not read")
    try:
        return ElementTree.fromstring(text)
    except ElementTree.ParseError as error:
        raise GaugeError(f"{path.name} is no XML ({error})") from error
