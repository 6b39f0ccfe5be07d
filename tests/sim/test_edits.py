import numpy as np
import pytest

pytestmark = pytest.mark.sim


def test_edits_start_from_the_original_and_are_undone_to_the_bit(goal_scene):
    from gauge.sim.edits import SceneEdits

    before = goal_scene.model.light_diffuse.copy()
    edits = SceneEdits(goal_scene)
    edits.set("light_diffuse", edits.original("light_diffuse") * 0.5)
    edits.set("light_diffuse", edits.original("light_diffuse") * 2.0)
    assert np.array_equal(goal_scene.model.light_diffuse, before * 2.0)
    assert edits.changes() == {"light_diffuse": pytest.approx(float(before.max()))}
    edits.undo()
    assert np.array_equal(goal_scene.model.light_diffuse, before)
    assert edits.changes() == {}


def test_a_write_of_the_same_value_is_no_change(goal_scene):
    from gauge.sim.edits import SceneEdits

    edits = SceneEdits(goal_scene)
    edits.set("light_diffuse", edits.original("light_diffuse"))
    assert edits.changes() == {}
    edits.undo()
