"""Gauge's Hydra plugins: a sweeper for `value=range`, a launcher for debug, local and Slurm, the config path.

Every Hydra app in the environment imports these modules, so they import nothing heavy at their top.
"""
