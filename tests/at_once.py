"""The same code in several processes at the same moment: it prints `ready` and waits for a line before it begins."""

import subprocess
import sys
from pathlib import Path


def together(code: str, place: Path, processes: int = 2) -> None:
    """Run the code in that many processes, which get the place and their number; all of them have to end well."""
    running = [
        subprocess.Popen(
            [sys.executable, "-c", code, str(place), str(number)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            bufsize=1,
        )
        for number in range(processes)
    ]
    for one in running:
        assert one.stdout is not None
        assert one.stdout.readline() == "ready\n"
    for one in running:
        assert one.stdin is not None
        one.stdin.write("\n")
    assert [one.wait(120) for one in running] == [0] * processes
