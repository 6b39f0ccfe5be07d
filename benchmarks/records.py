"""Four million records in ten thousand cells: how long they take to compact, to summarise, to resume from and to plan.

    python benchmarks/records.py [--models 40] [--rollouts 21] [--folder DIR]

Synthetic models are evaluated under all 268 values and clean on 18 scenarios, through the ordinary records: 40 models
and 21 rollouts make 4,067,280 records in 10,760 cells. Each measure runs in a process of its own, whose largest memory
is printed beside; imports are not timed. After compaction one more episode is added to every scenario of every 100th
cell, so that compacted and loose records are read together, and every record is counted. The folder (about 5 GB) is
removed at the end unless --folder names one, which is used again if it is there. The last line is the rate of the
summary.
"""

import argparse
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from hydra import initialize_config_dir
from hydra.core.global_hydra import GlobalHydra

from gauge.config import options
from gauge.config.conf_dir import conf_dir
from gauge.config.resolvers import register
from gauge.core.items import Combination
from gauge.protocol.space import combination_of
from gauge.protocol.tables import each_group
from gauge.records.compact import compact
from gauge.records.fingerprint import fingerprint
from gauge.records.query import cell_state, check_fingerprints, summary
from gauge.records.store import RecordWriter, open_cell
from gauge.rollout.drawn import Drawing
from gauge.study import lanes, space
from gauge.study.batch import episodes
from gauge.study.board import look
from gauge.study.plan import Want, wants

STUDY, ANCHORS, ADDED = "records", 18, 100


def planned(outputs: Path, models: int, rollouts: int) -> tuple[lanes.Crew, space.Space, list[Want]]:
    """All models, and every value alone and nothing, on the anchors."""
    skills = ",".join(f"{1.5 - 3 * k / models:.4f}" for k in range(models))
    typed = ["model=synthetic", f"model.skill={skills}", "suite=synthetic"]
    shared = [f"study={STUDY}", f"outputs='{outputs}'", "seed=0", f"rollouts={rollouts}"]
    register()
    with initialize_config_dir(str(conf_dir()), version_base="1.3"):
        crew = lanes.assemble(GlobalHydra.instance().config_loader(), typed, shared)
    code = space.load(options.folders())
    singles = [combination_of(rows) for _, rows in each_group(code.table(), "combination")]
    anchors = list(crew.scenarios.scenario_id[:: len(crew.scenarios) // ANCHORS])[:ANCHORS]
    wanted, _ = wants(crew, code, crew.models, [Combination(), *singles], dict.fromkeys(anchors, range(rollouts)))
    return crew, code, wanted


def write(crew: lanes.Crew, code: space.Space, wanted: list[Want]) -> int:
    """Draw and store the episodes of all cells as a run would; how many."""
    from gauge.config.build import make_policy

    models = {lane.model: make_policy(lane.cfg) for lane in crew.lanes}
    marks, count = fingerprint("none"), 0
    for want in wanted:
        cell, folder = want.lane.cell(want.combination), crew.folder / want.cell
        plans = episodes(want.lane.cfg, cell.id, want.episodes, want.lane.tasks)
        open_cell(folder, cell)
        with RecordWriter(folder) as writer:
            for batch in Drawing(models[want.lane.model], cell, code.bound(want.combination), marks).batches(plans):
                writer.write_all(batch)
                count += len(batch)
    return count


def measured(name: str, outputs: Path, arguments: argparse.Namespace) -> None:
    """One measure: print its seconds, what it found, and the memory of this process."""
    study = outputs / STUDY
    began, busy = time.perf_counter(), time.process_time()
    found: object = ""
    if name == "summary":
        found = f"{int(summary(study).n.sum()):,} episodes"
    elif name == "compact":
        done = compact(study, remove=True)
        found = f"{done.records:,} records in {len(done.parts)} files of {_size(study, '*/*.parquet'):.2f} GB"
    elif name == "resume":
        cells = sorted(study.glob("*/cell.json"))[:: max(1, len(list(study.iterdir())) // 20)]
        cell_state(cells[0].parent)  # imports
        began, busy, marks = time.perf_counter(), time.process_time(), fingerprint("none")
        for path in cells:
            check_fingerprints(path.parent, marks)
            cell_state(path.parent)
        each, cpu = ((now - then) / len(cells) for now, then in _clocks(began, busy))
        print(f"{each:.3f} s a cell, mean of {len(cells)} ({cpu:.3f} s of CPU)")
        return _memory()
    else:
        crew, _, wanted = planned(outputs, arguments.models, arguments.rollouts + 1)
        began, busy = time.perf_counter(), time.process_time()
        missing = look(crew, wanted).missing
        found = f"{sum(want.size for want in missing):,} of {sum(want.size for want in wanted):,} episodes missing"
    wall, cpu = (now - then for now, then in _clocks(began, busy))
    print(f"{wall:.2f} s ({cpu:.2f} s of CPU), {found}")
    return _memory()


def _clocks(began: float, busy: float) -> list[tuple[float, float]]:
    """Wall and processor clocks, each now and then."""
    return [(time.perf_counter(), began), (time.process_time(), busy)]


def _memory() -> None:
    print(f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20:.2f} GB")


def _size(study: Path, pattern: str) -> float:
    return sum(path.stat().st_size for path in study.glob(pattern)) / 1e9


def child(name: str, arguments: argparse.Namespace, outputs: Path) -> tuple[str, str]:
    """The measure in a process of its own: what it said, and its memory."""
    numbers = ["--models", str(arguments.models), "--rollouts", str(arguments.rollouts)]
    command = [sys.executable, __file__, *numbers, "--folder", str(outputs), "--measure", name]
    said, memory = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.strip().splitlines()
    return said, memory


def main() -> None:
    """Make the records, measure, and print; the rate comes last."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--models", type=int, default=40)
    parser.add_argument("--rollouts", type=int, default=21)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--measure", help=argparse.SUPPRESS)
    options_ = parser.parse_args()
    if options_.measure:
        return measured(options_.measure, options_.folder, options_)
    outputs = options_.folder or Path(tempfile.mkdtemp(prefix="gauge-records-"))
    try:
        for line in report(outputs, options_):
            print(line, flush=True)
    finally:
        if options_.folder is None:
            shutil.rmtree(outputs, ignore_errors=True)
    return None


def report(outputs: Path, arguments: argparse.Namespace) -> Iterator[str]:
    """All measures in turn, a line each."""
    crew, code, wanted = planned(outputs, arguments.models, arguments.rollouts)
    count = sum(want.size for want in wanted)
    if not (outputs / STUDY).is_dir():
        began = time.perf_counter()
        write(crew, code, wanted)
        size = _size(outputs / STUDY, "*/*.jsonl")
        yield f"written: {time.perf_counter() - began:.0f} s, {count:,} records, {size:.2f} GB"
        for name in ("summary", "resume", "plan"):
            yield _line(f"{name}, loose", *child(name, arguments, outputs))
        yield _line("compact --remove", *child("compact", arguments, outputs))
        new = [arguments.rollouts]
        more = [Want(one.lane, one.combination, dict.fromkeys(one.episodes, new)) for one in wanted]
        write(crew, code, more[::ADDED])
    for name in ("resume", "plan", "summary"):
        said, memory = child(name, arguments, outputs)
        yield _line(f"{name}, compacted and some loose", said, memory)
    yield f"rate {count / float(said.split()[0]):,.0f} records a second in a summary of everything"


def _line(name: str, said: str, memory: str) -> str:
    return f"{name + ':':<32} {said}; {memory} at most"


if __name__ == "__main__":
    main()
