"""`python -m gauge.perturbations`: list the perturbation space, or draw what an attribute does to a scene."""

import argparse
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from gauge import suites
from gauge.command import command
from gauge.config import items, options
from gauge.config.schema import Attribute
from gauge.errors import GaugeError, unknown
from gauge.perturbations.base import Perturbation

if TYPE_CHECKING:
    from gauge.sim.scene import Scene

EXAMPLE = """examples:
  python -m gauge.perturbations list                    categories, factors, attributes and values
  python -m gauge.perturbations show noise              draw docs/perturbations/noise.jpg
  python -m gauge.perturbations show --all --size 128   draw them all
"""
TASK = "libero_goal/8"  # put the bowl on the plate: a movable target and something to put it on
TASKS = {"target_object_orientation": "libero_goal/6"}  # a box, since a bowl looks the same from all sides


@command()
def main() -> None:
    """Do what the command line says; exit 2 on a user fault."""
    parser = argparse.ArgumentParser(
        prog="python -m gauge.perturbations",
        description=__doc__,
        epilog=EXAMPLE,
        formatter_class=argparse.RawTextHelpFormatter,
    )
    verbs = parser.add_subparsers(dest="verb", required=True)
    verbs.add_parser("list", help="the tree with its counts")
    show = verbs.add_parser("show", help="a picture of each value")
    show.add_argument("names", nargs="*", metavar="NAME", help="an attribute, e.g. light_diffuse")
    show.add_argument("--all", action="store_true", help="every attribute")
    show.add_argument("--task", help=f"suite and index of the scene (default {TASK}; a box for the orientation)")
    show.add_argument("--size", type=int, default=128, help="pixels of each picture (default 128)")
    show.add_argument("--out", type=Path, default=Path("docs/perturbations"), help="folder (default %(default)s)")
    chosen = parser.parse_args()
    if chosen.verb == "list":
        print(tree(attributes()))
    else:
        draw(_wanted(chosen), chosen.task, chosen.size, chosen.out)


def attributes() -> list[Perturbation]:
    """Every attribute of `conf/perturbation`, by category, factor and name."""
    where = options.folders()
    names = [name for name in options.names("perturbation", where) if name != "none"]
    found = [items.perturbation(options.load("perturbation", name, Attribute, where)) for name in names]
    return sorted(found, key=lambda one: (one.category, one.factor, one.attribute))


def tree(found: Iterable[Perturbation]) -> str:
    """The space as an indented list with the number of values at every level."""
    found = list(found)
    factors = {(one.category, one.factor): [] for one in found}  # type: dict[tuple[str, str], list[Perturbation]]
    for one in found:
        factors[one.category, one.factor].append(one)
    categories = list(dict.fromkeys(category for category, _ in factors))
    lines = [
        f"{_count(len(categories), 'category', 'categories')}, {_count(len(factors), 'factor')}, "
        f"{_count(len(found), 'attribute')}, {_values(found)}"
    ]
    for category in categories:
        own = {factor: members for (name, factor), members in factors.items() if name == category}
        within = [one for members in own.values() for one in members]
        lines.append(f"{category}: {_count(len(own), 'factor')}, {_count(len(within), 'attribute')}, {_values(within)}")
        for factor, members in own.items():
            lines.append(f"  {factor}: {_count(len(members), 'attribute')}, {_values(members)}")
            lines += [_line(one) for one in members]
    return "\n".join(lines)


def _line(one: Perturbation) -> str:
    mode = "static or dynamic" if one.mutable else "static only"
    levels = ", ".join(map(str, one.levels))
    head = f"    {one.attribute} ({len(one.levels)}; {one.stage}; {mode}; {one.evidence})"
    return f"{head}\n      {one.unit}; default {one.default}; {levels}"


def _values(found: Iterable[Perturbation]) -> str:
    return _count(sum(len(one.levels) for one in found), "value")


def _count(number: int, one: str, many: str = "") -> str:
    return f"{number} {one if number == 1 else many or one + 's'}"


def _wanted(chosen: argparse.Namespace) -> list[Perturbation]:
    known = {one.attribute: one for one in attributes()}
    if chosen.all:
        return list(known.values())
    if not chosen.names:
        raise GaugeError(f"nothing to show; name an attribute ({', '.join(known)}), or type --all")
    for name in chosen.names:
        if name not in known:
            raise unknown("perturbation", name, list(known))
    return [known[name] for name in chosen.names]


def _task(text: str) -> suites.Task:
    suite, _, index = text.rpartition("/")
    if not index.isdigit():
        raise GaugeError(f"--task={text} is not a suite and an index, e.g. --task {TASK}")
    return suites.load(suite).select([int(index)])[0]


def draw(wanted: Iterable[Perturbation], task: str | None, size_px: int, out: Path) -> None:
    """Write one JPEG per attribute to the folder `out`, in the scene `task` or in the attribute's own.

    Raises:
        GaugeError: there is no such task.
    """
    scenes: dict[suites.Task, list[Perturbation]] = {}
    for one in wanted:
        scenes.setdefault(_task(task or TASKS.get(one.attribute, TASK)), []).append(one)
    from gauge.sim import backend

    backend.prepare("auto")
    from gauge.sim.camera import Screen
    from gauge.sim.scene import Scene

    screen = Screen()
    out.mkdir(parents=True, exist_ok=True)
    for where, members in scenes.items():
        scene = Scene(where, screen)
        for one in members:
            _write(scene, one, size_px, out / f"{one.attribute}.jpg")
        scene.close()
    screen.close()


def _write(scene: "Scene", one: Perturbation, size_px: int, path: Path) -> None:
    import cv2

    from gauge.rollout.strips import strip

    cv2.imwrite(str(path), strip(scene, one, size_px)[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, 80])
    print(path)


if __name__ == "__main__":
    main()
