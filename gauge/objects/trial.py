"""The two tests of one object in plain MuJoCo: it stands still where it is put, and can be held where it says."""

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

from gauge.errors import GaugeError
from gauge.objects import stage
from gauge.objects.grasp import Grasp

if TYPE_CHECKING:
    import mujoco

TRIAL_VERSION = 1
DROP_TILT_RAD = np.radians(3.0)
DROP_GAP_M = 0.005
REST_M_S, REST_RAD_S, REST_S, LIMIT_S, FIXED_S = 0.005, 0.05, 0.1, 3.0, 1.0
MOST_TILT_DEG = 0.5
MOST_SUNK_MM = 0.5
CLOSE_S, LIFT_S, HOLD_S, LIFT_M = 0.4, 0.6, 0.8, 0.12
LEAST_RISE_MM = 90.0
MOST_TURN_DEG = 20.0
MOST_CREEP_DEG = 2.0  # during the last 0.4 s of holding


@dataclass(frozen=True, slots=True)
class Result:
    """What the trial measured.

    Attributes:
        reason: empty if everything passed, else what failed with its number.
        rest_s: time until it stood still.
        tilt_deg: lean away from upright at rest.
        sunk_mm: deepest penetration at rest.
        rise_mm, turn_deg: how far it went up when lifted by 120 mm, and how far it turned; 0 if not to be grasped.
        width_mm: distance of the pads while holding.
        grasped: whether it came as far as the gripper.
    """

    reason: str
    rest_s: float = 0.0
    tilt_deg: float = 0.0
    sunk_mm: float = 0.0
    rise_mm: float = 0.0
    turn_deg: float = 0.0
    width_mm: float = 0.0
    grasped: bool = False

    def clear(self, margin: float) -> bool:
        """Whether it passed with a margin, as a share of each limit."""
        within = 1.0 - margin
        stands = self.tilt_deg <= within * MOST_TILT_DEG and self.sunk_mm <= within * MOST_SUNK_MM
        least = LEAST_RISE_MM + margin * (1000 * LIFT_M - LEAST_RISE_MM)
        holds = not self.grasped or (self.rise_mm >= least and self.turn_deg <= within * MOST_TURN_DEG)
        return not self.reason and stands and holds

    def row(self) -> dict[str, object]:
        """As a dictionary."""
        return asdict(self)


def trial(
    model: Path, upright: tuple[float, ...], grasp: Grasp | None, tilt_limit_deg: float = MOST_TILT_DEG
) -> Result:
    """Drop the object with a tilt of 3 degrees, then pinch, lift and hold it.

    Args:
        model: MJCF as robosuite's object class reads it.
        upright: quaternion (w, x, y, z) in which it stands.
        grasp: where to hold it; None leaves that out.
        tilt_limit_deg: how far it may lean at rest.
    """
    import mujoco

    try:
        compiled = stage.compiled(model)
    except GaugeError as error:
        return Result(str(error))
    data = mujoco.MjData(compiled)
    rest = _drop(compiled, data, upright, tilt_limit_deg)
    if rest.reason or grasp is None:
        return rest
    return _hold(compiled, data, grasp, rest)


def _drop(model: "mujoco.MjModel", data: "mujoco.MjData", upright: tuple[float, ...], limit_deg: float) -> Result:
    import mujoco

    joint, body = model.joint(stage.FREE_JOINT), model.body(stage.THING).id
    where, speed = int(joint.qposadr[0]), int(joint.dofadr[0])
    stand = Rotation.from_quat(upright, scalar_first=True)
    tilted = Rotation.from_rotvec([DROP_TILT_RAD * np.cos(0.7), DROP_TILT_RAD * np.sin(0.7), 0]) * stand
    data.qpos[where : where + 7] = [0, 0, 0, *tilted.as_quat(scalar_first=True)]
    mujoco.mj_forward(model, data)
    data.qpos[where + 2] = DROP_GAP_M - lowest(model, data, body)
    still, needed = 0, round(REST_S / model.opt.timestep)
    while data.time < LIMIT_S and still < needed:
        mujoco.mj_step(model, data)
        motion = data.qvel[speed : speed + 6]
        calm = np.linalg.norm(motion[:3]) < REST_M_S and np.linalg.norm(motion[3:]) < REST_RAD_S
        still = still + 1 if calm and data.ncon else 0
    if data.warning[int(mujoco.mjtWarning.mjWARN_BADQACC)].number:
        return Result("the simulation became unstable")
    now = Rotation.from_quat(data.qpos[where + 3 : where + 7], scalar_first=True)
    tilt = float(np.degrees(np.arccos(np.clip((now * stand.inv()).apply([0, 0, 1])[2], -1, 1))))
    sunk = max((-1000 * float(contact.dist) for contact in data.contact[: data.ncon]), default=0.0)
    reason = ""
    if still < needed:
        reason = f"does not come to rest within {LIMIT_S:g} s"
    elif tilt > limit_deg:
        reason = f"rests {tilt:.1f} degrees off upright (at most {limit_deg:g})"
    elif sunk > MOST_SUNK_MM:
        reason = f"sinks {sunk:.2f} mm into the table (at most {MOST_SUNK_MM:g})"
    return Result(reason, float(data.time), tilt, max(sunk, 0.0))


