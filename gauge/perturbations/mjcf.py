"""Changes to a scene's MJCF tree: a thing of another size, a thing more."""

from contextlib import redirect_stdout
from io import StringIO
from typing import Any
from xml.etree.ElementTree import Element

from gauge.errors import GaugeError

DEFAULT_DENSITY = 1000.0  # kg/m^3, MuJoCo's own
LENGTHS = ("size", "pos", "fromto")
PARKED_M = 10.0  # where an added thing waits, far away, until it is placed


def scale(world: Element, thing: str, factor: float) -> None:
    """Scale a free thing about its origin, meshes, shapes, parts and sites alike; its mass stays."""
    body = world.find(f".//body[@name='{thing}_main']")
    if body is None:
        raise GaugeError(f"the scene has no body of {thing}")
    for part in body.iter():
        if part is not body and part.tag in ("body", "geom", "site", "joint"):
            for length in LENGTHS:
                if length in part.attrib and not (length == "size" and part.get("type") == "mesh"):
                    part.set(length, _times(part.attrib[length], factor))
        if part.tag == "geom" and "mass" not in part.attrib:
            density = float(part.get("density", DEFAULT_DENSITY))
            part.set("density", repr(density / factor**3))  # inertia then follows as mass times length squared
    meshes = {geom.get("mesh") for geom in body.iter("geom")} - {None}
    for mesh in world.iter("mesh"):
        if mesh.get("name") in meshes:
            mesh.set("scale", _times(mesh.get("scale", "1 1 1"), factor))


def _times(numbers: str, factor: float) -> str:
    return " ".join(repr(float(number) * factor) for number in numbers.split())


def add(world: Element, kind: str, name: str, slot: int) -> None:
    """Append a free thing of one of LIBERO's types; it waits far away, one slot beside the other."""
    with redirect_stdout(StringIO()):
        from libero.libero.envs.objects import get_object_fn

        thing: Any = get_object_fn(kind)(name=name)
    assets, bodies = world.find("asset"), world.find("worldbody")
    assert assets is not None
    assert bodies is not None
    body = thing.get_obj()
    body.set("pos", f"{PARKED_M + slot} {PARKED_M} 1")
    assets.extend(list(thing.asset))
    bodies.append(body)
