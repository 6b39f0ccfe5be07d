import logging
from pathlib import Path

import pytest

from gauge import tracking
from gauge.core.cell import Cell
from gauge.core.items import Combination
from gauge.core.record import EpisodeRecord
from gauge.errors import GaugeError


def test_none_tracks_nothing(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    cell = Cell({"name": "pi0"}, {"name": "goal"}, Combination())
    tracker = tracking.build("none", {"kind": "none"}, tmp_path)
    with caplog.at_level(logging.DEBUG):
        tracker.start(cell, {})
        tracker.episode(EpisodeRecord(cell.id, "a", 0, 0, "success"))
        tracker.finish({})
    assert (list(tmp_path.iterdir()), caplog.text) == ([], "")


def test_unknown_kind_and_option(tmp_path: Path) -> None:
    with pytest.raises(GaugeError, match="unknown tracking 'wandbb'; did you mean wandb"):
        tracking.build("wandbb", {}, tmp_path)
    with pytest.raises(GaugeError, match="unknown option of tracking=wandb 'projekt'; did you mean project"):
        tracking.build("wandb", {"kind": "wandb", "projekt": "x"}, tmp_path)
