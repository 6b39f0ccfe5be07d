import pytest

from gauge.command import command
from gauge.errors import GaugeError, IncompleteError


@pytest.mark.parametrize(
    ("fault", "code", "said"),
    [
        (GaugeError("what was wrong"), 2, "error: what was wrong\n"),
        (IncompleteError("some are missing"), 3, "error: some are missing\n"),
        (KeyboardInterrupt(), 130, "the jobs go on\n"),
    ],
)
def test_a_command_ends_with_one_sentence_and_its_exit_code(capsys, fault, code, said):
    with pytest.raises(SystemExit) as ended, command("the jobs go on"):
        raise fault
    assert ended.value.code == code
    assert capsys.readouterr().err == said


def test_a_bug_keeps_its_traceback():
    with pytest.raises(ZeroDivisionError), command():
        raise ZeroDivisionError
