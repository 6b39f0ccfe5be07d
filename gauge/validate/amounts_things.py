"""Measures of what changes single things: their look, pose and size, what is added, arm and hand."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from gauge.perturbations import materials
from gauge.perturbations.appearance import COLORS
from gauge.perturbations.distraction import kinds
from gauge.perturbations.distractor_type import seen_types
from gauge.validate.amounts import Amount, Measure, number, numbers
from gauge.validate.amounts_scene import pixels_of
from gauge.validate.scope import thing_of
from gauge.validate.view import View

Array = NDArray[np.float64]
RESTS_WITHIN_M = 0.005  # of where the stated displacement puts it
NORMS_RAD = 0.1  # LIBERO-Plus's states come in five hundreds, each 0.1 rad further from LIBERO's own
FINGERS = 0.1  # the springs of the hand keep it from the commanded opening by some hundredths


def color(view: View) -> Amount:
    """Whether every visible part has the plain colour."""
    model = view.edits.scene.model
    geoms = materials.visual_geoms(view.edits, thing_of(view.bound.item.attribute, view.edits.scene))
    error = np.abs(model.geom_rgba[geoms, :3] - COLORS[str(view.value)]).max()
    plain = bool((model.geom_matid[geoms] == -1).all())
    return numbers(view.value, float(error) if plain else np.inf, 1e-6, "in RGB")


def texture(view: View) -> Amount:
    """Whether every textured part shows the stated texture."""
    geoms = materials.visual_geoms(view.edits, thing_of(view.bound.item.attribute, view.edits.scene))
    shown = {int(material) for material in view.edits.scene.model.geom_matid[geoms]}
    textured = [one for one in shown if materials.texture_of(view.edits, one) >= 0]
    error = max((pixels_of(view, one, str(view.value)) for one in textured), default=np.inf)
    return numbers(view.value, error, 0, "grey levels")


def position(view: View) -> Amount:
    """How far the target rests from where it rests otherwise."""
    axis, centimetres = str(view.value)[0], float(str(view.value)[1:])
    moved = view.moved(view.roles.target)
    wanted = np.zeros(3)
    wanted["xy".index(axis)] = centimetres / 100.0
    shown = f"{axis}{100 * moved['xy'.index(axis)]:+.2f}"
    return Amount(str(view.value), shown, bool(np.linalg.norm(moved - wanted) <= RESTS_WITHIN_M))


def orientation(view: View) -> Amount:
    """The yaw at which the target starts, in degrees."""
    from scipy.spatial.transform import Rotation

    joint = view.edits.scene.env.get_object(view.roles.target).joints[-1]
    first = int(view.edits.scene.model.joint(joint).qposadr[0]) + 3
    was, now = (Rotation.from_quat(s.start[first : first + 4], scalar_first=True) for s in (view.clean, view.state))
    vector = (now * was.inv()).as_rotvec(degrees=True)
    found = number(float(view.value), float(vector[2]), 0.01)
    return found._replace(agrees=found.agrees and bool(np.abs(vector[:2]).max() < 0.01))


def scale(view: View) -> Amount:
    """The factor of the target's bounding box; its mass must stay."""
    target = f"{view.roles.target}_main"
    was, now = view.clean_scene.model, view.edits.scene.model
    found = number(float(view.value), float((_extent(now, target) / _extent(was, target)).mean()), 0.01)
    same_mass = np.isclose(_mass(was, target), _mass(now, target), rtol=1e-6)
    level = abs(view.moved(view.roles.target)[:2]).max() < RESTS_WITHIN_M
    return found._replace(agrees=found.agrees and bool(same_mass and level))


def _mass(model: "object", body: str) -> float:
    number = model.body(body).id  # type: ignore[attr-defined]
    return float(model.body_mass[model.body_rootid == number].sum())  # type: ignore[attr-defined]


def _extent(model: "object", body: str) -> Array:
    """Size (3, m) of the collision geoms of a body and its parts, boxed in the body's own frame."""
    from gauge.validate.boxes import boxed

    low, high = boxed(model, model.body(body).id)  # type: ignore[attr-defined]
    return np.asarray(high - low)


def _added(view: View) -> list[str]:
    """The names of the added bodies with a free joint."""
    model = view.edits.scene.model
    names = [model.joint(joint).name for joint in range(model.njnt)]
    return [name.removesuffix("_joint0") for name in names if name.startswith("distractor_")]


def count(view: View) -> Amount:
    """How many things were added, each clear of the task's objects."""
    return number(float(view.value), len(_added(view)), 0)


def kind(view: View) -> Amount:
    """Whether both added things belong to the stated class."""
    types = [name.split("_", 2)[2] for name in _added(view)]
    target, known = view.roles.types[view.roles.target], kinds()
    tests: dict[str, Callable[[str], bool]] = {
        "unrelated-small": lambda one: known[one]["size"] == "small",
        "unrelated-large": lambda one: known[one]["size"] == "large",
        "same-colour": lambda one: known[one]["color"] == known[target]["color"],
        "same-shape": lambda one: known[one]["shape"] == known[target]["shape"],
        "unseen-category": lambda one: one not in seen_types(),
    }
    fits = len(types) == 2 and all(tests[str(view.value)](one) and one != target for one in types)
    return Amount(str(view.value), " and ".join(types), fits)


def apart(view: View) -> Amount:
    """The distance (m) of the added things to the target after settling, the one that is further off."""
    body = view.state.bodies
    target = body[f"{view.roles.target}_main"][:2]
    found = [float(np.linalg.norm(body[f"{name}_main"][:2] - target)) for name in _added(view)]
    worst = max(found, key=lambda metres: abs(metres - float(view.value)), default=np.inf)
    result = number(float(view.value), worst, 0.01)
    return result._replace(agrees=result.agrees and len(found) == 2)


def arm(view: View) -> Amount:
    """How far (rad, norm over the joints) the arm starts from LIBERO's own start."""
    scene = view.edits.scene
    offset = view.state.start[scene.arm_qpos] - np.asarray(scene.env.robots[0].init_qpos)
    index = int(view.value)
    stated = NORMS_RAD * ((index - 1) // 100 + 1)
    found = number(round(stated, 1), float(np.linalg.norm(offset)), 0.001)
    return found._replace(stated=f"{index} ({stated:g} rad)")


def hand(view: View) -> Amount:
    """The opening with which the hand meets the policy, as a fraction; it must be another than without the value."""
    scene = view.edits.scene
    opening, clean = (
        float((state.settled[scene.finger_qpos] / scene.fingers_open).mean()) for state in (view.state, view.clean)
    )
    found = number(float(view.value), opening, FINGERS)
    return found._replace(
        measured=f"{opening:.2f} instead of {clean:.2f}", agrees=found.agrees and abs(opening - clean) > FINGERS
    )


MEASURES: dict[str, Measure] = {
    "distractor_distance": apart,
    "distractor_number": count,
    "distractor_type": kind,
    "gripper_state": hand,
    "placed_object_color": color,
    "placed_object_texture": texture,
    "robot_initial_state": arm,
    "target_object_color": color,
    "target_object_orientation": orientation,
    "target_object_position": position,
    "target_object_scale": scale,
    "target_object_texture": texture,
}
