"""`check`: every problem of demonstration files, sets and LeRobot data sets, with file, episode and frame."""

import json
from collections.abc import Iterator
from pathlib import Path

from gauge.demos.store import SET_FILE, open_set
from gauge.errors import GaugeError
from gauge.policies.replay import demo_files
from gauge.records.demo_file import demo_names, opened, read_demo
from gauge.records.demo_shapes import declared_freq, shape_problems, value_problems


def check(path: Path) -> list[str]:
    """What is wrong with a file, a recorded set, a folder of files or a LeRobot data set; empty if nothing is.

    Raises:
        GaugeError: there is nothing at that path that could be checked.
    """
    if (path / "meta").is_dir():
        from gauge.demos.lerobot_check import lerobot_problems

        return list(lerobot_problems(path))
    if (path / SET_FILE).is_file():
        return list(_set_problems(path))
    files = demo_files(path)
    if not files:
        raise GaugeError(f"{path} holds no .hdf5 file, no {SET_FILE} and no meta folder, so there is nothing to check")
    return [problem for file in files for problem in file_problems(file)]


def file_problems(path: Path) -> Iterator[str]:
    """What is wrong with an HDF5 file in LIBERO's layout."""
    try:
        with opened(path) as file:
            attributes = file["data"].attrs if "data" in file else {}
            names, freq = demo_names(file, path), declared_freq(attributes)
            declared = int(attributes.get("num_demos", len(names)))
            if declared != len(names):
                yield f"{path}: it declares {declared} episodes (num_demos), but holds {len(names)}"
            for name in names:
                group = file["data"][name]
                for problem in shape_problems(group) or value_problems(group, freq):
                    yield f"{path}: {name}: {problem}"
    except GaugeError as fault:
        yield str(fault)


def _set_problems(folder: Path) -> Iterator[str]:
    """Outcomes that promise a trajectory which is not there or not the same, and what is wrong with the others."""
    kept = list(open_set(folder).kept())
    if not kept:
        yield f"{folder}: the set holds no demonstration"
    for one in kept:
        if not one.path.is_file():
            yield f"{one.path}: {one.path.stem}.json promises a trajectory, but it is not there"
            continue
        found = list(file_problems(one.path))
        yield from found
        recorded = json.loads(one.path.with_suffix(".json").read_text(encoding="utf-8")).get("digest")
        if not found and recorded is not None and read_demo(one.path).digest != recorded:
            yield f"{one.path}: its actions or states are not those that were recorded (digest {recorded})"
