"""`python -m gauge.objects` as a person types it."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from gauge import object_pool
from gauge.errors import GaugeError
from gauge.objects.checking import DONE
from gauge.objects.pool import builtin


def run(*arguments: str, monkeypatch: pytest.MonkeyPatch) -> int:
    monkeypatch.setattr(sys, "argv", ["gauge objects", *arguments])
    with pytest.raises(SystemExit) as ended:
        object_pool.main()
    return int(ended.value.code or 0)


def test_list_counts_every_level(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    assert run("list", monkeypatch=monkeypatch) == 0
    out = capsys.readouterr().out
    assert out.startswith(f"{len(builtin())} objects\n")
    for word in ("source: generator", "split: seen", "can be: graspable", "toy car"):
        assert word in out


def test_list_filters(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    assert run("list", "--family", "toy_car", "--tag", "red", "target", "--json", monkeypatch=monkeypatch) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    wanted = [one for one in builtin().values() if one.category == "toy car" and {"red", "target"} <= one.words]
    assert [row["id"] for row in rows] == [one.id for one in wanted] != []
    assert all("drive on wheels" in row["uses"] for row in rows)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("list", "--family", "bowel"), "unknown family 'bowel'; did you mean bowl"),
        (("list", "--tag", "rde"), "unknown tag 'rde'; did you mean red"),
        (("list", "--family", "egg", "--tag", "blue"), "no object has all of that"),
        (("show", "gen/mugg/0003"), "unknown object 'gen/mugg/0003'; did you mean gen/mug/0003"),
        (("show",), "nothing to show"),
        (("import", "nowhere", "--out", "out"), "nowhere is no folder"),
        (("list", "--pool", "nowhere"), "nowhere/pool.csv does not exist"),
        (("check", "--family", "pen", "--processes", "0"), "processes=0 is not possible"),
    ],
)
def test_faults_are_one_sentence(
    arguments: tuple[str, ...],
    message: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(*arguments, monkeypatch=monkeypatch) == GaugeError.exit_code
    err = capsys.readouterr().err
    assert message in err
    assert "Traceback" not in err


@pytest.mark.process
def test_head_ends_the_list_quietly() -> None:
    piped = f"{sys.executable} -m gauge.objects list --all | head -1"
    done = subprocess.run(piped, shell=True, capture_output=True, text=True, check=True)
    assert done.stdout.startswith("gen/")
    assert done.stderr == ""


@pytest.mark.sim
@pytest.mark.process
def test_check_passes_resumes_and_notices_damage(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    arguments = ("check", "--family", "kiwi", "--tag", "brown", "--cache", str(tmp_path), "--processes", "1")
    assert run(*arguments, monkeypatch=monkeypatch) == 0
    count = sum(one.category == "kiwi" and one.color == "brown" for one in builtin().values())
    assert capsys.readouterr().out.splitlines()[-1] == f"{count} checked, {count} passed, 0 failed"
    lines = (tmp_path / DONE).read_text().splitlines()
    assert len(lines) == count
    cut = [*lines[:-1], lines[-1][: len(lines[-1]) // 2]]  # a crash in the middle of the last line
    (tmp_path / DONE).write_text("\n".join(cut) + "\n")
    assert run(*arguments, monkeypatch=monkeypatch) == 0
    assert len((tmp_path / DONE).read_text().splitlines()) == count + 1  # only the last was done again


@pytest.mark.sim
def test_show_draws_the_object(screen: object, tmp_path: Path) -> None:
    from gauge.object_pictures import picture, sheet
    from gauge.objects.ready import ready

    made = ready("gen/apple/0001", tmp_path)
    seen = picture(screen, made.model, made.entry.upright, 96)  # type: ignore[arg-type]
    touched = picture(screen, made.model, made.entry.upright, 96, solids=True)  # type: ignore[arg-type]
    middle = seen[40:60, 40:60].reshape(-1, 3).mean(axis=0)
    assert made.entry.color == "red"
    assert middle[0] > 1.8 * max(middle[1:])
    assert abs(seen.astype(int) - touched).max() > 50
    assert sheet([seen, touched, seen], 2).shape == (192, 192, 3)
