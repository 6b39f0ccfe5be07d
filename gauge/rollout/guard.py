"""Runs a shell command that ends with whoever started it: `python -m gauge.rollout.guard COMMAND`, standard input held.

When standard input ends, because its writer closed it or died, however it died, the command's processes are ended.
"""

import os
import signal
import subprocess
import sys
import threading
from contextlib import suppress

PATIENCE_S = 10.0


def guard(command: str) -> int:
    """The command's exit code."""
    child = subprocess.Popen(command, shell=True, stdin=subprocess.DEVNULL, start_new_session=True)
    threading.Thread(target=_end_at_end_of_input, args=(child,), daemon=True).start()
    return child.wait()


def _end_at_end_of_input(child: "subprocess.Popen[bytes]") -> None:
    while os.read(0, 4096):  # not sys.stdin, whose lock a thread may not hold when Python ends
        pass
    for number in (signal.SIGTERM, signal.SIGKILL):
        with suppress(ProcessLookupError):
            os.killpg(child.pid, number)
        with suppress(subprocess.TimeoutExpired):
            child.wait(PATIENCE_S)


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the business of whoever holds our input
    sys.exit(guard(sys.argv[1]))
