import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gauge.errors import GaugeError
from gauge.records.query import summary
from gauge.report.plot import draw_sweep, plot_sweep

Stored = Callable[..., Path]


def ticks(axis: Any) -> list[str]:
    return [label.get_text() for label in axis.get_xticklabels()]


def test_numbers_are_an_axis_with_intervals_and_a_clean_line(stored: Stored) -> None:
    for value in (0.2, -0.1):
        stored(value, tasks={"a": "sssssfffff"})
    folder = stored(tasks={"a": "ssssssssss"})
    figure = draw_sweep(summary(folder.parent))
    (axis,) = figure.axes
    assert axis.get_xlabel() == "image_shift"
    assert ticks(axis) == ["-0.1", "0.2"]
    assert [tick for tick in axis.get_yticks() if 0 <= tick <= 100] == [0, 20, 40, 60, 80, 100]
    (points,) = axis.containers
    assert points.lines[0].get_xydata().tolist() == [[-0.1, 50], [0.2, 50]]
    bars = points.lines[2][0].get_segments()
    assert bars[0][:, 1] == pytest.approx([23.66, 76.34], abs=0.01)
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["pi0", "pi0, clean"]
    dashed = next(line for line in axis.lines if line.get_label() == "pi0, clean")
    assert list(dashed.get_ydata()) == [100, 100]
    assert "n = 10 evaluated episodes per point" in figure._supxlabel.get_text()  # type: ignore[attr-defined]


def test_names_are_ticks(stored: Stored) -> None:
    stored("wood", tasks={"a": "ss"}, attribute="table")
    stored("granite", "wood", tasks={"a": "sf"}, attribute="table")
    folder = stored("granite", tasks={"a": "ff"}, attribute="table")
    (axis,) = draw_sweep(summary(folder.parent)).axes
    assert ticks(axis) == ["dynamic", "granite", "wood"]


def test_a_panel_per_attribute_and_a_line_per_model(stored: Stored) -> None:
    for model in ("pi0", "openvla"):
        stored(0.5, tasks={"a": "ss"}, attribute="light", model=model)
        folder = stored(0.1, tasks={"a": "sf"}, model=model)
    axes = draw_sweep(summary(folder.parent)).axes
    assert sorted(axis.get_xlabel() for axis in axes) == ["image_shift", "light"]
    assert [len(axis.containers) for axis in axes] == [2, 2]


def test_nothing_to_plot_is_said(stored: Stored) -> None:
    with pytest.raises(GaugeError, match="nothing to plot"):
        draw_sweep(summary(stored(tasks={"a": "s"})))


def test_a_png_is_written_and_home_is_not(stored: Stored, tmp_path: Path) -> None:
    folder = stored(0.1, tasks={"a": "sf"})
    home = tmp_path / "home"
    home.mkdir()
    code = """
import sys
from pathlib import Path
from gauge.records.query import summary
from gauge.report.plot import plot_sweep
plot_sweep(summary(Path(sys.argv[1])), Path(sys.argv[2]))
"""
    target = tmp_path / "plot.png"
    environment = {"HOME": str(home), "PYTHONPATH": ":".join(sys.path), "TMPDIR": str(tmp_path)}
    subprocess.run([sys.executable, "-c", code, str(folder), str(target)], check=True, env=environment, cwd=home)
    assert target.read_bytes().startswith(b"\x89PNG")
    assert list(home.iterdir()) == []


def test_the_same_records_give_the_same_picture(stored: Stored, tmp_path: Path) -> None:
    cells = summary(stored(0.1, tasks={"a": "sf"}))
    for name in ("a.png", "b.png"):
        plot_sweep(cells, tmp_path / name)
    assert (tmp_path / "a.png").read_bytes() == (tmp_path / "b.png").read_bytes()


def test_values_far_apart_stand_by_their_logarithms_and_keep_their_names(stored: Stored) -> None:
    for value in (0.1, 0.5):
        stored(value, tasks={"a": "ss"}, attribute="light")
    (axis,) = draw_sweep(summary(stored(5.0, tasks={"a": "ss"}, attribute="light").parent)).axes
    assert ticks(axis) == ["0.1", "0.5", "5"]
    assert axis.get_xticks().tolist() == pytest.approx([-1.0, -0.30103, 0.69897])
