"""Twenty cells on a real Slurm: one cancelled, one killed, one requeued, one over its time limit; nothing is lost."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

pytestmark = [pytest.mark.slurm, pytest.mark.sim]
CANCELLED, KILLED, REQUEUED, LATE = 3, 5, 7, 9
CELLS, ROLLOUTS = 20, 6
EPISODES = ["model=random", "suite=libero_goal", "suite.tasks=[0]", "suite.horizon=200", f"rollouts={ROLLOUTS}"]
HOW = ["workers=0", "video=off", "progress=off"]
CLUSTER = [
    "cluster=slurm",
    "cluster.cpus_per_task=1",
    "cluster.mem_gb=3",
    "cluster.timeout_min=2",
    "cluster.array_parallelism=2",
    "+cluster.slurm.signal_delay_s=60",
]
KEEP = ("cell_id", "scenario_id", "rollout", "seed", "status", "start_hash", "steps")


class Lab:
    """A person at the cluster's login node."""

    def __init__(self, environment, outputs):
        self.environment, self.outputs = {**environment, "GAUGE_OUTPUTS": str(outputs)}, outputs

    def type(self, *words, timeout=900):
        """A command; its exit code and what it printed."""
        done = subprocess.run(words, env=self.environment, capture_output=True, text=True, timeout=timeout)
        return done.returncode, done.stdout + done.stderr

    def gauge(self, verb, *arguments):
        return self.type(sys.executable, "-m", f"gauge.{verb}", *arguments)

    def status(self):
        """The jobs of the newest sweep by number."""
        code, out = self.gauge("status", str(self.outputs), "--json")
        jobs = json.loads(out.splitlines()[-1])["jobs"]
        assert code == (0 if all(job["state"] == "done" for job in jobs) else 3)
        return {job["number"]: job for job in jobs}

    def records(self, folder=None):
        paths = self.outputs.glob("*/*/episodes-*.jsonl") if folder is None else folder.glob("episodes-*.jsonl")
        return [json.loads(line) for path in paths for line in path.read_text().splitlines() if line.endswith("}")]

    def process_of(self, job):
        """The process id of the running job's Python; None if it has none yet."""
        _, out = self.type("pgrep", "-f", f"submitit.core._submit {self.outputs}.*")
        array, task = job["id"].split("_")
        marks = {f"SLURM_ARRAY_JOB_ID={array}", f"SLURM_ARRAY_TASK_ID={task}"}
        for process in (Path("/proc") / pid for pid in out.split()):
            try:
                words = (process / "environ").read_text().split("\0")
                if marks <= set(words) and (process / "comm").read_text().startswith("python"):
                    return int(process.name)
            except OSError:
                continue  # it has just ended
        return None


def until(condition, timeout_s, every_s=0.2):
    end = time.monotonic() + timeout_s
    while time.monotonic() < end:
        if (found := condition()) not in (None, False):
            return found
        time.sleep(every_s)
    raise AssertionError(f"not within {timeout_s} s")


@contextmanager
def stopped(process, for_s):
    """A process that stands still for that long, unless Slurm's own SIGCONT ends it before; it never stays behind."""
    os.kill(process, signal.SIGSTOP)
    end = time.monotonic() + for_s
    try:
        yield
        while Path(f"/proc/{process}").exists() and time.monotonic() < end:
            time.sleep(1.0)
    finally:
        with suppress(ProcessLookupError):
            os.kill(process, signal.SIGCONT)


def test_every_episode_is_there_exactly_once_whatever_happened_to_its_job(slurm, tmp_path):
    lab = Lab(slurm, tmp_path)
    seeds = ",".join(map(str, range(CELLS)))
    code, out = lab.gauge("run", "-m", *EPISODES, *HOW, f"seed={seeds}", *CLUSTER, "cluster.detach=true")
    assert code == 0, out
    assert f"{CELLS} jobs submitted" in out
    jobs = lab.status()
    assert len(jobs) == CELLS
    folders = {number: Path(job["folder"]) for number, job in jobs.items()}

    def begun(number):
        """The process of a job that has stored some but not all of its episodes."""
        stored = len(lab.records(folders[number]))
        assert stored < ROLLOUTS, f"job {number} was too fast to be disturbed"
        return lab.process_of(jobs[number]) if stored else None

    lab.type("scancel", jobs[CANCELLED]["id"])
    os.kill(until(lambda: begun(KILLED), 300), signal.SIGKILL)
    until(lambda: begun(REQUEUED), 300)
    code, out = lab.type("scontrol", "requeue", jobs[REQUEUED]["id"])
    assert code == 0, out
    late = until(lambda: begun(LATE), 300)
    with stopped(late, 75):  # Slurm sends its warning meanwhile, which the job reads when it goes on
        seen = lab.status()
        assert seen[LATE]["state"] == "running"
        assert seen[CANCELLED]["state"] == "failed"
        assert seen[CANCELLED]["why"] in ("cancelled", "cancelled before it started")  # busy machines start it first
        assert seen[KILLED]["state"] == "failed"

    code, out = lab.gauge("collect", str(tmp_path), "--wait")
    assert code == 3
    assert f"2 of {CELLS} jobs failed" in out
    jobs = lab.status()
    states = Counter(job["state"] for job in jobs.values())
    assert states == {"done": CELLS - 2, "failed": 2}, jobs
    assert jobs[KILLED]["why"] == "killed by signal 9"
    log = (folders[LATE].parent / "sweeps").glob(f"*/submitit/{jobs[LATE]['id']}_*_log.out")
    assert any("requeued" in path.read_text().lower() for path in log)

    code, out = lab.gauge("run", "-m", *EPISODES, *HOW, f"seed={CANCELLED},{KILLED}", *CLUSTER)
    assert code == 0, out
    stored = lab.records()
    assert Counter(record["status"] for record in stored) == {"fail": CELLS * ROLLOUTS}
    assert len({(record["cell_id"], record["rollout"]) for record in stored}) == CELLS * ROLLOUTS

    calm = Lab(slurm, tmp_path / "calm")
    code, out = calm.gauge("run", *EPISODES, *HOW, f"seed={KILLED}")
    assert code == 0, out
    essence = [[tuple(record[key] for key in KEEP) for record in some] for some in (stored, calm.records())]
    assert set(essence[1]) <= set(essence[0])


