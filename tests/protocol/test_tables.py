from pathlib import Path

import pandas as pd
import pytest
from protocol_tables import episodes_of

from gauge.core.cell import Cell
from gauge.core.items import Combination, Item
from gauge.core.record import EpisodeRecord
from gauge.errors import GaugeError
from gauge.protocol.robustness import r_scores
from gauge.protocol.tables import at_best, attach, rates, ratio, require
from gauge.records.query import episodes, summary
from gauge.records.store import RecordWriter, open_cell


def test_an_error_is_neither_success_nor_failure() -> None:
    found = rates(
        episodes_of(
            ("a", "clean", "s", 0, "success"),
            ("a", "clean", "s", 1, "fail"),
            ("a", "clean", "s", 2, "error"),
            ("a", "clean", "t", 0, "error"),
        )
    ).set_index("scenario_id")
    assert found.loc["s", ["successes", "n", "errors", "sr"]].tolist() == [1, 2, 1, 0.5]
    assert pd.isna(found.sr["t"])
    assert found.n["t"] == 0


def test_what_is_wrong_with_a_table_is_said() -> None:
    with pytest.raises(GaugeError, match="the episodes table lacks model, combination"):
        rates(pd.DataFrame({"scenario_id": [], "rollout": [], "status": []}))
    with pytest.raises(GaugeError, match="unknown status 'maybe'"):
        rates(episodes_of(("a", "clean", "s", 0, "maybe")))
    require(pd.DataFrame({"x": []}), ("x",), "any")


def test_an_episode_of_an_undescribed_cell_is_refused() -> None:
    table = pd.DataFrame({"cell_id": ["1"], "scenario_id": ["s"], "rollout": [0], "status": ["fail"]})
    cells = pd.DataFrame({"cell_id": ["2"], "model": ["a"], "branch": ["none"], "label": ["clean"]})
    with pytest.raises(GaugeError, match=r"undescribed cells, e\.g\. 1"):
        attach(table, cells)


def test_a_ratio_is_never_infinite_or_nan() -> None:
    found = ratio(pd.Series([1, 0, 1]), pd.Series([2, 0, pd.NA], dtype="Float64"))
    assert found[0] == 0.5
    assert found[1] is pd.NA
    assert found[2] is pd.NA


def test_float_noise_breaks_no_tie_and_nothing_unknown_wins() -> None:
    frame = pd.DataFrame({"g": ["x", "x", "x", "y"], "v": pd.Series([0.1 + 0.2, 0.3, None, None], dtype="Float64")})
    assert at_best(frame, "v", ["g"], largest=True).tolist() == [True, True, False, False]


def test_stored_records_become_a_score(tmp_path: Path) -> None:
    shift = Combination.of([Item("spatial", "image", "image_shift", (0.1,))])
    for branch in ("none", "robustness"):
        for combination, results in ((Combination(), ("success", "success")), (shift, ("success", "fail"))):
            cell = Cell({"name": "pi0"}, {"name": "goal"}, combination, branch)
            open_cell(tmp_path / cell.name, cell)
            with RecordWriter(tmp_path / cell.name) as writer:
                for rollout, status in enumerate(results):
                    writer.write(EpisodeRecord(cell.id, "goal/drawer", rollout, seed=rollout, status=status))  # type: ignore[arg-type]
    found = r_scores(rates(attach(episodes(tmp_path), summary(tmp_path))))
    assert found[["model", "combination", "r"]].values.tolist() == [
        ["pi0", "image_shift=0.1", 50.0],
        ["pi0+robustness", "image_shift=0.1", 50.0],
    ]
