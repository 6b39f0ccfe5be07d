"""`check`: builds every object anew, compares its hash, drops it and pinches it; what is done is not done again."""

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from gauge.errors import GaugeError
from gauge.objects.crew import spread, watched
from gauge.objects.entry import Entry
from gauge.objects.generate import generate
from gauge.objects.measure import digest
from gauge.objects.ready import numbered, ready
from gauge.objects.trial import TRIAL_VERSION, Result, stands, trial

DONE = "check.jsonl"
TIMEOUT_S = 60.0


@dataclass(frozen=True, slots=True)
class Job:
    """One object to check, and where its files are."""

    entry: Entry
    cache: Path
    folders: tuple[Path, ...]

    @property
    def key(self) -> str:
        """Changes with the object's files, with how it stands and is held, and with the tests."""
        entry = self.entry
        how = f"{entry.upright} {entry.grasp} {entry.articulated} {TRIAL_VERSION}"
        return f"{entry.id} {entry.digest} {hashlib.sha256(how.encode()).hexdigest()[:8]}"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What came out for one object; `reason` is empty if it passed."""

    id: str
    category: str
    reason: str
    result: Result | None


def check(entries: Sequence[Entry], cache: Path, folders: Sequence[Path], processes: int) -> list[Verdict]:
    """The verdicts, those of an earlier, interrupted run included.

    Args:
        entries: what to check.
        cache: folder for the list of what is done.
        folders: imported folders.
        processes: how many work at once.
    """
    cache.mkdir(parents=True, exist_ok=True)
    jobs = [Job(entry, cache, tuple(folders)) for entry in entries]
    known = _known(cache / DONE)
    verdicts = [known[job.key] for job in jobs if job.key in known]
    left = [job for job in jobs if job.key not in known]
    if left:
        verdicts += _run(left, len(verdicts), cache / DONE, processes)
    order = {entry.id: place for place, entry in enumerate(entries)}
    return sorted(verdicts, key=lambda verdict: order[verdict.id])


def _run(left: Sequence[Job], done: int, path: Path, processes: int) -> Iterator[Verdict]:
    results = watched("checked", spread(one, left, processes, TIMEOUT_S), len(left) + done, done)
    with path.open("a", encoding="utf-8") as file:
        for job, found in results:
            result = Result(found) if isinstance(found, str) else found
            verdict = Verdict(job.entry.id, job.entry.category, result.reason, result)
            file.write(json.dumps({"key": job.key, "category": job.entry.category, **result.row()}) + "\n")
            file.flush()
            yield verdict


def one(job: Job) -> Result:
    """Check one object; what is built for that is not kept."""
    entry = job.entry
    with TemporaryDirectory(dir=job.cache, prefix=".checking-") as scratch:
        try:
            model = _files(job, Path(scratch))
        except GaugeError as error:
            return Result(str(error))
        if entry.articulated:
            return stands(model, entry.upright)
        return trial(model, entry.upright, entry.grasp)


def _files(job: Job, scratch: Path) -> Path:
    """The model's files: a generated object is built anew, so that what is checked is what the code makes now."""
    entry = job.entry
    if entry.source != "generator":
        model = ready(entry.id, job.cache, job.folders).model
        found = digest(model)
        if found != entry.digest:
            raise GaugeError(f"stale: its files changed since they were measured (now {found}, then {entry.digest})")
        return model
    built = generate(*numbered(entry.id)).built
    if built.digest != entry.digest:
        raise GaugeError(f"stale: it is not what was measured (now {built.digest}, then {entry.digest})")
    return built.write(scratch)


def _known(path: Path) -> dict[str, Verdict]:
    """Verdicts by key; a line cut off by a crash is passed over, faults are tried again."""
    found = {}
    for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else ():
        try:
            raw = json.loads(line)
            key, category = raw.pop("key"), raw.pop("category")
            result = Result(**raw)
        except (ValueError, KeyError, TypeError):
            continue
        if not result.reason:
            found[key] = Verdict(key.split()[0], category, "", result)
    return found