def test_several_cells_of_one_job_are_told_apart(slurm, tmp_path):
    lab = Lab(slurm, tmp_path)
    drawn = ["model=synthetic", "suite=libero_goal", "rollouts=2", "progress=off"]
    packs = ["seed=0,1,2,3,4,5,6", *CLUSTER, "cluster.cells_per_job=3"]
    code, out = lab.gauge("run", "-m", *drawn, *packs)
    assert code == 0, out
    assert out.count("/20  ") >= 7, out
    jobs = lab.status()
    assert len(jobs) == 7
    assert len({job["id"] for job in jobs.values()}) == 3
    assert {job["state"] for job in jobs.values()} == {"done"}


def test_a_job_starts_and_stops_the_server_of_its_model(slurm, tmp_path):
    lab = Lab(slurm, tmp_path)
    served = ["model=remote", "model.name=served", "model.cameras=[]", "model.state=none", "model.executed=10"]
    mark = "gauge.serve model=random model.executed=10 port="
    how = [f'model.serve="{sys.executable} -m {mark}{{port}}"', "cluster.serve=true", *HOW]
    short = ["suite=libero_goal", "suite.tasks=[0]", "suite.horizon=20", "rollouts=2"]
    code, out = lab.gauge("run", *served, *short, *how, *CLUSTER)
    assert code == 0, out
    assert {record["model_identity"] for record in lab.records()} == {"random/1"}
    assert len(lab.records()) == 2
    until(lambda: lab.type("pgrep", "-f", mark)[0] == 1, 30)


@pytest.mark.slow
@pytest.mark.timeout(5400)
def test_twenty_random_disturbances_leave_no_trace(slurm, tmp_path):
    rng, lab, seeds = random.Random(3), Lab(slurm, tmp_path / "torn"), "seed=0,1,2,3,4,5,6,7"
    typed = ["-m", *EPISODES, *HOW, seeds, *CLUSTER, "cluster.timeout_min=20"]
    done = Counter()

    def live():
        """The processes of running jobs that have begun; submits what is missing when nothing goes on any more."""
        jobs = lab.status()
        if all(job["state"] in ("done", "failed") for job in jobs.values()):
            assert any(job["state"] == "failed" for job in jobs.values()), f"too fast to be disturbed: {done}"
            assert lab.gauge("run", *typed, "cluster.detach=true")[0] == 0
            return None
        running = [job for job in jobs.values() if job["state"] == "running"]
        return [(job, pid) for job in running if (pid := lab.process_of(job))] or None

    assert lab.gauge("run", *typed, "cluster.detach=true")[0] == 0
    while sum(done.values()) < 20:
        job, pid = rng.choice(until(live, 300))
        time.sleep(rng.uniform(0, 8))
        how = rng.choice(["SIGKILL", "SIGTERM", "requeue"])
        if how == "requeue":
            done[how] += lab.type("scontrol", "requeue", job["id"])[0] == 0
            continue
        with suppress(ProcessLookupError):  # it was quicker
            os.kill(pid, signal.Signals[how])
            done[how] += 1
    until(lambda: all(job["state"] in ("done", "failed") for job in lab.status().values()), 1200, 2.0)
    code, out = lab.gauge("run", *typed)
    assert code == 0, out
    assert min(done.values()) >= 3, done

    calm = Lab(slurm, tmp_path / "calm")
    code, out = calm.gauge("run", "-m", *EPISODES, *HOW, seeds)
    assert code == 0, out
    torn, whole = (sorted(tuple(one[key] for key in KEEP) for one in some.records()) for some in (lab, calm))
    assert torn == whole
