"""Handles, sliding doors and lying things in real scenes of the suites, with values."""

from collections.abc import Iterator
from contextlib import contextmanager

import mujoco
import numpy as np
import pytest

from gauge.sim.scene import Scene
from gauge.suites.generate import FOLDER
from gauge.suites.scenario import load_folder
from gauge.vbddl import Literal

pytestmark = pytest.mark.sim
TABLE_M = 0.9


@contextmanager
def started(name: str) -> Iterator[Scene]:
    tasks = {task.name: task for task in load_folder(FOLDER / "action_reasoning" / "ood", "ood").tasks}
    made = Scene(tasks[name])
    made.start(0, 0)
    yield made
    made.close()


@pytest.fixture(scope="module")
def faucet() -> Iterator[Scene]:
    with started("action_B1b_left") as made:
        yield made


@pytest.fixture(scope="module")
def window() -> Iterator[Scene]:
    with started("action_B2c_fridge") as made:
        yield made


@pytest.fixture(scope="module")
def bottle() -> Iterator[Scene]:
    with started("action_B3a_bottle") as made:
        yield made


def judge(scene: Scene, predicate: str, name: str) -> bool:
    return scene.goals.judge(Literal(predicate, (name,)))


def set_joint(scene: Scene, joint: str, q: float) -> None:
    scene.data.joint(joint).qpos[0] = q
    mujoco.mj_forward(scene.model, scene.data)


def lowest(scene: Scene, name: str) -> float:
    """Lowest corner (m) of the colliding geometry of a fixture."""
    root = scene.model.body(f"{name}_main").id
    found = []
    for geom in np.flatnonzero(scene.model.body_rootid[scene.model.geom_bodyid] == root):
        centre, half = scene.model.geom_aabb[geom][:3], scene.model.geom_aabb[geom][3:]
        turn = scene.data.geom_xmat[geom].reshape(3, 3)
        found.append((scene.data.geom_xpos[geom] + turn @ centre - np.abs(turn) @ half)[2])
    return float(min(found))


def handle(scene: Scene) -> np.ndarray:
    """Where the outermost part of the faucet's handle is, [3]."""
    body = int(scene.model.jnt_bodyid[scene.model.joint("faucet_1_knob_Joint_1").id])
    geoms = np.flatnonzero(scene.model.geom_bodyid == body)
    away = np.linalg.norm(
        scene.data.geom_xpos[geoms] - scene.data.xanchor[scene.model.joint("faucet_1_knob_Joint_1").id], axis=1
    )
    return np.asarray(scene.data.geom_xpos[geoms[int(np.argmax(away))]])


@pytest.mark.parametrize(("q", "left", "right"), [(0.0, False, False), (-0.91, True, False), (0.91, False, True)])
def test_a_faucets_handle_is_turned_to_the_side_that_the_viewer_sees(
    faucet: Scene, q: float, left: bool, right: bool
) -> None:
    set_joint(faucet, "faucet_1_knob_Joint_1", q)
    assert (judge(faucet, "TurnLeft", "faucet_1"), judge(faucet, "TurnRight", "faucet_1")) == (left, right)
    body = faucet.data.body("faucet_1_main")
    side = body.xmat.reshape(3, 3).T[0] @ (handle(faucet) - body.xpos)
    assert np.sign(round(side, 2)) == right - left  # its own x is to the right of who looks at its front
    assert faucet.success() is left


def test_a_faucet_that_is_let_go_stops(faucet: Scene) -> None:
    set_joint(faucet, "faucet_1_knob_Joint_1", 0.0)
    faucet.data.joint("faucet_1_knob_Joint_1").qvel[0] = 1.0
    for _ in range(10):
        faucet.step(faucet.rest)
    assert abs(faucet.data.joint("faucet_1_knob_Joint_1").qvel[0]) < 0.01
    assert not faucet.success()


def test_window_and_fridge_start_as_the_file_says_and_stand_on_the_table(window: Scene) -> None:
    for name in ("window_1", "short_fridge_1"):
        assert judge(window, "Close", name)
        assert not judge(window, "Open", name)
    assert not window.success()
    assert lowest(window, "window_1") == pytest.approx(TABLE_M, abs=0.005)
    assert lowest(window, "short_fridge_1") == pytest.approx(TABLE_M, abs=0.005)


@pytest.mark.parametrize(
    ("joint", "name", "closed", "ajar", "opened"),
    [
        ("window_1_window_slide", "window_1", 0.0, 0.05, 0.09),
        ("short_fridge_1_fridge_door_joint_0", "short_fridge_1", 0.01, 1.0, 1.4),
    ],
)
def test_what_is_ajar_is_neither_open_nor_closed(
    window: Scene, joint: str, name: str, closed: float, ajar: float, opened: float
) -> None:
    for q, expected in ((closed, (False, True)), (ajar, (False, False)), (opened, (True, False))):
        set_joint(window, joint, q)
        assert (judge(window, "Open", name), judge(window, "Close", name)) == expected


@pytest.mark.parametrize(
    ("joint", "name", "push"),
    [("window_1_window_slide", "window_1", 5.0), ("short_fridge_1_fridge_door_joint_0", "short_fridge_1", 2.0)],
)
def test_a_hand_has_the_force_to_open_it(window: Scene, joint: str, name: str, push: float) -> None:
    set_joint(window, joint, 0.0)  # 5 N along the slide, 10 N at the edge of the door
    dof = int(window.model.joint(joint).dofadr[0])
    window.data.qfrc_applied[dof] = push
    for _ in range(40):
        window.step(window.rest)
    window.data.qfrc_applied[dof] = 0.0
    assert judge(window, "Open", name)


def put(scene: Scene, height_m: float, tilt_deg: float) -> None:
    """Put the ketchup somewhere free, tilted from the vertical; its upper end is its y axis."""
    half = np.radians(90.0 - tilt_deg) / 2
    address = int(scene.model.joint("ketchup_1_joint0").qposadr[0])
    scene.data.qpos[address : address + 7] = [0.1, -0.2, height_m, np.cos(half), np.sin(half), 0.0, 0.0]
    scene.data.joint("ketchup_1_joint0").qvel[:] = 0.0
    mujoco.mj_forward(scene.model, scene.data)


def test_things_start_lying_in_every_state_and_in_other_directions(bottle: Scene) -> None:
    tops = []
    for index in range(3):
        bottle.start(0, index)
        assert judge(bottle, "Lying", "ketchup_1")
        assert judge(bottle, "Lying", "orange_juice_1")
        assert not judge(bottle, "Upright", "ketchup_1")
        assert bottle.residual_speed() < 0.01
        tops.append(bottle.data.body("ketchup_1_main").xmat.reshape(3, 3)[:, 1].copy())
    assert np.ptp(tops, axis=0).max() > 0.2


def test_upright_wants_the_right_end_up_a_support_and_rest(bottle: Scene) -> None:
    put(bottle, TABLE_M + 0.08, 0.0)
    assert not judge(bottle, "Upright", "ketchup_1")  # in the air
    for _ in range(30):
        bottle.step(bottle.rest)
    assert judge(bottle, "Upright", "ketchup_1")
    assert bottle.success()
    bottle.data.joint("ketchup_1_joint0").qvel[0] = 0.05
    assert not judge(bottle, "Upright", "ketchup_1")  # moving
    resting = float(bottle.data.body("ketchup_1_main").xpos[2])
    put(bottle, resting - 0.001, 20.0)
    assert not judge(bottle, "Upright", "ketchup_1")  # tilted
    put(bottle, resting - 0.001, 180.0)
    assert not judge(bottle, "Upright", "ketchup_1")  # upside down
