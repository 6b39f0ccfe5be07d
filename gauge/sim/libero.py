"""LIBERO's environment, imported without prompts or noise and built without a renderer of its own."""

import logging
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from functools import reduce
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from io import StringIO
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gauge.errors import GaugeError, SceneError
from gauge.sim import fixtures, mats, scenario
from gauge.suites.libero import Task
from gauge.suites.scenario import Scenario


def _quiet_robosuite() -> None:
    """Give robosuite its settings before it is imported: no banner, no log file, no touching of MUJOCO_GL.

    They are read once, while the package is being imported, so its macros are put in place first.
    """
    if "robosuite" in sys.modules:
        return
    package = find_spec("robosuite")
    if package is None or not package.submodule_search_locations:
        raise GaugeError("robosuite is not installed; type pip install robosuite==1.4.0")
    path = Path(package.submodule_search_locations[0]) / "macros.py"
    spec = spec_from_file_location("robosuite.macros", path)
    if spec is None or spec.loader is None:
        raise GaugeError(f"{path} cannot be read; type pip install --force-reinstall robosuite==1.4.0")
    macros = module_from_spec(spec)
    spec.loader.exec_module(macros)
    macros.__dict__.update(CONSOLE_LOGGING_LEVEL=None, FILE_LOGGING_LEVEL=None, MUJOCO_GPU_RENDERING=False)
    sys.modules["robosuite.macros"] = macros
    sys.modules["robosuite.macros_private"] = ModuleType("robosuite.macros_private")
    logging.getLogger("robosuite_logs").addHandler(logging.NullHandler())


def build_env(task: Task, changes: Sequence[Callable[[str], str]] = ()) -> Any:
    """A fresh LIBERO environment of the task, reset once; it steps and judges but draws nothing.

    `changes` rewrite the model's MJCF, one after the other, before it is compiled.

    Raises:
        GaugeError: the task's files are missing or not the released ones.
    """
    problems = task.problems()
    if problems:
        raise GaugeError("; ".join(problems))
    _quiet_robosuite()
    with redirect_stdout(StringIO()), _file(task) as path, _naming(task):
        from libero.libero.envs.env_wrapper import ControlEnv

        with global_seed(0):
            env = ControlEnv(
                bddl_file_name=str(path),
                use_camera_obs=False,
                has_offscreen_renderer=False,
                ignore_done=True,
            ).env
            if changes:
                env.set_xml_processor(lambda mjcf: reduce(lambda text, change: change(text), changes, mjcf))
            env.reset()
    env.hard_reset = False
    if isinstance(task, Scenario):
        mats.lay(env, task)
    return env


@contextmanager
def _file(task: Task) -> Iterator[Path]:
    """The task's file as LIBERO can read it, with everything that it names known to LIBERO."""
    if not isinstance(task, Scenario):
        yield task.bddl_path
        return
    import libero.libero.envs.env_wrapper  # noqa: F401  (has LIBERO's own types registered first)

    scenario.register_objects(task)
    with scenario.plain_file(task) as path, scenario.kept_in_regions(task), fixtures.usable():
        yield path


@contextmanager
def _naming(task: Task) -> Iterator[None]:
    """Say which object finds no room, where LIBERO only says that one does not."""
    try:
        yield
    except Exception as error:
        if type(error).__name__ == "RandomizationError":
            raise SceneError(scenario.no_room(error, task)) from error
        raise


def load_states(task: Task) -> NDArray[np.float64]:
    """The task's official initial states, [states, 1 + nq + nv] (time, positions, velocities)."""
    with np.load(task.init_path, allow_pickle=False) as archive:
        states: NDArray[np.float64] = archive["states"]
    if states.ndim != 2 or not len(states):
        raise GaugeError(f"{task.id}: {task.init_path.name} holds no initial state")
    return states


def redraw(env: Any, task: Task, seed: int) -> None:
    """Reset the compiled environment in place and place its fixtures and objects anew from `seed`.

    Equal to a fresh build with the same seed: robosuite's soft reset leaves the gripper's ramp and the
    solver's warm start behind, so both are cleared here.

    Raises:
        SceneError: an object does not fit its region.
    """
    env.robots[0].gripper.current_action = np.zeros(1)
    if isinstance(task, Scenario):
        scenario.unplace_fixtures(env)
    with global_seed(seed), redirect_stdout(StringIO()), _naming(task):
        env.reset()


@contextmanager
def global_seed(seed: int) -> Iterator[None]:
    """LIBERO places objects with NumPy's global generator: seed it for the call, then restore it."""
    before = np.random.get_state()  # noqa: NPY002
    np.random.seed(seed % 2**32)  # noqa: NPY002
    try:
        yield
    finally:
        np.random.set_state(before)  # noqa: NPY002
