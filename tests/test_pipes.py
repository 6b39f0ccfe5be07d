"""A command whose reader goes away ends quietly, and other broken pipes stay what they are."""

import subprocess
import sys

import pytest

pytestmark = pytest.mark.process
PROLOGUE = "from gauge import pipes\n@pipes.may_close()\ndef main():\n"


def ended(body):
    """Exit code and stderr of a main function with this body, whose output nobody reads."""
    code = PROLOGUE + "".join(f"    {line}\n" for line in body.splitlines()) + "main()"
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    process.stdout.close()
    _, errors = process.communicate(timeout=60)
    return process.returncode, errors


@pytest.mark.parametrize("lines", [1, 100_000])
def test_no_reader_is_no_fault(lines):
    assert ended(f"import time; time.sleep(0.3)\nfor k in range({lines}): print('a line of text', k)") == (141, "")


def test_an_exit_code_of_the_command_itself_does_not_bring_the_traceback_back():
    assert ended("import sys, time; time.sleep(0.3)\nprint('text')\nsys.exit(2)") == (141, "")


def test_another_broken_pipe_is_the_error_that_it_is():
    code = PROLOGUE + "    raise BrokenPipeError('the policy server is gone')\nmain()"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.returncode == 1
    assert "the policy server is gone" in done.stderr


@pytest.mark.parametrize("command", [["perturbations", "list"], ["lint", "--upstream"], ["run", "--help"], ["doctor"]])
def test_the_commands_that_print_much(command):
    typed = [sys.executable, "-m", f"gauge.{command[0]}", *command[1:]]
    process = subprocess.Popen(typed, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    process.stdout.close()
    _, errors = process.communicate(timeout=120)
    assert "Traceback" not in errors
    assert "Broken" not in errors
