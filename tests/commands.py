"""Typing `python -m gauge.run` as a person does, and reading what it stored."""

import json
import os
import subprocess
import sys
import time

USUAL = ("model=expert", "suite=libero_object")  # unless a test says otherwise
KEEP = ("cell_id", "scenario_id", "rollout", "seed", "status", "scene_hash", "start_hash", "steps")


def command(*arguments, outputs, environment=None, **options):
    environment = {**(environment or os.environ), "GAUGE_OUTPUTS": str(outputs), "HOME": str(outputs / "home")}
    return subprocess.Popen(
        [sys.executable, "-m", "gauge.run", *USUAL, *arguments],
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        **options,
    )


def finish(process, timeout=300):
    out, err = process.communicate(timeout=timeout)
    return process.returncode, out, err


def records(outputs):
    lines = []
    for path in outputs.glob("*/*/episodes-*.jsonl"):
        lines += [json.loads(line) for line in path.read_text().splitlines() if line.endswith("}")]
    return lines


def essence(outputs):
    return sorted(tuple(record[name] for name in KEEP) for record in records(outputs))


def wait_for_records(outputs, count, timeout=120):
    end = time.monotonic() + timeout
    while time.monotonic() < end:
        if len(records(outputs)) >= count:
            return
        time.sleep(0.05)
    raise AssertionError(f"no {count} records within {timeout} s")
