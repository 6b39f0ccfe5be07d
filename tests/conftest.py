"""Shared by all tests: the renderer is chosen once, before anything imports MuJoCo."""

from collections.abc import Iterator

import pytest

from gauge.sim import backend
from gauge.suites import load

RENDERER = backend.prepare("auto")
PROCESS_FOLDERS = ("plugins", "packaging", "e2e", "tracking")
PROCESS_FILES = ("test_serve.py", "test_entry.py", "test_main.py", "test_reproduce.py", "test_lock.py")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Whole folders and files of tests that start processes belong to the full tier."""
    for item in items:
        if item.path.parent.name in PROCESS_FOLDERS or item.path.name in PROCESS_FILES:
            item.add_marker("process")


@pytest.fixture(scope="session")
def screen() -> Iterator[object]:
    from gauge.sim.camera import Screen

    made = Screen()
    yield made
    made.close()


@pytest.fixture(scope="module")
def goal_scene(screen: object) -> Iterator[object]:
    """A compiled scene of libero_goal (a tabletop with drawers, stove and plate), shared by the tests of one file."""
    from gauge.sim.scene import Scene

    scene = Scene(load("libero_goal").tasks[0], screen)  # type: ignore[arg-type]
    yield scene
    scene.close()
