"""A small MuJoCo world for one object: a table that is a box, a view, and a gripper with the Panda's finger pads."""

from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from gauge.errors import GaugeError

if TYPE_CHECKING:
    import mujoco

FREE_JOINT, HAND, THING = "thing_joint", "hand", "thing"
TABLE_HALF_M = 1.0
PARKED_M = 1.0  # how high the gripper waits
# Options, table friction and pads are robosuite 1.4.0's: models/assets/base.xml, arenas/table_arena.py,
# grippers/panda_gripper.xml.
WORLD = f"""<mujoco>
  <compiler angle="radian" inertiagrouprange="0 0"/>
  <option timestep="0.002" impratio="20" cone="elliptic" density="1.2" viscosity="0.00002"/>
  <visual>
    <map znear="0.001"/><quality shadowsize="2048"/><headlight ambient="0.35 0.35 0.35" diffuse="0.35 0.35 0.35"/>
  </visual>
  <asset><material name="stage_table" rgba="0.72 0.70 0.67 1" specular="0.2" shininess="0.2"/></asset>
  <worldbody>
    <light pos="0.5 -0.7 1.4" dir="-0.35 0.5 -1" diffuse="0.55 0.55 0.55" specular="0.2 0.2 0.2"/>
    <camera name="view"/>
    <body name="table" pos="0 0 -0.025">
      <geom type="box" size="{TABLE_HALF_M} {TABLE_HALF_M} 0.025" friction="1 0.005 0.0001" group="1"
            material="stage_table"/>
    </body>
    <body name="{HAND}" pos="0 0 {PARKED_M}">
      <body name="wrist">
        <joint name="lift" type="slide" axis="0 0 1" damping="100"/>
        <geom type="box" size="0.02 0.05 0.01" pos="0 0 0.09" mass="0.7" contype="0" conaffinity="0" group="0"/>
        <body name="left">
          <joint name="left" type="slide" axis="0 1 0" range="-0.04 0" limited="true" damping="100" armature="1"/>
          <geom type="box" size="0.008 0.004 0.008" pos="0 0.044 0" mass="0.02" solref="0.01 0.5"
                friction="2 0.05 0.0001" group="0"/>
        </body>
        <body name="right">
          <joint name="right" type="slide" axis="0 -1 0" range="-0.04 0" limited="true" damping="100" armature="1"/>
          <geom type="box" size="0.008 0.004 0.008" pos="0 -0.044 0" mass="0.02" solref="0.01 0.5"
                friction="2 0.05 0.0001" group="0"/>
        </body>
      </body>
    </body>
  </worldbody>
  <contact><exclude body1="left" body2="table"/><exclude body1="right" body2="table"/></contact>
  <actuator>
    <position joint="lift" kp="5000"/>
    <position joint="left" kp="1000" forcelimited="true" forcerange="-20 20"/>
    <position joint="right" kp="1000" forcelimited="true" forcerange="-20 20"/>
  </actuator>
</mujoco>"""


def compiled(model: Path, free: bool = True) -> "mujoco.MjModel":
    """The world with the object of the MJCF file `model` in it, compiled.

    Args:
        model: an object as robosuite's object class reads them.
        free: whether the object can move, or is fixed.

    Raises:
        GaugeError: the file is no such model, or MuJoCo refuses it.
    """
    import mujoco

    try:
        return mujoco.MjModel.from_xml_string(world(model, free))
    except (ValueError, ElementTree.ParseError, OSError) as error:
        reason = " ".join(str(error).split())
        raise GaugeError(f"{model.name} of {model.parent.name} cannot be loaded: {reason[:300]}") from error


def world(model: Path, free: bool = True) -> str:
    """The MJCF of the world with the object."""
    root, thing = ElementTree.fromstring(WORLD), ElementTree.parse(model).getroot()
    body = thing.find("./worldbody/body/body[@name='object']")
    if body is None:
        raise GaugeError(f"{model} has no worldbody/body/body named object, which robosuite needs")
    known: set[tuple[str, str]] = set()
    for asset in thing.findall("./asset/*"):
        key = (asset.tag, asset.get("name") or asset.get("file") or "")
        if key in known:  # LIBERO's stoves name a texture twice; robosuite keeps the first, too
            continue
        known.add(key)
        _absolute(asset, model.parent)
        _child(root, "asset").append(asset)
    for defaults in thing.findall("./default"):
        root.append(defaults)
    body.set("name", THING)
    body.attrib.pop("pos", None)
    body.attrib.pop("quat", None)
    if free:
        body.insert(0, Element("joint", type="free", name=FREE_JOINT, damping="0.0005"))  # damping: LIBERO's
    _child(root, "worldbody").append(body)
    return ElementTree.tostring(root, encoding="unicode")


def _absolute(asset: Element, folder: Path) -> None:
    for key in ("file", *(f"file{side}" for side in ("up", "down", "left", "right", "front", "back"))):
        if asset.get(key):
            asset.set(key, str((folder / asset.attrib[key]).resolve()))


def _child(root: Element, tag: str) -> Element:
    found = root.find(tag)
    assert found is not None
    return found
