"""Objects of the pool for robosuite's and LIBERO's scenes. LIBERO's own types are in its registry already."""

from typing import TYPE_CHECKING, Any

from gauge.errors import GaugeError
from gauge.objects.ready import Ready
from gauge.vbddl.pool import type_name

if TYPE_CHECKING:
    from robosuite.models.objects import MujocoXMLObject

FREE = {"type": "free", "damping": "0.0005"}  # as LIBERO's objects


def thing(made: Ready, name: str) -> "MujocoXMLObject":
    """The object as robosuite's class, free to move; `name` prefixes everything in it.

    The attributes that LIBERO reads when it places an object are set: it stands as it is, whatever its yaw.
    robosuite is imported here, so whoever wants it quiet imports `gauge.sim.libero` before.
    """
    from robosuite.models.objects import MujocoXMLObject

    body = MujocoXMLObject(str(made.model), name, joints=[dict(FREE)], obj_type="all", duplicate_collision_geoms=False)
    body.category_name = type_name(made.entry.id)
    body.rotation, body.rotation_axis = (0.0, 0.0), "z"
    body.object_properties = {"vis_site_names": {}}
    return body


def register(made: Ready) -> str:
    """Make the object a type of LIBERO's in this process, so that task files can name it; returns its type name.

    Raises:
        GaugeError: it does not stand in its own frame, or another class has the name.
    """
    from libero.libero.envs.base_object import OBJECTS_DICT

    kind = type_name(made.entry.id)
    if made.entry.source == "libero":
        return kind
    if made.entry.upright != (1.0, 0.0, 0.0, 0.0):
        raise GaugeError(f"{made.entry.id} does not stand in its own frame; LIBERO would lay it down")
    known = OBJECTS_DICT.get(kind)
    if known is not None and getattr(known, "entry", None) != made.entry:
        raise GaugeError(f"LIBERO has a type {kind} already; rename the imported folder")

    def build(name: str = kind, **_: Any) -> "MujocoXMLObject":
        return thing(made, name)

    build.entry = made.entry  # type: ignore[attr-defined]
    OBJECTS_DICT[kind] = build
    return kind
