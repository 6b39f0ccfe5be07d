"""`python -m gauge.suites gallery`: draw what is missing, then write the pages."""

import argparse
import hashlib
import os
from collections import deque
from collections.abc import Mapping, Sequence
from pathlib import Path

from gauge.bar import Bar
from gauge.certify.solution import read_actions
from gauge.demos.crew import watched, work
from gauge.errors import GaugeError, IncompleteError
from gauge.gallery import pages
from gauge.gallery.job import Start, Strip
from gauge.sim import backend
from gauge.suites.certificate import Certificate
from gauge.suites.generate import FOLDER
from gauge.suites.scenario import Scenario, load_folder
from gauge.suites.standing import standing

MOST_LOST = 5  # in a row, before the cause is looked for elsewhere
SIDES = range(32, 1025)

EXAMPLE = """examples:
  python -m gauge.suites gallery                                    of gauge's own scenarios, in docs/gallery
  python -m gauge.suites gallery mine/pictures --folder mine --size 256
"""


def main() -> None:
    """Draw and write.

    Raises:
        GaugeError: an argument is wrong, or nothing can be drawn here.
        IncompleteError: some pictures could not be drawn; the pages show the others.
    """
    chosen = _parser().parse_args()
    if chosen.size not in SIDES or chosen.workers < 0:
        raise GaugeError(f"--size is {SIDES[0]} to {SIDES[-1]} pixels and --workers at least 0")
    scenarios = load_folder(chosen.folder, chosen.folder.name).tasks
    gallery([one for one in scenarios if isinstance(one, Scenario)], chosen)


def gallery(scenarios: Sequence[Scenario], chosen: argparse.Namespace) -> None:
    """Bring the gallery of these scenarios up to date.

    Raises:
        IncompleteError: some pictures could not be drawn.
    """
    folder, known, book = chosen.output, standing(scenarios), pages.chapters(scenarios)
    starts = {one.layout: Start(one, folder / "starts" / f"{one.layout}.jpg", chosen.size) for one in scenarios}
    strips = {one.id: _strip(one, known[one.id], chosen) for one in pages.filmed(book, known)}
    jobs: list[Start | Strip] = [*starts.values(), *strips.values()]
    todo = [job for job in jobs if chosen.fresh or _side(job.path) != chosen.size]
    lost = _draw(todo, chosen)
    _tidy(folder, {job.path for job in jobs})
    drawn = {layout: job.path for layout, job in starts.items() if job.path.is_file()}
    films = {name: job.path for name, job in strips.items() if job.path.is_file()}
    folder.mkdir(parents=True, exist_ok=True)
    index = folder.parent / f"{folder.name}.md"
    for part in book:
        (folder / f"{part.name}.md").write_text(pages.page(part, known, drawn, folder, index), encoding="utf-8")
    index.write_text(pages.contents(book, known, drawn, films, folder), encoding="utf-8")
    there = len(jobs) - len(todo)
    print(f"{len(todo) - len(lost)} pictures drawn, {there} there already; {index}, {len(book)} pages in {folder}")
    if lost:
        why = "; ".join(f"{name}: {reason}" for name, reason in lost.items())
        raise IncompleteError(f"{len(lost)} pictures could not be drawn ({why}); run the same command again")


def _strip(one: Scenario, known: Certificate, chosen: argparse.Namespace) -> Strip:
    """The job; its picture is named by what is played, so that another witness is another picture."""
    solution = read_actions(one, known)
    assert solution is not None
    digest = hashlib.sha256(f"{known.solution} {solution.state} ".encode() + solution.actions.tobytes()).hexdigest()
    return Strip(one, chosen.output / "solutions" / f"{digest[:16]}.jpg", chosen.size, solution)


def _draw(todo: Sequence[Start | Strip], chosen: argparse.Namespace) -> Mapping[str, str]:
    """Draw the pictures; which scenarios' could not be, and why."""
    lost: dict[str, str] = {}
    if not todo:
        return lost
    ended = work(deque(todo), chosen.workers, backend.choose(chosen.renderer, os.environ), chosen.timeout_s)
    with Bar("gallery", len(todo), shown=True) as bar:
        for done, _ in enumerate(watched(ended, lost, _name, MOST_LOST), start=1):
            bar.update(done, "pictures")
    return lost


def _name(job: Start | Strip) -> str:
    return f"the {'start' if isinstance(job, Start) else 'solution'} of {job.scenario.name}"


def _side(path: Path) -> int:
    """Height in pixels of a stored picture; 0 where there is none that can be read."""
    import cv2

    pixels = cv2.imread(str(path)) if path.is_file() else None
    return 0 if pixels is None else int(pixels.shape[0])


def _tidy(folder: Path, wanted: set[Path]) -> None:
    """Remove pictures of what is no more; nothing else in the folder is touched."""
    for kind in ("starts", "solutions"):
        for path in set((folder / kind).glob("[0-9a-f]" * 16 + ".jpg")) - wanted:
            path.unlink()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m gauge.suites gallery",
        description="Draw how every scenario starts and how some are solved, and write pages of it in Markdown: "
        "OUTPUT.md and one in OUTPUT for each capability and split. What is drawn already is kept.",
        epilog=EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("output", type=Path, nargs="?", default=Path("docs/gallery"), help="default: %(default)s")
    parser.add_argument("--folder", type=Path, default=FOLDER, help="of the scenarios (default: gauge's own)")
    parser.add_argument("--size", type=int, default=144, help="side of a picture in pixels (default: %(default)s)")
    parser.add_argument("--workers", type=int, default=1, help="processes; 0 works in this one (default: %(default)s)")
    parser.add_argument("--fresh", action="store_true", help="draw again what is there")
    parser.add_argument("--renderer", default="auto", help="auto, egl, osmesa or glfw")
    parser.add_argument("--timeout-s", type=float, default=600.0, help="longest time for one picture")
    return parser
