import numpy as np
import pytest

from gauge.core.policy import CAMERAS
from gauge.suites import load


def visible(position, radius=0.1, fovy=90.0):
    from gauge.sim.frustum import in_view

    camera = np.zeros(3), np.eye(3)  # at the origin, looking along -z
    return bool(in_view(np.array([position], dtype=float), np.array([radius]), *camera, fovy, 1.0)[0])


@pytest.mark.parametrize(
    ("position", "expected"),
    [
        ((0, 0, -1), True),
        ((0, 0, 1), False),
        ((0, 0, 0.05), True),  # around the camera itself
        ((0.99, 0, -1), True),
        ((1.1, 0, -1), True),  # its sphere still touches the right plane
        ((1.3, 0, -1), False),
        ((0, -1.3, -1), False),
        ((5, 0, -6), True),
    ],
)
def test_a_sphere_is_seen_when_it_can_touch_the_frustum(position, expected):
    assert visible(position) is expected


def test_what_has_no_bounds_is_always_seen():
    assert visible((0, 0, 50), radius=0.0)


def differing(suite, indices, screen, moments=4):
    """Frames that differ between culled and complete drawing, over random moments of each scene."""
    from gauge.sim.scene import Scene

    wrong, hidden = [], 0
    for index in indices:
        scene = Scene(load(suite).tasks[index], screen)
        rng = np.random.default_rng(index)
        scene.start(index, index % 50)
        for moment in range(moments):
            for _ in range(8):
                scene.step(rng.uniform(-1, 1, 7))
            scene.look()
            for camera in CAMERAS:
                culled = scene.frame(camera, (96, 96))
                frustum = scene._renderer._frustum
                hidden += int(frustum.unseen(scene._view, scene._renderer._camera.fixedcamid, 1.0).sum())
                frustum.enabled = False
                complete = scene.frame(camera, (96, 96))
                frustum.enabled = True
                if not np.array_equal(culled, complete):
                    wrong.append((suite, index, moment, camera))
        scene.close()
    assert hidden > 0
    return wrong


@pytest.mark.sim
@pytest.mark.parametrize(("suite", "index"), [("libero_object", 1), ("libero_spatial", 3), ("libero_10", 5)])
def test_culling_keeps_every_pixel(suite, index, screen):
    assert differing(suite, [index], screen) == []


@pytest.mark.slow
@pytest.mark.sim
@pytest.mark.parametrize("suite", ["libero_spatial", "libero_object", "libero_goal", "libero_10"])
def test_culling_keeps_every_pixel_of_40_scenes(suite, screen):
    assert differing(suite, range(10), screen, moments=2) == []
