"""`import`: every source of a folder becomes an object or a reason why not; what is done is not done again."""

import re
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from gauge.errors import GaugeError
from gauge.objects import grasp as grasps
from gauge.objects.crew import spread, watched
from gauge.objects.entry import Entry, read, write
from gauge.objects.importing.sources import Source, sources
from gauge.objects.make_pool import STANDING, held
from gauge.objects.measure import digest, measure
from gauge.objects.pool import TABLE

TIMEOUT_S = 600.0


@dataclass(frozen=True, slots=True)
class Wishes:
    """How meshes are read.

    Attributes:
        scale: metres per unit of the files.
        up: y, z, or auto.
        density: kg/m^3.
        shells: whether open surfaces get thin walls.
        licence: of the files.
    """

    scale: float = 1.0
    up: str = "auto"
    density: float = 400.0
    shells: bool = False
    licence: str = "unknown"


@dataclass(frozen=True, slots=True)
class Job:
    """One source on its way into `out`."""

    source: Source
    root: Path
    out: Path
    label: str
    wishes: Wishes


def import_folder(
    root: Path, out: Path, wishes: Wishes, processes: int = 1
) -> tuple[list[Entry], list[tuple[str, str]]]:
    """Import a folder; the objects now in `out`, and names with the reasons of those that were refused.

    Args:
        root: the folder with the meshes and models; nothing outside of it is read.
        out: folder that gets one folder per object and a table.
        wishes: how meshes are read.
        processes: how many work at once.

    Raises:
        GaugeError: there is nothing to import, or `out` lies inside `root`.
    """
    if out.resolve().is_relative_to(root.resolve()):
        raise GaugeError(f"--out {out} lies inside the folder that is imported; choose another place")
    label = re.sub(r"[^a-z0-9]+", "_", out.name.lower()).strip("_") or "imported"
    if label in ("gen", "generator", "libero", "robosuite"):
        raise GaugeError(f"--out {out}: the name {label} belongs to a source of the pool; choose another")
    wanted = sources(root)
    out.mkdir(parents=True, exist_ok=True)
    known = {one.id: one for one in read(out / TABLE)} if (out / TABLE).exists() else {}
    jobs = [Job(one, root, out, label, wishes) for one in wanted if f"{label}/{one.name}" not in known]
    refused = []
    for job, result in _results(jobs, processes):
        if isinstance(result, Entry):
            known[result.id] = result
            write(out / TABLE, known.values())
        else:
            refused.append((job.source.name, result))
    write(out / TABLE, known.values())
    return read(out / TABLE), refused


def _results(jobs: Sequence[Job], processes: int) -> Iterator[tuple[Job, Entry | str]]:
    if jobs:
        yield from watched("imported", spread(one, jobs, processes, TIMEOUT_S), len(jobs))


def one(job: Job) -> Entry | str:
    """The object that a source becomes, its files in place; or the reason why not."""
    try:
        with tempfile.TemporaryDirectory(dir=job.out, prefix=".importing-") as scratch:
            made = Path(scratch) / "object"
            model = _model(job, made)
            entry = _judged(job, model)
            final = job.out / job.source.name
            shutil.rmtree(final, ignore_errors=True)
            made.replace(final)
            return entry
    except GaugeError as error:
        return str(error)
    except MemoryError:
        return "it needs more memory than there is"


def _model(job: Job, folder: Path) -> Path:
    if job.source.path.suffix.lower() == ".xml":
        from gauge.objects.importing.models import adopt

        return adopt(job.source.path, job.root, folder)
    from gauge.objects.importing.package import package
    from gauge.objects.importing.reading import read as read_mesh
    from gauge.objects.importing.solidify import sane, solidify

    mesh = sane(read_mesh(job.source.path, job.root, job.wishes.up), job.wishes.scale)
    return package(job.source.name, mesh, solidify(mesh, job.wishes.density, job.wishes.shells), folder)


def _judged(job: Job, model: Path) -> Entry:
    """Measure and try the model.

    Raises:
        GaugeError: it does not stand.
    """
    measured = measure(model, STANDING)
    longest = max(measured.size_mm)
    if not 5 <= longest <= 600:
        raise GaugeError(f"it is {longest:.0f} mm long (allowed: 5 to 600)")
    result, grasp = held(model, STANDING, grasps.candidates("any", measured.solids, measured.masses))
    if result.reason:
        raise GaugeError(f"it {result.reason}")
    category = re.sub(r"[_\d]+", " ", job.source.name).strip() or job.source.name
    return Entry(
        f"{job.label}/{job.source.name}", job.label, job.wishes.licence, category, digest(model), "unseen-family",
        measured.size_mm, measured.mass_g, "", "", "", (), STANDING, measured.collision, measured.faces, grasp, False,
        False, result.tilt_deg, result.sunk_mm, result.rise_mm, result.turn_deg,
    )  # fmt: skip
