"""Runs in a process of its own: the only code that talks to W&B. Started by `gauge.tracking.wandb_run`.

Reads `start.json` in the folder named on the command line, then JSON lines from stdin: {"log": {...}} after each
episode and {"summary": {...}} at the end. What went wrong becomes one sentence in `note.txt`.
"""

import json
import os
import sys
import threading
from pathlib import Path
from typing import Any


def main(folder: Path) -> None:
    """Copy messages into one W&B run until stdin ends."""
    start = json.loads((folder / "start.json").read_text())
    faults: list[str] = []
    try:
        run = _init(start, faults)
        _copy(run, faults)
        # Whoever started this process may be gone by now, so nobody else would end a finish that hangs.
        threading.Timer(start["timeout_s"], os._exit, [1]).start()
        run.finish()
    except Exception as error:
        faults.append(_sentence(error))
    if faults:
        more = f" ({len(faults)} faults in all)" if len(faults) > 1 else ""
        (folder / "note.txt").write_text(faults[0] + more)
    sys.stdout.flush()
    os._exit(0)  # W&B's own exit hooks would wait for the network


def _init(start: dict[str, Any], faults: list[str]) -> Any:
    """The run; offline when W&B cannot be reached or knows no key."""
    import wandb

    settings = wandb.Settings(silent=True, console="off", init_timeout=start["init_timeout_s"])
    try:
        run = wandb.init(**start["run"], settings=settings)
    except Exception as error:
        faults.append(f"{_sentence(error)}; logged offline instead")
        wandb.teardown()
        run = wandb.init(**{**start["run"], "mode": "offline"}, settings=settings)
    run.define_metric(start["counter"])
    run.define_metric("*", step_metric=start["counter"])
    return run


def _copy(run: Any, faults: list[str]) -> None:
    for line in sys.stdin:
        try:
            message = json.loads(line)
            if "log" in message:
                run.log(message["log"])
            else:
                run.summary.update(message["summary"])
        except Exception as error:
            faults.append(_sentence(error))


def _sentence(error: Exception) -> str:
    return f"{type(error).__name__}: {error}".splitlines()[0][:200]


if __name__ == "__main__":
    main(Path(sys.argv[1]))
