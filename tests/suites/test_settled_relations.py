"""Spatial texts against the scenes as they have settled: the bowl that the goal moves is the only one they fit."""

import numpy as np
import pytest

from gauge.suites import relations
from gauge.suites.generate import FOLDER, numbered
from gauge.suites.rules import Group, groups
from gauge.suites.scenario import STATES, load_folder

pytestmark = [pytest.mark.sim, pytest.mark.slow]


def sentences(group: Group) -> dict:
    """Sentence and target of each goal whose text is about bowls."""
    texts = {member.goal[0][1]: member.texts.get("spatial_reasoning", "") for member in group.members}
    matched = {target: relations.SENTENCE.fullmatch(text) for target, text in texts.items()}
    return {target: found for target, found in matched.items() if found is not None}


SPATIAL = [group for group in groups() if sentences(group)]


@pytest.mark.parametrize("group", SPATIAL, ids=[group.layout for group in SPATIAL])
def test_a_text_fits_one_bowl_in_every_initial_state(group: Group) -> None:
    from gauge.sim import backend

    backend.prepare()
    from gauge.sim.scene import Scene

    names = numbered([*group.fixtures, *group.objects])
    first = f"spatial_{group.members[0].name}"
    scene = Scene(next(one for one in load_folder(FOLDER, "all").tasks if one.name == first))
    bowls = [name for name in group.objects if name.startswith("akita_black_bowl")]
    for index in range(STATES):
        scene.start(0, index)
        at = {}
        for name, word in names.items():
            body = scene.data.body(f"{word}_main")
            at[name] = tuple(body.xpos[:2])
            if name == "flat_stove":
                at[name] = tuple(body.xpos[:2] + relations.STOVE_M * body.xmat.reshape(3, 3)[:2, 0])
        for target, found in sentences(group).items():
            verdicts = {bowl: relations.judge(found, bowl, bowls, at, group.objects) for bowl in bowls}
            assert verdicts == {bowl: bowl == target for bowl in bowls}, (
                f"state {index}: {np.round(list(at.values()), 3)}"
            )
    scene.close()
