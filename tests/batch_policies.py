"""Policies that answer several episodes at once; importable by name in a process of their own."""

import os
import time
from pathlib import Path

import numpy as np

from gauge.core.policy import BatchPolicy, PolicySpec


class SmallNet(BatchPolicy):
    """A small network on both images and the state, with noise and a memory of its own per episode.

    Each row is computed by itself, so that its last bits do not depend on who else is in the batch.
    """

    identity = "smallnet/1"
    spec = PolicySpec(image_size=(64, 64), chunk=5, executed=5)

    def __init__(self, seconds=0.0):
        rng = np.random.default_rng(7)
        self.seconds = seconds
        self.patches = rng.normal(0, 0.05, (8 * 8 * 3, 32))
        self.hidden = rng.normal(0, 0.02, (2 * 64 * 32 + 8 + 16, 64))
        self.head = rng.normal(0, 0.1, (64, 5 * 7))
        self.remember = rng.normal(0, 0.1, (64, 16))

    def begin(self, instruction, rng):
        return {"rng": rng, "memory": np.full(16, len(instruction) / 100)}

    def act_batch(self, states, observations):
        time.sleep(self.seconds)
        return [self._row(state, observation) for state, observation in zip(states, observations, strict=True)]

    def _row(self, state, observation):
        views = [self._features(observation.images[camera]) for camera in self.spec.cameras]
        hidden = np.tanh(np.concatenate([*views, observation.state, state["memory"]]) @ self.hidden)
        state["memory"] = np.tanh(hidden @ self.remember)
        noise = state["rng"].normal(0, 0.1, (5, 7))
        return np.tanh((hidden @ self.head).reshape(5, 7) + noise)

    def _features(self, image):
        patches = image.reshape(8, 8, 8, 8, 3).swapaxes(1, 2).reshape(64, -1) / 255.0
        return np.maximum(patches @ self.patches, 0).ravel()


class BlindBatch(BatchPolicy):
    """Rests, without looking, so that episodes are quick."""

    identity = "blind/1"
    spec = PolicySpec(cameras=(), state="none", chunk=5, executed=5)

    def begin(self, instruction, rng):
        return rng

    def act_batch(self, states, observations):
        return [rng.uniform(-0.2, 0.2, (5, 7)) for rng in states]


class Slow(BlindBatch):
    """Needs a while for every call, however many episodes it answers, as a large network does."""

    def act_batch(self, states, observations):
        time.sleep(0.8)
        return super().act_batch(states, observations)


def first_time():
    """Whether nobody asked before, in any process."""
    mark = Path(os.environ["GAUGE_TEST_MARK"])
    if mark.exists():
        return False
    mark.touch()
    return True


class HostDiesOnce(BlindBatch):
    def act_batch(self, states, observations):
        if first_time():
            os._exit(7)
        return super().act_batch(states, observations)


class HostAlwaysDies(BlindBatch):
    def act_batch(self, states, observations):
        os._exit(7)


class HostStallsOnce(BlindBatch):
    def act_batch(self, states, observations):
        if first_time():
            time.sleep(3600)
        return super().act_batch(states, observations)


class HostCannotStart(BlindBatch):
    def __init__(self):
        raise RuntimeError("no such checkpoint")


class HostNeverStarts(BlindBatch):
    def __init__(self):
        time.sleep(3600)


class HostDiesAtStart(BlindBatch):
    def __init__(self):
        os._exit(5)
