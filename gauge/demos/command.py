"""`python -m gauge.demos <verb>`: each verb reads its own arguments."""

import argparse
import sys
from pathlib import Path

from omegaconf import DictConfig

from gauge.command import command, pick

VERBS = {
    "collect": "record verified demonstrations of every task of a suite",
    "replay": "play a recorded set in a perturbed scene and keep the successes",
    "render": "add both cameras' images to a recorded set",
    "export": "write a set as LIBERO's HDF5 files or as a LeRobot data set",
    "stats": "counts, lengths, actions and spread of paths of a set",
    "check": "list what is wrong with demonstration files and LeRobot data sets",
}


@command()
def main() -> None:
    """Hand over to the verb; without one, or with --help, list all of them."""
    verb = pick("gauge demos", VERBS)
    if verb in ("collect", "replay"):
        _record(verb)
        return
    {"render": _render, "export": _export, "stats": _stats, "check": _check}[verb]()


def _record(verb: str) -> None:
    from gauge.config.entry import hydra_entry
    from gauge.demos.config import register

    register()
    hydra_entry(_collect if verb == "collect" else _replay, config_name="demos")


def _collect(cfg: DictConfig) -> None:
    from gauge.demos.collect import collect

    _rendered(collect(cfg).folder, cfg)


def _replay(cfg: DictConfig) -> None:
    from gauge.demos.collect import replay

    _rendered(replay(cfg).folder, cfg)


def _rendered(folder: Path, cfg: DictConfig) -> None:
    from gauge.demos.render import render_set

    if cfg.render is not None:
        render_set(folder, cfg.render, cfg.workers, cfg.renderer, cfg.timeout_s)


def _render() -> None:
    from gauge.demos.render import render_set

    parser = _parser("render", "Images are drawn from the stored states; a set that has them already is left alone.")
    parser.add_argument("folder", type=Path, help="folder of a recorded set")
    parser.add_argument("--size", type=int, default=128, help="side of the images in pixels (default: 128)")
    parser.add_argument("--workers", type=int, default=1, help="processes (default: 1)")
    parser.add_argument("--renderer", default="auto", help="auto, egl, osmesa or glfw")
    parser.add_argument("--timeout-s", type=float, default=600.0, help="longest time for one demonstration")
    options = parser.parse_args()
    render_set(options.folder, options.size, options.workers, options.renderer, options.timeout_s)


def _export() -> None:
    from gauge.demos.export import export

    parser = _parser("export", "The output appears whole or not at all.")
    parser.add_argument("folder", type=Path, help="folder of a recorded set, or an HDF5 file in LIBERO's layout")
    parser.add_argument("output", type=Path, help="folder to write; it must not exist")
    parser.add_argument("--format", choices=("libero", "lerobot"), required=True)
    mirrored = "lerobot: mirror the pictures, as the published LIBERO sets have them (default: upright)"
    parser.add_argument("--mirrored", action="store_true", help=mirrored)
    options = parser.parse_args()
    export(options.folder, options.output, options.format, options.mirrored)


def _stats() -> None:
    from gauge.demos.stats import report

    parser = _parser("stats", "The reasons for what was dropped are listed, too.")
    parser.add_argument("folder", type=Path, help="folder of a recorded set, or an HDF5 file in LIBERO's layout")
    parser.add_argument("--png", type=Path, help="write histograms of the actions and lengths to this file")
    options = parser.parse_args()
    report(options.folder, options.png)


def _check() -> None:
    from gauge.demos.check import check

    parser = _parser("check", "Exit code 2 if anything is wrong; every problem is listed with file, episode and frame.")
    parser.add_argument("paths", nargs="+", type=Path, help="HDF5 files, recorded sets, or LeRobot data sets")
    options = parser.parse_args()
    found = [problem for path in options.paths for problem in check(path)]
    for problem in found:
        print(problem)
    print(f"{len(options.paths)} checked, {len(found)} problem{'s' * (len(found) != 1)}")
    sys.exit(2 if found else 0)


def _parser(verb: str, more: str) -> argparse.ArgumentParser:
    return argparse.ArgumentParser(prog=f"gauge demos {verb}", description=f"{VERBS[verb].capitalize()}. {more}")
