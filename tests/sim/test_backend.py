import os

import pytest

from gauge.errors import GaugeError
from gauge.sim.backend import choose, egl_device


def libraries(*names: str):
    return lambda name: name in names


@pytest.mark.parametrize(
    ("wanted", "environment", "platform", "has", "gpu", "expected"),
    [
        ("auto", {}, "linux", ("EGL", "OSMesa"), True, "egl"),
        ("auto", {}, "linux", ("EGL", "OSMesa"), False, "osmesa"),
        ("auto", {}, "linux", ("EGL",), False, "egl"),
        ("auto", {}, "darwin", (), False, "cgl"),
        ("auto", {}, "win32", (), False, "glfw"),
        ("egl", {"MUJOCO_GL": "osmesa"}, "linux", ("EGL", "OSMesa"), True, "osmesa"),
        ("osmesa", {}, "linux", ("EGL", "OSMesa"), True, "osmesa"),
    ],
)
def test_the_renderer_follows_user_then_platform(wanted, environment, platform, has, gpu, expected):
    assert choose(wanted, environment, platform, libraries(*has), lambda: gpu) == expected


def test_no_library_is_one_sentence_with_the_fix():
    with pytest.raises(GaugeError, match=r"no renderer found.*apt-get install"):
        choose("auto", {}, "linux", libraries(), lambda: False)


def test_an_unknown_renderer_lists_the_known_ones():
    with pytest.raises(GaugeError, match=r"unknown renderer 'vulkan'; allowed: egl, osmesa"):
        choose("auto", {"MUJOCO_GL": "vulkan"}, "linux")


@pytest.mark.parametrize("cuda", ["3", "GPU-0f1e", "", "MIG-7/1/0"])
def test_cuda_numbers_are_no_egl_numbers(cuda):
    assert egl_device({"CUDA_VISIBLE_DEVICES": cuda}, worker=3, devices=1) is None


def test_each_worker_gets_its_own_device_and_a_users_choice_wins():
    assert [egl_device({}, worker, 4) for worker in range(6)] == [0, 1, 2, 3, 0, 1]
    assert egl_device({"MUJOCO_EGL_DEVICE_ID": "2"}, 0, 4) is None


@pytest.mark.sim
def test_nothing_is_asked_and_nothing_is_written_at_home(tmp_path):
    import subprocess
    import sys

    code = (
        "from gauge.sim import backend; backend.prepare('auto')\n"
        "from gauge.suites import load; from gauge.sim.scene import Scene\n"
        "scene = Scene(load('libero_object').tasks[0]); scene.start(1, 0); scene.look()\n"
        "print(scene.frame('agentview', (64, 64)).shape); scene.close(); scene.screen.close()\n"
    )
    environment = {k: v for k, v in os.environ.items() if k not in ("LIBERO_CONFIG_PATH", "MPLCONFIGDIR")}
    environment["HOME"] = str(tmp_path)
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True
    )
    assert done.stdout == "(64, 64, 3)\n", done.stderr
    assert done.stderr == ""
    assert list(tmp_path.iterdir()) == []


@pytest.mark.sim
def test_robosuite_writes_no_log_and_leaves_the_renderer_alone():
    import subprocess
    import sys

    code = (
        "import os; os.environ['MUJOCO_GL'] = 'glfw'\n"
        "from gauge.sim.libero import build_env; from gauge.suites import load\n"
        "import logging, pathlib; log = pathlib.Path('/tmp/robosuite.log')\n"
        "before = log.stat().st_mtime_ns if log.exists() else None\n"
        "build_env(load('libero_object').tasks[0]).close()\n"
        "handlers = logging.getLogger('robosuite_logs').handlers\n"
        "after = log.stat().st_mtime_ns if log.exists() else None\n"
        "print(os.environ['MUJOCO_GL'], [type(h).__name__ for h in handlers], before == after)\n"
    )
    environment = {k: v for k, v in os.environ.items() if k != "PYOPENGL_PLATFORM"}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True)
    assert done.stdout == "glfw ['NullHandler'] True\n", done.stderr
