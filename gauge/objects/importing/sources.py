"""Which files of a folder are objects: the layouts of YCB, Google Scanned Objects, RoboCasa and Objaverse, or any."""

import re
from dataclasses import dataclass
from pathlib import Path

from gauge.errors import GaugeError

MESHES = (".obj", ".glb", ".gltf", ".ply", ".stl")
MODELS = (".xml", ".urdf")
PLAIN_STEMS = ("textured", "model", "mesh", "visual", "textured_simple", "nontextured", "collision")  # best first
PLAIN_FOLDERS = {"meshes", "mesh", "visual", "collision", "google_16k", "google_64k", "google_512k", "tsdf", "poisson"}
NOT_SEEN = {"collision", "clouds"}


@dataclass(frozen=True, slots=True)
class Source:
    """One object to be: its name, and the file that says everything."""

    name: str
    path: Path


def sources(root: Path) -> list[Source]:
    """The objects below a folder, in order of name.

    A model (.xml, .urdf) owns the meshes beside and below it. A mesh with a plain name (textured.obj, model.obj)
    stands for its folder, the most telling one first; any other mesh is an object of its own.

    Raises:
        GaugeError: there is no such folder, or nothing to import in it.
    """
    if not root.is_dir():
        raise GaugeError(f"{root} is no folder; name the folder that holds the models")
    files = sorted(path for path in root.rglob("*") if path.suffix.lower() in (*MESHES, *MODELS) and path.is_file())
    models = [path for path in files if path.suffix.lower() in MODELS and _is_model(path)]
    owned = {path.parent for path in models if path.parent != root}
    found: dict[str, Path] = {_named(root, path, path.parent if path.parent != root else None): path for path in models}
    best: dict[Path, Path] = {}
    for path in files:
        if path.suffix.lower() in MODELS or owned & set(path.parents) or NOT_SEEN & set(path.relative_to(root).parts):
            continue
        if path.stem.lower() not in PLAIN_STEMS or _owner(path, root) == root:
            found.setdefault(_named(root, path, None), path)
        elif _rank(path) < _rank(best.get(_owner(path, root))):
            best[_owner(path, root)] = path
    found |= {_named(root, path, owner): path for owner, path in best.items()}
    if not found:
        raise GaugeError(f"{root} holds no {', '.join((*MESHES, *MODELS))} file")
    return [Source(name, path) for name, path in sorted(found.items())]


def _is_model(path: Path) -> bool:
    """Whether the text begins like MJCF or URDF; other XML (materials, annotations) is passed over."""
    try:
        with path.open(encoding="utf-8", errors="replace") as file:
            return bool(re.search(r"<(mujoco|robot)\b", file.read(4096)))
    except OSError:
        return False


def _owner(path: Path, root: Path) -> Path:
    """The folder that a mesh with a plain name stands for."""
    folder = path.parent
    while folder.name.lower() in PLAIN_FOLDERS and folder != root:
        folder = folder.parent
    return folder


def _rank(path: Path | None) -> tuple[int, str]:
    if path is None:
        return (len(PLAIN_STEMS), "")
    return (PLAIN_STEMS.index(path.stem.lower()), str(path))


def _named(root: Path, path: Path, folder: Path | None) -> str:
    """A name from the path: letters, digits and underscores."""
    parts = folder.relative_to(root).parts if folder else (*path.relative_to(root).parts[:-1], path.stem)
    return re.sub(r"[^a-z0-9]+", "_", "_".join(parts).lower()).strip("_") or "object"
