"""The table of certificates: written, read, added to, and found stale."""

from dataclasses import replace

import pytest
from perturbation_options import shipped

from gauge.config.registry import ATTRIBUTES
from gauge.errors import GaugeError
from gauge.perturbations import certificate, provenance
from gauge.perturbations.certificate import Certificate
from gauge.suites import load

SHIFT, TASK = shipped("image_shift"), load("anchors").tasks[2]


def made(value="0.1", **changed):
    found = Certificate(
        TASK.id,
        "image_shift",
        value,
        "kept",
        measured='0.1, "measured"',
        code=provenance.code_of(SHIFT),
        task=provenance.task_of(TASK),
        environment=provenance.environment(),
    )
    return replace(found, **changed)


def test_a_table_is_read_as_it_was_written_and_the_last_row_of_a_key_counts(tmp_path):
    path = tmp_path / "new" / "table.csv"
    certificate.write(path, [made(), made("0.2")])
    certificate.append(path, [made("0.2", verdict="dropped", reason="line\nbreak, comma")])
    found = certificate.read(path)
    assert [one.verdict for one in found.values()] == ["kept", "dropped"]
    assert found[made("0.2").key].reason == "line\nbreak, comma"
    assert certificate.read(tmp_path / "none.csv") == {}


def test_a_row_that_was_cut_short_is_left_out(tmp_path):
    path = tmp_path / "table.csv"
    certificate.write(path, [made()])
    path.write_text(path.read_text() + "libero_goal/x,image_shift,0.3,ke")
    assert list(certificate.read(path)) == [made().key]


def test_another_table_is_refused(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text("a,b\n1,2\n")
    with pytest.raises(GaugeError, match="not a table of certificates"):
        certificate.read(path)


@pytest.mark.parametrize(
    ("changed", "standing"),
    [
        ({}, "kept"),
        ({"verdict": "dropped", "reason": "why"}, "dropped"),
        ({"verdict": "open"}, "open"),
        ({"code": "00000000"}, "stale"),
        ({"task": "00000000"}, "stale"),
        ({"environment": "mujoco 1"}, "stale"),
        ({"rules": "0"}, "stale"),
        ({"value": "0.3"}, "none"),
    ],
)
def test_how_a_value_stands(changed, standing):
    one = made(**changed)
    assert certificate.standing({one.key: one}, SHIFT, 0.1, TASK)[0] == standing


def test_every_attribute_has_a_code_of_its_own_and_those_that_share_code_change_together():
    codes = {name: provenance.code_of(shipped(name)) for name in ATTRIBUTES}
    assert len(set(codes.values())) == len(ATTRIBUTES)
    assert {"base", "camera_distance", "viewpoint"} <= provenance._reach("camera_distance")
    assert "distraction" not in provenance._reach("camera_distance")


def test_the_code_follows_what_it_does_and_not_how_it_is_described(tmp_path, monkeypatch):
    def code():
        for cached in (provenance._reach, provenance._tree, provenance._digest):
            cached.cache_clear()
        return provenance.code_of(SHIFT)

    for path in provenance.HERE.iterdir():
        if path.suffix in (".py", ".json"):
            (tmp_path / path.name).write_bytes(path.read_bytes())
    own = code()
    monkeypatch.setattr(provenance, "HERE", tmp_path)
    source = (tmp_path / "image_shift.py").read_text()
    (tmp_path / "image_shift.py").write_text(source.replace('"""The shifted frame."""', '"""Another text."""  # so'))
    assert code() == own
    (tmp_path / "image_shift.py").write_text(source.replace("zeros_like", "ones_like"))
    assert code() != own
    monkeypatch.undo()
    assert code() == own
