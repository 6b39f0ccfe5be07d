from collections.abc import Iterator

import pytest

from gauge.suites import load

TASK = load("libero_goal").tasks[8]  # put the bowl on the plate: something to move, something to put it on


@pytest.fixture(scope="session")
def bowl_scene(screen: object) -> Iterator[object]:
    """A compiled scene with a movable target, shared by all tests of perturbations."""
    from gauge.sim.scene import Scene

    scene = Scene(TASK, screen)
    yield scene
    scene.close()
