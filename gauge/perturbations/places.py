"""Free places in a started scene, and what stands where."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from gauge.errors import SceneError
from gauge.perturbations.roles import roles

if TYPE_CHECKING:
    from gauge.sim.edits import SceneEdits
    from gauge.sim.scene import Scene

Array = NDArray[np.float64]
CLEAR_M = 0.10  # between the origins of an added thing and any object of the task
PATH_M = 0.08  # between an added thing and the straight line from the target to where it goes
GAP_M = 0.001  # above the surface, before it settles


def lowest(scene: "Scene", body: int) -> float:
    """Height (m) of the lowest point of a body's collision geoms, boxed; sharp where they stand upright."""
    model, data = scene.model, scene.data
    heights = []
    for geom in range(model.ngeom):
        if model.body_rootid[model.geom_bodyid[geom]] == body and model.geom_group[geom] == 0:
            axes = data.geom_xmat[geom].reshape(3, 3)
            center = data.geom_xpos[geom] + axes @ model.geom_aabb[geom, :3]
            heights.append(center[2] - (np.abs(axes) @ model.geom_aabb[geom, 3:])[2])
    return float(min(heights))


def origins(scene: "Scene") -> dict[str, Array]:
    """Where the origin of every object and fixture of the task is, (3, m)."""
    env = scene.env
    names = [*env.objects_dict, *env.fixtures_dict]
    return {name: scene.data.xpos[env.obj_body_id[name]].copy() for name in names if name in env.obj_body_id}


def put(edits: "SceneEdits", joint: str, upright: Array, spot: Array, yaw: float) -> None:
    """Stand a free thing at `spot` (2, m) on whatever surface is there.

    Raises:
        SceneError: no bare surface is there, or it would touch something.
    """
    import mujoco
    from scipy.spatial.transform import Rotation

    scene = edits.scene
    body = int(scene.model.joint(joint).bodyid[0])
    turned = Rotation.from_euler("z", yaw) * Rotation.from_quat(upright, scalar_first=True)
    pose = np.concatenate([[*spot, surface_below(scene, spot)], turned.as_quat(scalar_first=True)])
    address = int(scene.model.joint(joint).qposadr[0])
    scene.data.qpos[address + 3 : address + 7] = pose[3:]  # turned where it waits, to see how tall it stands
    mujoco.mj_forward(scene.model, scene.data)
    pose[2] += GAP_M + scene.data.qpos[address + 2] - lowest(scene, body)
    edits.place(joint, pose, allowed_m=0.0)


def park(scene: "Scene", joint: str) -> None:
    """Put a free thing back to where it waits."""
    address = int(scene.model.joint(joint).qposadr[0])
    scene.data.qpos[address : address + 7] = scene.model.qpos0[address : address + 7]


def surface_below(scene: "Scene", spot: Array) -> float:
    """Height (m) of the table or floor at `spot` (2, m).

    Raises:
        SceneError: something stands there, or there is nothing.
    """
    import mujoco

    hit = np.zeros(1, dtype=np.int32)
    start = np.array([*spot, scene.env.workspace_offset[2] + 0.6])
    down = np.array([0.0, 0.0, -1.0])
    distance = mujoco.mj_ray(scene.model, scene.data, start, down, None, 1, -1, hit)
    body = scene.model.body(int(scene.model.geom_bodyid[hit[0]])).name if hit[0] >= 0 else ""
    things = (*scene.env.objects_dict, *scene.env.fixtures_dict, "robot", "gripper", "mount", "distractor")
    if hit[0] < 0 or body.startswith(things) or distance > 0.65:
        raise SceneError(f"no bare surface at x={spot[0]:.2f}, y={spot[1]:.2f} m")
    return float(start[2] - distance)


def clear(scene: "Scene", spot: Array, taken: Sequence[Array]) -> bool:
    """Whether `spot` (2, m) keeps away from the task's objects, from what was put before, and from the way."""
    task, where = roles(scene.task.bddl_path), origins(scene)
    around = [where[name][:2] for name in scene.env.objects_dict] + list(taken)
    if any(np.linalg.norm(spot - other) < CLEAR_M - 1e-9 for other in around):
        return False
    if not task.placed or not task.movable:
        return True
    start, end = where[task.target][:2], where[task.placed][:2]
    along = np.clip((spot - start) @ (end - start) / max(float((end - start) @ (end - start)), 1e-9), 0.0, 1.0)
    return bool(np.linalg.norm(start + along * (end - start) - spot) >= PATH_M)
