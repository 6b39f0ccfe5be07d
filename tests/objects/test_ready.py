from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from gauge.errors import GaugeError
from gauge.objects import ready as module
from gauge.objects.entry import write
from gauge.objects.pool import builtin, find
from gauge.objects.ready import ready


def test_a_generated_object_is_built_once(tmp_path: Path) -> None:
    made = ready("gen/toy_cube/0000", tmp_path)
    assert made.entry.category == "toy cube"
    assert {path.name for path in made.model.parent.iterdir()} == {"model.xml", "visual.obj", "texture.png"}
    written = made.model.stat().st_mtime_ns
    assert ready("gen/toy_cube/0000", tmp_path).model.stat().st_mtime_ns == written
    assert [path.name for path in tmp_path.iterdir()] == [made.model.parent.name]


def test_many_can_build_the_same_object_at_once(tmp_path: Path) -> None:
    with ThreadPoolExecutor(4) as crew:
        models = set(crew.map(lambda _: ready("gen/toy_cube/0001", tmp_path).model, range(8)))
    assert len(models) == 1
    assert models.pop().is_file()


def test_an_object_that_is_not_what_was_checked_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stale = replace(find("gen/toy_cube/0000"), digest="0" * 16)
    monkeypatch.setattr(module, "find", lambda name, folders: stale)
    with pytest.raises(GaugeError, match="is not what was checked"):
        ready("gen/toy_cube/0000", tmp_path)


def test_packaged_objects_are_used_where_they_lie(tmp_path: Path) -> None:
    made = ready("libero/plate", tmp_path)
    assert made.model.name == "plate.xml"
    assert not list(tmp_path.iterdir())


def test_every_packaged_entry_has_its_file() -> None:
    for entry in builtin().values():
        if entry.source in ("libero", "robosuite"):
            assert ready(entry.id).model.is_file()


def test_an_imported_object_is_found_in_its_folder(tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    (folder / "cup").mkdir(parents=True)
    write(folder / "pool.csv", [replace(find("gen/mug/0003"), id="mine/cup", source="mine")])
    with pytest.raises(GaugeError, match="the files of mine/cup are gone"):
        ready("mine/cup", folders=[folder])
    (folder / "cup" / "model.xml").write_text("<mujoco/>")
    assert ready("mine/cup", folders=[folder]).model == folder / "cup" / "model.xml"
