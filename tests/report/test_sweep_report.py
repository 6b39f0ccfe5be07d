from collections.abc import Callable
from pathlib import Path

import pandas as pd

from gauge.report.sweep import write_sweep_report

Stored = Callable[..., Path]


def test_a_sweep_report_for_people_and_machines(stored: Stored, tmp_path: Path) -> None:
    stored(0.1, tasks={"a": "ss", "b": "ff"})
    study = stored(tasks={"a": "ss", "b": "ss"}).parent
    paths = write_sweep_report(study, None, tmp_path / "out" / "report")
    assert [path.name for path in paths] == ["table.csv", "tasks.csv", "table.md", "plot.png"]
    assert all(path.stat().st_size for path in paths)
    table = pd.read_csv(paths[0])
    assert table[["label", "n", "successes"]].to_numpy().tolist() == [["clean", 4, 4], ["image_shift=0.1", 4, 2]]
    assert len(pd.read_csv(paths[1])) == 4
    markdown = paths[2].read_text()
    assert "| image_shift=0.1 |   50.0% |  [15.0, 85.0] |      2/4 |   0.0% |      0 |" in markdown
    assert markdown.endswith("- Worst task: b at 0.0% (image_shift=0.1).\n")


def test_only_the_cells_of_this_sweep(stored: Stored, tmp_path: Path) -> None:
    stored(0.1, tasks={"a": "ss"})
    folder = stored(tasks={"a": "ss"})
    (tmp_path / "plot.png").write_bytes(b"of an earlier report")
    paths = write_sweep_report(folder.parent, [folder.name[-12:]], tmp_path)
    assert [path.name for path in paths] == ["table.csv", "tasks.csv", "table.md"]
    assert len(pd.read_csv(paths[1])) == 1
    assert not (tmp_path / "plot.png").exists()
