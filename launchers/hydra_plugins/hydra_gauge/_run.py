"""Hydra's `run_job` for a config that is the job's own: its copies of the config are half of what a job costs."""

import os
from pathlib import Path

from hydra import version
from hydra.core.hydra_config import HydraConfig
from hydra.core.utils import (
    JobReturn,
    JobRuntime,
    JobStatus,
    _flush_loggers,
    _save_config,
    configure_log,
    env_override,
)
from hydra.types import HydraContext, TaskFunction
from omegaconf import DictConfig, OmegaConf, open_dict, read_write


def run(config: DictConfig, own: DictConfig, task: TaskFunction, context: HydraContext) -> JobReturn:
    """Run `task` in the job's folder, with the job's log; what it raises is a failed result.

    Args:
        config: the job's config with Hydra's node.
        own: a copy of it, which becomes the task's, without Hydra's node.
        task: what to do.
        context: Hydra's callbacks.
    """
    before, cwd = HydraConfig.instance().cfg, Path.cwd()
    HydraConfig.instance().cfg = config  # as `${hydra:...}` needs it; Hydra puts a copy there, twice
    node = config.hydra
    folder = Path(str(node.sweep.dir), str(node.sweep.subdir)).absolute()
    with read_write(node), open_dict(node):
        node.runtime.output_dir = str(folder)
    OmegaConf.set_readonly(node, True)
    with read_write(own), open_dict(own):
        del own["hydra"]
    overrides = [str(part) for part in node.overrides.task]
    result = JobReturn(overrides=overrides, cfg=own, hydra_cfg=OmegaConf.masked_copy(config, "hydra"))
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if node.job.chdir or (node.job.chdir is None and not version.base_at_least("1.2")):
            os.chdir(folder)
        result.working_dir = str(Path.cwd())
        configure_log(node.job_logging, node.verbose)
        if node.output_subdir is not None:
            parts = {"config": own, "hydra": result.hydra_cfg, "overrides": node.overrides.task}
            for name, part in parts.items():
                _save_config(part, f"{name}.yaml", folder / str(node.output_subdir))
        with env_override(node.job.env_set):
            context.callbacks.on_job_start(config=config, task_function=task)
            try:
                result.return_value, result.status = task(own), JobStatus.COMPLETED
            except Exception as error:
                result.return_value, result.status = error, JobStatus.FAILED
        result.task_name = JobRuntime.instance().get("name")
        _flush_loggers()
        context.callbacks.on_job_end(config=config, job_return=result)
        return result
    finally:
        HydraConfig.instance().cfg = before
        os.chdir(cwd)
