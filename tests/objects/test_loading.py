"""Generated objects in real scenes: through robosuite's class, and by name from a task file."""

from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from gauge.errors import GaugeError
from gauge.objects.loading import register, thing, type_name
from gauge.objects.ready import ready
from gauge.suites import load

pytestmark = pytest.mark.sim
SPOT = np.array([-0.1, 0.0])


def added(body: Any, height: float) -> Any:
    """A change to a scene's MJCF that appends the object above the table."""

    def change(text: str) -> str:
        world = ElementTree.fromstring(text)
        tree = body.get_obj()
        tree.set("pos", f"{SPOT[0]} {SPOT[1]} {height}")
        world.find("asset").extend(list(body.asset))  # type: ignore[union-attr]
        world.find("worldbody").append(tree)  # type: ignore[union-attr]
        return ElementTree.tostring(world, encoding="unicode")

    return change


def test_a_generated_bowl_settles_in_a_real_scene(tmp_path: Path) -> None:
    import mujoco

    from gauge.sim.libero import _quiet_robosuite, build_env

    made = ready("gen/bowl/0000", tmp_path)
    task = load("libero_goal").tasks[0]
    _quiet_robosuite()
    env = build_env(task, [added(thing(made, "distractor_bowl"), 0.95)])
    model, data = env.sim.model._model, env.sim.data._data
    body = model.body("distractor_bowl_main").id
    for _ in range(500):
        mujoco.mj_step(model, data)
    assert data.xpos[body][2] == pytest.approx(0.90, abs=0.002)  # the table's top
    assert data.xmat[body].reshape(3, 3)[2, 2] > np.cos(np.radians(0.5))
    assert np.linalg.norm(data.xpos[body][:2] - SPOT) < 0.01
    assert np.abs(data.qvel[-6:]).max() < 0.01
    assert model.body_mass[body] * 1000 == pytest.approx(made.entry.mass_g, rel=1e-3)
    assert any(model.site(k).name == "distractor_bowl_contain_region" for k in range(model.nsite))


def test_a_task_file_can_name_a_generated_object(tmp_path: Path) -> None:
    from gauge.sim.libero import _quiet_robosuite, global_seed

    _quiet_robosuite()
    from libero.libero.envs.env_wrapper import ControlEnv

    kind = register(ready("gen/spoon/0000", tmp_path))
    assert register(ready("gen/spoon/0000", tmp_path)) == kind == "gen_spoon_0000"
    assert register(ready("gen/spoon/0000", tmp_path / "elsewhere")) == kind, "the same object from another folder"
    source = load("libero_goal").tasks[0].bddl_path.read_text()
    task = tmp_path / "task.bddl"
    task.write_text(source.replace("cream_cheese_1", "spoon_1").replace("- cream_cheese", f"- {kind}"))
    with global_seed(0):
        env = ControlEnv(bddl_file_name=str(task), use_camera_obs=False, has_offscreen_renderer=False).env
        env.reset()
    body = env.sim.model.body_name2id("spoon_1_main")
    for _ in range(300):
        env.sim.step()
    assert env.sim.data.body_xpos[body][2] == pytest.approx(0.90, abs=0.01)
    assert env.sim.data.body_xmat[body].reshape(3, 3)[2, 2] > np.cos(np.radians(1))
    env.close()


def test_a_name_that_libero_has_is_not_taken(tmp_path: Path) -> None:
    assert type_name("libero/plate") == "plate"
    assert register(ready("libero/plate")) == "plate"
    from libero.libero.envs.base_object import OBJECTS_DICT

    OBJECTS_DICT["gen_can_0000"] = object
    try:
        with pytest.raises(GaugeError, match="LIBERO has a type gen_can_0000 already"):
            register(ready("gen/can/0000", tmp_path))
    finally:
        del OBJECTS_DICT["gen_can_0000"]
