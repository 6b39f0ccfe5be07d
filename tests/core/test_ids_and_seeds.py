"""Ids and seeds are promises: a changed value here orphans every stored result."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np

from gauge.core.cell import Cell
from gauge.core.items import Combination, Item, resample_steps
from gauge.core.record import EpisodeRecord
from gauge.core.seeds import episode_seed, stream

GOLDEN = json.loads((Path(__file__).parent.parent / "golden" / "ids.json").read_text())
SHIFT = Item("spatial", "image", "image_shift", (0.1,))
NOISE = Item("control", "action", "action_noise", (0.1, 0.2), "dynamic")


def cell(*items: Item) -> Cell:
    model = {"kind": "random", "name": "random", "chunk": 10, "executed": 10}
    suite = {"name": "libero_goal", "digest": "0123456789ab", "horizon": 300, "settle_steps": 10}
    return Cell(model, suite, Combination.of(items))


def test_cell_ids_are_golden():
    assert {c.combination.label: c.id for c in (cell(), cell(SHIFT), cell(SHIFT, NOISE))} == GOLDEN["cells"]


def test_a_cell_does_not_depend_on_the_order_of_its_items():
    assert cell(SHIFT, NOISE).id == cell(NOISE, SHIFT).id


def test_whatever_changes_results_changes_the_id():
    base = cell()
    others = [
        replace(base, seed=1),
        replace(base, branch="robustness"),
        replace(base, model={**base.model, "executed": 5}),
        replace(base, suite={**base.suite, "horizon": 600}),
        cell(SHIFT),
        cell(replace(SHIFT, values=(0.2,))),
    ]
    assert len({base.id, *(other.id for other in others)}) == 7


def test_the_folder_name_is_readable_and_ends_in_the_id():
    assert cell(SHIFT).name == f"random-libero_goal-image_shift=0.1-{cell(SHIFT).id}"


def test_episode_seeds_are_golden_and_never_collide():
    assert [episode_seed(0, "libero_goal/push", k) for k in range(3)] == GOLDEN["episode_seeds"]
    tasks, rollouts = 24, 500
    assert len({episode_seed(0, f"suite/{t}", r) for t in range(tasks) for r in range(rollouts)}) == tasks * rollouts


def test_streams_of_one_episode_are_independent_of_each_other():
    draws = [stream(7, name).integers(2**62) for name in ("start", "perturbation", "policy")]
    scoped = stream(7, "perturbation", "image_shift").integers(2**62)
    assert len({*map(int, draws), int(scoped)}) == 4
    assert np.array_equal(stream(7, "policy").random(5), stream(7, "policy").random(5))


def test_dynamic_items_draw_anew_at_thirds():
    assert resample_steps(280) == (0, 93, 186)


def test_a_record_survives_its_line():
    record = EpisodeRecord("c", "s/é", 3, 2**63, "success", prompt='say "hi"; (now)', items=[{"a": 1}])
    assert EpisodeRecord.from_json(json.loads(record.to_line()) | {"later_key": 1}) == record
