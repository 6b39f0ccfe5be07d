"""`export`: a set as LIBERO's files, one per task, or as a LeRobot data set; the folder appears whole or not at all."""

import secrets
import shutil
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from gauge.demos.check import file_problems
from gauge.demos.store import SET_FILE, open_set
from gauge.errors import GaugeError
from gauge.policies.replay import demo_files
from gauge.records.demo import Demo
from gauge.records.demo_file import names, read_demo, write_demos


def export(source: Path, output: Path, layout: str, mirrored: bool = False) -> None:
    """Write the demonstrations of a set, of a folder of files, or of one file to the new folder `output`.

    Args:
        source: what `demonstrations` takes.
        output: the folder; it must not exist.
        layout: `libero` or `lerobot`.
        mirrored: see `write_lerobot`.

    Raises:
        GaugeError: the output exists, or something is wrong with the source; nothing is left behind.
    """
    if output.exists():
        raise GaugeError(f"{output} exists already; name a new folder, or remove it")
    _refuse_faults(source)
    unfinished = output.with_name(f".{output.name}-{secrets.token_hex(4)}")
    unfinished.mkdir(parents=True)
    try:
        if layout == "lerobot":
            from gauge.demos.lerobot_export import write_lerobot

            found = (read_demo(path, name, images=True) for path, name in demonstrations(source))
            write_lerobot(found, unfinished, mirrored)
        else:
            _write_libero(source, unfinished)
        unfinished.rename(output)
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)


def _refuse_faults(source: Path) -> None:
    """An export declares 20 Hz and finite numbers, so a file that has neither would look sound afterwards.

    Raises:
        GaugeError: names the first problem of the first file at fault.
    """
    for path in dict.fromkeys(path for path, _ in demonstrations(source)):
        for problem in file_problems(path):
            raise GaugeError(f"{problem}; nothing was exported (python -m gauge.demos check lists all problems)")


def demonstrations(source: Path) -> Iterator[tuple[Path, str]]:
    """File and name of each demonstration: the kept ones of a set, else all of a file or of a folder of files."""
    if (source / SET_FILE).is_file():
        yield from ((kept.path, "demo_0") for kept in open_set(source).kept())
        return
    for path in demo_files(source):
        yield from ((path, name) for name in names(path))


def _write_libero(source: Path, folder: Path) -> None:
    by_task: dict[str, list[tuple[Path, str]]] = defaultdict(list)
    for path, name in demonstrations(source):
        by_task[read_demo(path, name).origin.scenario_id].append((path, name))
    if not by_task:
        raise GaugeError(f"{source} holds no demonstration to export")
    for scenario, found in by_task.items():
        target = folder / f"{scenario.rpartition('/')[2]}_demo.hdf5"
        write_demos(target, (read_demo(path, name, images=True) for path, name in found))


def demos_of(source: Path) -> Iterator[Demo]:
    """The demonstrations themselves, without images."""
    return (read_demo(path, name) for path, name in demonstrations(source))
