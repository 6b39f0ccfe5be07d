"""Measures of what changes the scene as a whole: cameras, lights, floor, walls and work surface."""

from functools import partial

import numpy as np
from numpy.typing import NDArray

from gauge.core.policy import CAMERAS
from gauge.perturbations import materials, textures
from gauge.perturbations.light_diffuse import TINTS
from gauge.validate.amounts import Amount, Measure, number, numbers
from gauge.validate.view import View

Array = NDArray[np.float64]
PIVOT_BELOW_M = 0.1


def _camera(view: View) -> tuple[Array, Array, Array, Array]:
    """The outside camera's clean and present position (3, m, from the pivot) and axes [3, 3]."""
    from scipy.spatial.transform import Rotation

    scene = view.edits.scene
    number = scene.model.camera(CAMERAS[0]).id
    pivot = np.asarray(scene.env.workspace_offset) - [0.0, 0.0, PIVOT_BELOW_M]
    poses = [(view.fields["cam_pos"][number], view.fields["cam_quat"][number])]
    poses.append((scene.model.cam_pos[number], scene.model.cam_quat[number]))
    axes = [Rotation.from_quat(quat, scalar_first=True).as_matrix() for _, quat in poses]
    return poses[0][0] - pivot, poses[1][0] - pivot, axes[0], axes[1]


def _angles(position: Array) -> tuple[float, float]:
    """Azimuth and elevation in degrees."""
    x, y, z = position
    return float(np.degrees(np.arctan2(y, x))), float(np.degrees(np.arctan2(z, np.hypot(x, y))))


def distance(view: View) -> Amount:
    """The factor of the camera's distance to the pivot; the view must keep its direction."""
    before, after, axes, turned = _camera(view)
    found = number(float(view.value), float(np.linalg.norm(after) / np.linalg.norm(before)), 1e-6)
    return found._replace(agrees=found.agrees and np.allclose(axes, turned, atol=1e-6))


def orbit(view: View, which: int) -> Amount:
    """The change of azimuth (0) or elevation (1); distance, the other angle and what it looks at must stay."""
    before, after, axes, turned = _camera(view)
    old, new = _angles(before), _angles(after)
    change = (new[which] - old[which] + 180.0) % 360.0 - 180.0
    same_angle = abs(new[1 - which] - old[1 - which]) < 1e-4
    same_distance = abs(np.linalg.norm(after) - np.linalg.norm(before)) < 1e-6
    same_aim = np.allclose(axes.T @ before, turned.T @ after, atol=1e-5)
    found = number(float(view.value), change, 1e-4)
    return found._replace(agrees=found.agrees and bool(same_angle and same_distance and same_aim))


def turned(view: View, axis: int) -> Amount:
    """The turn about one of the camera's own axes, in degrees; it must stay where it is."""
    from scipy.spatial.transform import Rotation

    before, after, axes, now = _camera(view)
    vector = Rotation.from_matrix(axes.T @ now).as_rotvec(degrees=True)
    found = number(float(view.value), float(vector[axis]), 1e-4)
    others = np.abs(np.delete(vector, axis)).max()
    return found._replace(agrees=found.agrees and bool(np.array_equal(before, after) and others < 1e-4))


def diffuse(view: View) -> Amount:
    """The factor in red, green and blue over all lights."""
    scale = np.array(TINTS[view.value]) if isinstance(view.value, str) else np.full(3, float(view.value))
    was, now = view.fields["light_diffuse"], view.edits.scene.model.light_diffuse
    lit = was > 0
    error = np.abs(now[lit] / was[lit] - np.broadcast_to(scale, was.shape)[lit]).max(initial=0.0)
    return numbers(view.value, float(error), 1e-5, "in the factor")


def direction(view: View) -> Amount:
    """The angle between where the moved lights come from and the stated direction, in degrees."""
    azimuth, elevation = np.radians([float(part) for part in str(view.value).split("/")])
    wanted = np.array([np.cos(elevation) * np.cos(azimuth), np.cos(elevation) * np.sin(azimuth), np.sin(elevation)])
    model, center = view.edits.scene.model, np.asarray(view.edits.scene.env.workspace_offset)
    moved = np.flatnonzero((model.light_dir != view.fields["light_dir"]).any(axis=1))
    towards = [
        -model.light_dir[light] if model.light_directional[light] else model.light_pos[light] - center
        for light in moved
    ]
    errors = [np.degrees(np.arccos(np.clip(way @ wanted / np.linalg.norm(way), -1, 1))) for way in towards]
    return numbers(view.value, float(max(errors, default=np.inf)), 0.01, "degrees")


def specular(view: View) -> Amount:
    """The level of all lights."""
    level = view.edits.scene.model.light_specular
    return number(float(view.value), float(level.flat[np.abs(level - float(view.value)).argmax()]), 1e-6)


def shadow(view: View) -> Amount:
    """How many lights cast shadows."""
    return number(view.edits.scene.model.nlight, int(view.edits.scene.model.light_castshadow.sum()), 0)


def pixels_of(view: View, material: int, name: str) -> float:
    """Largest difference in grey levels between a material's texture now and the file that it should show."""
    texture = materials.texture_of(view.edits, material)
    model = view.edits.scene.model
    wanted = textures.fitted(name, view.edits.texture_shape(texture)).reshape(-1)
    first = int(model.tex_adr[texture])
    return float(np.abs(model.tex_data[first : first + wanted.size].astype(np.int16) - wanted).max())


def surface(view: View) -> Amount:
    """Whether the work surface shows the stated texture."""
    return numbers(view.value, pixels_of(view, materials.surface(view.edits), str(view.value)), 0, "grey levels")


def background(view: View) -> Amount:
    """Whether floor and walls show the stated pair."""
    floor, _, wall = str(view.value).partition("+")
    model = view.edits.scene.model
    pairs = ((materials.FLOOR, textures.FLOORS[floor]), (materials.WALL, textures.WALLS[wall]))
    error = max(pixels_of(view, model.mat(material).id, name) for material, name in pairs)
    return numbers(view.value, error, 0, "grey levels")


MEASURES: dict[str, Measure] = {
    "background": background,
    "background_surface": surface,
    "camera_distance": distance,
    "camera_horizontal": partial(orbit, which=0),
    "camera_orientation_pitch": partial(turned, axis=0),
    "camera_orientation_roll": partial(turned, axis=2),
    "camera_orientation_yaw": partial(turned, axis=1),
    "camera_vertical": partial(orbit, which=1),
    "light_diffuse": diffuse,
    "light_direction": direction,
    "light_shadow": shadow,
    "light_specular": specular,
}
