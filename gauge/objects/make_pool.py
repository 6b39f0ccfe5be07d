"""Makes the committed table anew: `python -m gauge.objects.make_pool [--processes 2] [--families bowl mug]`.

Of each family the first shapes are kept that differ from all kept ones by more than 2 mm somewhere, stand still when
dropped and, if they are to be grasped, are held. Whoever changes a maker runs this and commits the table.
"""

import argparse
import tempfile
from pathlib import Path

from gauge.core.seeds import seed
from gauge.objects import grasp as grasps
from gauge.objects.crew import spread, watched
from gauge.objects.entry import Entry, read, write
from gauge.objects.families import FAMILIES, Family, family
from gauge.objects.generate import Drawn, generate
from gauge.objects.grasp import Grasp
from gauge.objects.likeness import Floats32, descriptor, is_new
from gauge.objects.measure import digest, measure
from gauge.objects.packaged import LICENCES, Packaged, packaged
from gauge.objects.pool import TABLE
from gauge.objects.ready import named
from gauge.objects.trial import Result, stands, trial

PER_FAMILY, TRIES = 28, 150
UNSEEN_SHARE = 5  # one shape in five of a seen family is kept aside
STANDING = (1.0, 0.0, 0.0, 0.0)
MOST_FACES = 2000
MARGIN = 0.1  # what passes by less than this share of a limit may fail on another machine


def main() -> None:
    """Measure everything, or the families named, and write the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--families", nargs="*", help="only these; other rows of the table stay")
    chosen = parser.parse_args()
    table = Path(__file__).parent / "data" / TABLE
    wanted = [family(name).name for name in chosen.families] if chosen.families else [one.name for one in FAMILIES]
    kept = (
        [one for one in read(table) if one.source != "generator" or one.category not in wanted]
        if chosen.families
        else []
    )
    jobs = wanted if chosen.families else [*wanted, ""]
    for name, found in watched("families", spread(members, jobs, chosen.processes, 1800.0), len(jobs)):
        if isinstance(found, str):
            raise SystemExit(f"{name or 'the packages'}: {found}")
        kept += found
        print(f"{name or 'packages'}: {len(found)}", flush=True)
    write(table, kept)


def members(name: str) -> list[Entry]:
    """The kept objects of a family, or of the packages if the name is empty."""
    if not name:
        found = [_from_package(one) for one in packaged().values()]
        return [one for one in found if one]
    kept: list[Entry] = []
    shapes: list[Floats32] = []
    for number in range(TRIES):
        drawn = generate(name, number)
        shape = descriptor(drawn.built.mesh)
        if len(drawn.built.mesh.faces) < MOST_FACES and is_new(shape, shapes):
            entry = _tried(family(name), number, drawn)
            if entry:
                kept.append(entry)
                shapes.append(shape)
        if len(kept) == PER_FAMILY:
            break
    return kept


def held(
    model: Path, upright: tuple[float, float, float, float], options: list[Grasp], margin: float = 0.0
) -> tuple[Result, Grasp | None]:
    """The first grasp that holds, with its trial; the trial without one if none does."""
    for option in options:
        result = trial(model, upright, option)
        if result.clear(margin):
            return result, option
        if not result.grasped:  # it does not even stand
            return result, None
    return trial(model, upright, None), None


def _tried(kind: Family, number: int, drawn: Drawn) -> Entry | None:
    built = drawn.built
    options = grasps.candidates(kind.grasp, built.solids, built.masses)
    with tempfile.TemporaryDirectory() as scratch:
        model = built.write(Path(scratch))
        result, grasp = held(model, STANDING, options, MARGIN)
        measured = measure(model, STANDING)
    if not result.clear(MARGIN):
        return None
    aside = seed("split", kind.name, number) % UNSEEN_SHARE == 0
    split = "unseen-family" if kind.unseen else "unseen-shape" if aside else "seen"
    return Entry(
        named(kind.name, number), "generator", "MIT", kind.name, built.digest, split, measured.size_mm, measured.mass_g,
        drawn.material, drawn.color, drawn.pattern, drawn.tags, STANDING, measured.collision, measured.faces, grasp,
        kind.receptacle, False, result.tilt_deg, result.sunk_mm, result.rise_mm, result.turn_deg,
    )  # fmt: skip


def _from_package(one: Packaged) -> Entry | None:
    measured = measure(one.model, one.upright)
    grasp = None
    if one.articulated:
        result = stands(one.model, one.upright)
    else:
        kind = "rim" if one.receptacle or one.category == "mug" else "body"
        result, grasp = held(one.model, one.upright, grasps.candidates(kind, measured.solids, measured.masses))
    if result.reason:
        print(f"left out: {one.id}: {result.reason}", flush=True)
        return None
    return Entry(
        one.id, one.source, LICENCES[one.source], one.category, digest(one.model), "seen", measured.size_mm,
        measured.mass_g, "", "", "", (), one.upright, measured.collision, measured.faces, grasp, one.receptacle,
        one.articulated, result.tilt_deg, result.sunk_mm, result.rise_mm, result.turn_deg,
    )  # fmt: skip


if __name__ == "__main__":
    main()
