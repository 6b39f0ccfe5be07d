"""`python -m gauge.objects`: list, show and check the objects of the pool, and import a folder of your own."""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from gauge.command import command
from gauge.errors import GaugeError, unknown
from gauge.objects.entry import SPLITS, Entry, row
from gauge.objects.families import by_name
from gauge.objects.pool import find, pool
from gauge.objects.ready import CACHE, ready

EXAMPLE = """examples:
  python -m gauge.objects list                                how many, by source, split and family
  python -m gauge.objects list --family bowl --tag red        the red bowls
  python -m gauge.objects list --tag target --split seen --json
  python -m gauge.objects show gen/mug/0003                   its card, and a picture
  python -m gauge.objects check                               drop and pinch all of them (minutes)
  python -m gauge.objects import ~/ycb --out outputs/objects/ycb
  python -m gauge.objects list --pool outputs/objects/ycb --source ycb
"""


@command()
def main() -> None:
    """Do what the command line says; exit 2 on a user fault or if an object failed its check."""
    chosen = parser().parse_args()
    sys.exit(chosen.work(chosen))


def parser() -> argparse.ArgumentParser:
    """The command line."""
    made = argparse.ArgumentParser(
        prog="python -m gauge.objects",
        description=__doc__,
        epilog=EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    verbs = made.add_subparsers(dest="verb", required=True)
    listed = _verb(verbs, "list", "what there is", list_objects)
    _filters(listed)
    listed.add_argument("--json", action="store_true", help="rows as JSON, one a line")
    listed.add_argument("--all", action="store_true", help="rows instead of counts, without any filter")
    shown = _verb(verbs, "show", "the card of an object, and its picture", show)
    shown.add_argument("id", nargs="?", help="e.g. gen/mug/0003")
    shown.add_argument("--out", type=Path, help="the picture (default outputs/objects/<id>.png)")
    shown.add_argument("--size", type=int, default=384, help="pixels of the picture (default %(default)s)")
    shown.add_argument("--solids", action="store_true", help="draw the collision shapes instead")
    shown.add_argument("--sheets", type=Path, metavar="FOLDER", help="contact sheets of everything instead")
    checked = _verb(verbs, "check", "drop and pinch the objects; what is done is not done again", check)
    _filters(checked)
    checked.add_argument("--processes", type=int, default=2, help="how many work at once (default %(default)s)")
    taken = _verb(verbs, "import", "make objects of a folder of OBJ, GLB, glTF, PLY, STL, URDF or MJCF", import_)
    taken.add_argument("folder", type=Path)
    taken.add_argument("--out", type=Path, required=True, help="folder for the objects; its name becomes their source")
    taken.add_argument("--scale", type=float, default=1.0, help="metres per unit of the files (default 1)")
    taken.add_argument("--up", choices=("auto", "y", "z"), default="auto", help="auto: y for glTF, z for others")
    taken.add_argument("--density", type=float, default=400.0, help="kg/m^3 (default %(default)s)")
    taken.add_argument("--shells", action="store_true", help="give open surfaces thin walls")
    taken.add_argument("--licence", default="unknown", help="of the files, for the table")
    taken.add_argument("--processes", type=int, default=1, help="how many work at once (default %(default)s)")
    return made


def _verb(
    verbs: "argparse._SubParsersAction[argparse.ArgumentParser]", name: str, what: str, work: object
) -> argparse.ArgumentParser:
    made = verbs.add_parser(name, help=what, description=what)
    made.set_defaults(work=work)
    made.add_argument("--pool", type=Path, action="append", default=[], metavar="FOLDER", help="an imported folder")
    made.add_argument(
        "--cache", type=Path, default=CACHE, help="where generated objects are built (default %(default)s)"
    )
    return made


def _filters(made: argparse.ArgumentParser) -> None:
    made.add_argument("--family", nargs="+", default=[], metavar="NAME", help="e.g. bowl 'toy car'")
    made.add_argument("--source", nargs="+", default=[], metavar="NAME", help="generator, libero, robosuite, ...")
    made.add_argument("--tag", nargs="+", default=[], metavar="WORD", help="all of them: red, tall, target, wood, ...")
    made.add_argument("--split", choices=SPLITS)


def selected(chosen: argparse.Namespace) -> list[Entry]:
    """The objects that the filters leave.

    Raises:
        GaugeError: a filter's word is unknown, or nothing is left.
    """
    known = list(pool(chosen.pool).values())
    families = [name.replace("_", " ") for name in chosen.family]
    for kind, asked, there in (
        ("family", families, {one.category for one in known}),
        ("source", chosen.source, {one.source for one in known}),
        ("tag", chosen.tag, set().union(*(one.words for one in known))),
    ):
        for name in asked:
            if name not in there:
                raise unknown(kind, name, sorted(there))
    left = [
        one
        for one in known
        if (not families or one.category in families)
        and (not chosen.source or one.source in chosen.source)
        and (not chosen.split or one.split == chosen.split)
        and set(chosen.tag) <= one.words
    ]
    if not left:
        raise GaugeError("no object has all of that; leave out a filter, or see python -m gauge.objects list")
    return left


def list_objects(chosen: argparse.Namespace) -> int:
    """Counts without filters, else rows."""
    left = selected(chosen)
    if chosen.json:
        for one in left:
            print(json.dumps({**row(one), "target": one.target, **_facts(one)}, ensure_ascii=False))
    elif chosen.all or chosen.family or chosen.source or chosen.tag or chosen.split:
        for one in left:
            size = " x ".join(f"{x:.0f}" for x in one.size_mm)
            words = " ".join(filter(None, (one.color, one.material, one.pattern, *one.tags)))
            held = f"{one.grasp.kind} {1000 * one.grasp.width_m:.0f} mm" if one.grasp else "-"
            print(f"{one.id:<28} {one.split:<13} {size:>16} mm {one.mass_g:>6.0f} g  {held:<11} {words}")
        print(counts(left, families=False))
    else:
        print(counts(left))
    return 0


def counts(entries: Sequence[Entry], families: bool = True) -> str:
    """How many by source, split, use and family."""
    lines = [f"{len(entries)} objects"]
    for title, found in (
        ("source", Counter(one.source for one in entries)),
        ("split", Counter(one.split for one in entries)),
        ("can be", Counter(word for one in entries for word in ("target", "receptacle", "articulated", "graspable")
                           if word in one.words)),
    ):  # fmt: skip
        lines.append(f"  {title}: " + ", ".join(f"{name} {count}" for name, count in found.most_common()))
    if families:
        found = Counter(one.category for one in entries)
        lines.append(f"  {len(found)} categories: " + ", ".join(f"{name} {count}" for name, count in found.items()))
    return "\n".join(lines)


def show(chosen: argparse.Namespace) -> int:
    """The card and the picture of one object, or contact sheets."""
    if chosen.sheets:
        from gauge.object_pictures import sheets

        sheets(list(pool(chosen.pool).values()), chosen.sheets, chosen.cache, chosen.pool)
        return 0
    if not chosen.id:
        raise GaugeError("nothing to show; name an object, e.g. gen/mug/0003, or type --sheets FOLDER")
    entry = find(chosen.id, chosen.pool)
    print(card(entry))
    from gauge.object_pictures import draw

    out = chosen.out or CACHE / f"{chosen.id.replace('/', '_')}.png"
    draw(ready(chosen.id, chosen.cache, chosen.pool).model, entry.upright, chosen.size, chosen.solids, out)
    print(f"picture: {out}")
    return 0


def card(one: Entry) -> str:
    """What is known of an object, one fact a line."""
    held = one.grasp
    can = [word for word in ("target", "receptacle", "articulated", "graspable") if word in one.words]
    grasp = (
        f"{held.kind}, at {' '.join(f'{1000 * x:.0f}' for x in held.point)} mm, {1000 * held.width_m:.0f} mm wide; "
        f"rose {one.rise_mm:.0f} of 120 mm and turned {one.turn_deg:.1f} degrees"
        if held
        else "none found"
    )
    facts = {
        "source": f"{one.source} ({one.licence})",
        "category": one.category,
        **{name: ", ".join(words) for name, words in _facts(one).items() if words},
        "split": one.split,
        "size": " x ".join(f"{x:.0f}" for x in one.size_mm) + f" mm, {one.mass_g:.0f} g",
        "friction": " ".join(map(str, one.friction)) + " (sliding; torsional and rolling in m)",
        "look": ", ".join(filter(None, (one.color, one.material, one.pattern, *one.tags))),
        "shapes": f"{one.faces} triangles seen; touched: {one.collision or 'none'}",
        "can be": ", ".join(can) or "a distractor",
        "grasp": grasp,
        "check": f"rests {one.tilt_deg:.2f} degrees off upright, {one.sunk_mm:.2f} mm deep in the table",
        "hash": one.digest,
    }
    return "\n".join([one.id, *(f"  {name:<10}{text}" for name, text in facts.items() if text)])


def _facts(one: Entry) -> dict[str, list[str]]:
    """What its family says."""
    kind = by_name().get(one.category)
    return {"synonyms": list(kind.synonyms), "uses": list(kind.uses)} if kind else {"synonyms": [], "uses": []}


def check(chosen: argparse.Namespace) -> int:
    """Check what the filters leave; the failures with their reasons, then the counts."""
    from gauge.objects.checking import check as check_all

    verdicts = check_all(selected(chosen), chosen.cache, chosen.pool, chosen.processes)
    failed = [one for one in verdicts if one.reason]
    _table([(one.id, one.reason) for one in failed])
    print(f"{len(verdicts)} checked, {len(verdicts) - len(failed)} passed, {len(failed)} failed")
    return 2 if failed else 0


def import_(chosen: argparse.Namespace) -> int:
    """Import a folder; what was refused with the reasons, then the counts."""
    from gauge.objects.importing.importer import Wishes, import_folder

    wishes = Wishes(chosen.scale, chosen.up, chosen.density, chosen.shells, chosen.licence)
    entries, refused = import_folder(chosen.folder, chosen.out, wishes, chosen.processes)
    _table(refused)
    print(f"{len(entries)} objects in {chosen.out}, {len(refused)} refused")
    if entries:
        print(f"see them: python -m gauge.objects list --pool {chosen.out} --source {entries[0].source}")
    return 2 if refused and not entries else 0


def _table(rows: Iterable[tuple[str, str]]) -> None:
    for name, reason in rows:
        print(f"{name:<28} {reason}")


if __name__ == "__main__":
    main()
