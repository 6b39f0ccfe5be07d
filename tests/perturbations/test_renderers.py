"""Every option composes, builds, applies and is undone in six scenes of six kinds, with both renderers.

Each scene and renderer has a process of its own: MuJoCo chooses its renderer when it is imported.
"""

import ctypes.util
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from gauge.config.registry import ATTRIBUTES
from gauge.suites.anchors import MEMBERS

pytestmark = [pytest.mark.sim, pytest.mark.process]
SCRIPT = Path(__file__).parent.parent / "perturbed_scenes.py"
RENDERERS = [
    pytest.param(name, marks=pytest.mark.skipif(ctypes.util.find_library(library) is None, reason=f"no {library}"))
    for name, library in (("osmesa", "OSMesa"), ("egl", "EGL"))
]


def checked(renderer, suite, index, which, *names):
    environment = {**os.environ, "MUJOCO_GL": renderer, "PYOPENGL_PLATFORM": renderer}
    typed = [sys.executable, str(SCRIPT), suite, str(index), which, *names]
    done = subprocess.run(typed, env=environment, capture_output=True, text=True, timeout=3600)
    assert done.returncode == 0, done.stderr[-2000:]
    told = json.loads(done.stdout.splitlines()[-1])
    assert told["renderer"] == renderer
    return told["found"]


def stand(found):
    """All that was applied shows its proof and leaves nothing behind; how many there were."""
    applied = {name: one for name, one in found.items() if one["status"] == "applied"}
    for name, one in applied.items():
        assert one["proof"], name
        assert one["undone"], name
    return len(applied)


@pytest.mark.parametrize("renderer", RENDERERS)
def test_a_few_options_of_every_stage(renderer):
    found = checked(renderer, "libero_goal", 8, "ends", "target_object_texture", "robot_initial_state", "noise")
    assert stand(found) == len(found) == 6
    assert all(one["shows"] for one in found.values())


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("renderer", RENDERERS)
@pytest.mark.parametrize(("suite", "index"), MEMBERS, ids=str)
def test_every_option_in_every_scene(renderer, suite, index):
    found = checked(renderer, suite, index, "ends")
    assert {name.partition("=")[0] for name in found} == set(ATTRIBUTES)
    assert stand(found) >= 50
