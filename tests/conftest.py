"""Shared by all tests: the renderer is chosen once, before anything imports MuJoCo."""

from collections.abc import Iterator

import pytest

from gauge.sim import backend
from gauge.suites import load

RENDERER = backend.prepare("auto")


@pytest.fixture(scope="session")
def screen() -> Iterator[object]:
    from gauge.sim.camera import Screen

    made = Screen()
    yield made
    made.close()


@pytest.fixture(scope="session")
def goal_scene(screen: object) -> Iterator[object]:
    """A compiled scene of libero_goal (a tabletop with drawers, stove and plate), shared by many tests."""
    from gauge.sim.scene import Scene

    scene = Scene(load("libero_goal").tasks[0], screen)  # type: ignore[arg-type]
    yield scene
    scene.close()
