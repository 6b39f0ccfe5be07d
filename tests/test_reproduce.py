import io
import subprocess
import sys

import pytest
from rich.console import Console

from gauge import reproduce
from gauge.protocol import golden


def shown(brief: bool = False) -> tuple[int, str]:
    console = Console(file=io.StringIO(), width=100)
    code = reproduce.report(console, brief=brief)
    output = console.file
    assert isinstance(output, io.StringIO)
    return code, output.getvalue()


def test_everything_holds_and_is_shown() -> None:
    code, text = shown()
    assert code == 0
    assert "ZS_ALL pi0.5" in text
    assert "97 of 97 checks hold." in text
    assert "6,300" in text


def test_what_is_off_is_shown_and_ends_with_1(monkeypatch: pytest.MonkeyPatch) -> None:
    tables = golden.table_checks()
    tables.loc[0, ["ours", "difference", "ok"]] = [99.0, 75.4, False]
    monkeypatch.setattr(golden, "table_checks", lambda: tables)
    code, text = shown(brief=True)
    assert code == 1
    assert "NOT 0.05" in text
    assert "96 of 97 checks hold." in text
    assert "ZS_ALL pi0.5" not in text


def test_help_is_quick_and_says_what_it_does() -> None:
    found = subprocess.run(
        [sys.executable, "-m", "gauge.reproduce", "--help"], capture_output=True, text=True, check=True
    )
    assert "Exit code 1 if anything is off" in " ".join(found.stdout.split())
