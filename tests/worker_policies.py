"""Policies that misbehave in a worker process of their own; importable there by name."""

import os
import time

import numpy as np

from gauge.core.policy import PolicySpec


class Quiet:
    """Rests, and asks for no picture, so that episodes are quick."""

    identity = "quiet/1"
    spec = PolicySpec(cameras=(), state="none", chunk=5, executed=5)

    def reset(self, instruction, rng):
        self.rng = rng

    def act(self, observation):
        return self.rng.uniform(-0.2, 0.2, (5, 7))

    def close(self):
        pass


class DiesOnce(Quiet):
    """Kills its process in the first episode that finds no mark."""

    def act(self, observation):
        mark = os.environ["GAUGE_TEST_MARK"]
        if not os.path.exists(mark):  # noqa: PTH110
            open(mark, "w").close()  # noqa: PTH123
            os._exit(9)
        return super().act(observation)


class AlwaysDies(Quiet):
    def act(self, observation):
        os._exit(9)


class Stalls(Quiet):
    def act(self, observation):
        time.sleep(3600)


class CannotBeBuilt(Quiet):
    def __init__(self):
        raise RuntimeError("no such checkpoint")


class Dark(Quiet):
    """Looks, to exercise the renderer."""

    spec = PolicySpec(image_size=(64, 64), chunk=5, executed=5)

    def act(self, observation):
        assert all(isinstance(image, np.ndarray) for image in observation.images.values())
        return super().act(observation)


class Pids(Quiet):
    """Says in which process it lives."""

    @property
    def identity(self):
        return f"pid/{os.getpid()}"