def stands(model: Path, upright: tuple[float, ...]) -> Result:
    """The test of a thing that is fixed to the table: it loads, and its hinges and slides stay still."""
    import mujoco

    try:
        compiled = stage.compiled(model, free=False)
    except GaugeError as error:
        return Result(str(error))
    compiled.body_quat[compiled.body(stage.THING).id] = upright
    data = mujoco.MjData(compiled)
    own = [
        joint for joint in range(compiled.njnt)
        if compiled.body_rootid[compiled.jnt_bodyid[joint]] == compiled.body(stage.THING).id
    ]  # fmt: skip
    speeds = compiled.jnt_dofadr[own]
    while data.time < FIXED_S:
        mujoco.mj_step(compiled, data)
    if data.warning[int(mujoco.mjtWarning.mjWARN_BADQACC)].number:
        return Result("the simulation became unstable")
    fastest = float(np.abs(data.qvel[speeds]).max()) if own else 0.0
    if fastest > REST_RAD_S:
        return Result(f"a joint still moves by {fastest:.2f} per second after {FIXED_S:g} s", rest_s=FIXED_S)
    return Result("", rest_s=FIXED_S)


def lowest(model: "mujoco.MjModel", data: "mujoco.MjData", body: int) -> float:
    """The lowest height that a touching geom of the body reaches, m; corners of boxes, else bounding spheres."""
    low = np.inf
    signs = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
    for geom in range(model.ngeom):
        if model.body_rootid[model.geom_bodyid[geom]] != body or not (
            model.geom_contype[geom] or model.geom_conaffinity[geom]
        ):
            continue
        up = data.geom_xmat[geom].reshape(3, 3)[2]
        half = model.geom_aabb[geom][3:]
        corners = model.geom_aabb[geom][:3] + signs * half
        low = min(low, float(data.geom_xpos[geom][2] + (corners @ up).min()))
    return low


def _hold(model: "mujoco.MjModel", data: "mujoco.MjData", grasp: Grasp, rest: Result) -> Result:
    import mujoco

    body = model.body(stage.THING).id
    turn = Rotation.from_matrix(data.xmat[body].reshape(3, 3))
    point = data.xpos[body] + turn.apply(grasp.point)
    forward = turn.apply([np.cos(grasp.yaw_rad), np.sin(grasp.yaw_rad), 0])
    hand = model.body(stage.HAND).id
    model.body_pos[hand] = point
    yaw = float(np.arctan2(forward[1], forward[0]))
    model.body_quat[hand] = [np.cos(yaw / 2), 0, 0, np.sin(yaw / 2)]
    start, before = float(data.xpos[body][2]), turn
    step = model.opt.timestep
    began, late = float(data.time), before
    while (passed := float(data.time) - began) < CLOSE_S + LIFT_S + HOLD_S:
        data.ctrl[:] = [LIFT_M * np.clip((passed - CLOSE_S) / LIFT_S, 0, 1), -0.044, -0.044]
        mujoco.mj_step(model, data)
        if abs(passed - (CLOSE_S + LIFT_S + HOLD_S - 0.4)) < step:
            late = _pose(data, body)
    after = _pose(data, body)
    rise = 1000 * (float(data.xpos[body][2]) - start)
    turned, creep = (float(np.degrees((after * one.inv()).magnitude())) for one in (before, late))
    width = 1000 * (0.08 + float(data.joint("left").qpos[0]) + float(data.joint("right").qpos[0]))
    reason = _verdict(rise, turned, creep)
    return Result(reason, rest.rest_s, rest.tilt_deg, rest.sunk_mm, rise, turned, width, True)


def _pose(data: "mujoco.MjData", body: int) -> Rotation:
    matrix: NDArray[np.float64] = data.xmat[body].reshape(3, 3)
    return Rotation.from_matrix(matrix)


def _verdict(rise_mm: float, turned_deg: float, creep_deg: float) -> str:
    if rise_mm < LEAST_RISE_MM:
        return f"slips out of the gripper: it rises by {rise_mm:.0f} mm when lifted by {1000 * LIFT_M:.0f}"
    if turned_deg > MOST_TURN_DEG:
        return f"turns by {turned_deg:.1f} degrees in the gripper (at most {MOST_TURN_DEG:g})"
    if creep_deg > MOST_CREEP_DEG:
        return f"still turns while held: {creep_deg:.1f} degrees in 0.4 s (at most {MOST_CREEP_DEG:g})"
    return ""
