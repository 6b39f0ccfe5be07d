"""Where jobs run: this process, processes of this machine, a Slurm job array. Each yields results as they end."""

import shutil
import time
from collections import deque
from collections.abc import Generator, Sequence
from typing import Any

from hydra.core.utils import JobReturn
from hydra_plugins.hydra_gauge._job import Job, Pack

from gauge.errors import GaugeError, IncompleteError, unknown
from gauge.jobs.ledger import Ledger

Results = Generator[tuple[Job, JobReturn], None, None]
LOCAL_POLL_S, SLURM_POLL_S, CANCEL_WAIT_S = 0.2, 1.0, 10.0
MOST_ARRAY = 1000  # Slurm's default MaxArraySize is 1001
KINDS = ("debug", "local", "slurm")


def run(jobs: Sequence[Job], cluster: dict[str, Any], ledger: Ledger) -> Results:
    """Run the jobs on a cluster; closing the iterator stops those that have not ended.

    Raises:
        GaugeError: the cluster is unknown or not usable from this machine.
    """
    if cluster["kind"] == "debug":
        return _debug(jobs, ledger)
    if cluster["kind"] == "local":
        return _local(jobs, cluster, ledger)
    if cluster["kind"] == "slurm":
        return _slurm(jobs, cluster, ledger)
    raise unknown("cluster.kind", cluster["kind"], list(KINDS))


def parameters(cluster: dict[str, Any]) -> dict[str, Any]:
    """What submitit's AutoExecutor is told; None leaves the cluster's own default."""
    shared = {"name": "gauge", "timeout_min": cluster.get("timeout_min", 60 * 24 * 365), "stderr_to_stdout": True}
    if cluster["kind"] == "local":
        return {**shared, "gpus_per_node": cluster.get("gpus", 0)}
    special = {f"slurm_{key}": value for key, value in cluster["slurm"].items()}
    return {
        **shared,
        "nodes": 1,
        "tasks_per_node": 1,
        "mem_gb": cluster["mem_gb"],
        "cpus_per_task": cluster["cpus_per_task"],
        "gpus_per_node": cluster["gpus"] or None,
        "slurm_partition": cluster["partition"],
        "slurm_account": cluster["account"],
        "slurm_qos": cluster["qos"],
        "slurm_array_parallelism": cluster["array_parallelism"],
        "slurm_setup": cluster["setup"] or None,
        **special,
    }


def _debug(jobs: Sequence[Job], ledger: Ledger) -> Results:
    for job in jobs:
        ledger.submitted({job.number: ("here", str(job.folder / "log.txt"))})
        yield job, job.here()
    ledger.write()


def _local(jobs: Sequence[Job], cluster: dict[str, Any], ledger: Ledger) -> Results:
    """At most `cluster.parallel` at the same time; submitit itself would start all of them at once."""
    executor = _executor(cluster, ledger)
    waiting, running = deque(packed(jobs, 1)), dict[int, tuple[Pack, Any]]()
    try:
        while waiting or running:
            while waiting and len(running) < cluster.get("parallel", 1):
                pack = waiting.popleft()
                [job] = pack.jobs
                try:
                    handle = executor.submit(pack)
                except Exception as error:
                    yield job, job.failed(error)
                    continue
                running[job.number] = (pack, handle)
                ledger.submitted({job.number: _id_and_log(handle)})
            for pack, handle in [pair for pair in running.values() if pair[1].done()]:
                [job] = pack.jobs
                del running[job.number]
                if handle.paths.result_pickle.exists():
                    yield job, _results(pack, handle)[0]
                else:
                    yield job, job.failed(_lost(handle))
            time.sleep(LOCAL_POLL_S)
    finally:
        ledger.write()
        _cancel([handle for _, handle in running.values()])


def _slurm(jobs: Sequence[Job], cluster: dict[str, Any], ledger: Ledger) -> Results:
    if shutil.which("sbatch") is None or shutil.which("srun") is None:
        raise GaugeError("cluster=slurm needs Slurm's commands on this machine; type cluster=local or cluster=debug")
    from submitit.core.utils import FailedJobError

    executor, packs = _executor(cluster, ledger), packed(jobs, cluster["cells_per_job"])
    try:
        with executor.batch():
            handles = [executor.submit(pack) for pack in packs]
    except FailedJobError as error:
        raise GaugeError(f"sbatch refuses the jobs: {_last_line(error)}") from error
    pairs = list(zip(packs, handles, strict=True))
    ledger.submitted({job.number: _id_and_log(handle) for pack, handle in pairs for job in pack.jobs})
    if cluster["detach"]:
        return
    pending = dict(enumerate(pairs))
    try:
        while pending:
            for index, (pack, handle) in list(pending.items()):
                if handle.done():
                    del pending[index]
                    yield from zip(pack.jobs, _results(pack, handle), strict=True)
            time.sleep(SLURM_POLL_S)
    except KeyboardInterrupt:
        raise KeyboardInterrupt(
            f"interrupted; {len(pending)} Slurm jobs go on, scancel stops them; python -m gauge.status "
            f"{ledger.path.parent} shows them, python -m gauge.collect {ledger.path.parent} --wait makes the table"
        ) from None
    except GeneratorExit:
        _cancel([handle for _, handle in pending.values()])
        raise


def packed(jobs: Sequence[Job], cells_per_job: int | None) -> list[Pack]:
    """The jobs in packs of that many; None packs only what one array could not hold."""
    size = cells_per_job or -(-len(jobs) // MOST_ARRAY)
    return [Pack(tuple(jobs[start : start + size])) for start in range(0, len(jobs), size)]


def _executor(cluster: dict[str, Any], ledger: Ledger) -> Any:
    """Submitit's executor, imported only when something is submitted."""
    from submitit import AutoExecutor

    retries = {"slurm_max_num_timeout": cluster["requeues"]} if cluster["kind"] == "slurm" else {}
    executor = AutoExecutor(folder=ledger.path.parent / "submitit", cluster=cluster["kind"], **retries)
    try:
        executor.update_parameters(**parameters(cluster))
    except (NameError, ValueError, AssertionError) as error:
        raise GaugeError(f"submitit refuses the settings of cluster={cluster['kind']}: {error}") from error
    return executor


def _id_and_log(handle: Any) -> tuple[str, str]:
    return str(handle.job_id), str(handle.paths.stdout)


def _results(pack: Pack, handle: Any) -> list[JobReturn]:
    """The jobs' own results; whatever goes wrong on the way to them is a failure of this pack alone."""
    try:
        found: list[JobReturn] = handle.result()
    except Exception as error:
        return [job.failed(_lost(handle, error)) for job in pack.jobs]
    return found


def _lost(handle: Any, error: Exception | None = None) -> IncompleteError:
    why = _last_line(error) if error is not None else "killed or out of memory"
    return IncompleteError(f"job {handle.job_id} ended without a result ({why}); its output: {handle.paths.stdout}")


def _last_line(error: Exception) -> str:
    """The last line of what failed; submitit puts hints and paths around it."""
    lines = [line.strip() for line in str(error).splitlines()]
    told = [line for line in lines if line and not line.startswith(("---", "- ", "You can check"))]
    return (told or [type(error).__name__])[-1]


def _cancel(handles: Sequence[Any]) -> None:
    """Stop jobs, and give them the time to end."""
    for handle in handles:
        handle.cancel(check=False)
    limit = time.monotonic() + CANCEL_WAIT_S
    while time.monotonic() < limit and not all(handle.done() for handle in handles):
        time.sleep(LOCAL_POLL_S)
