"""Jobs for worker processes that behave badly in a known way."""

import os
import time
from dataclasses import dataclass
from pathlib import Path

from gauge.errors import GaugeError, SceneError


@dataclass(frozen=True)
class Echo:
    number: int

    def run(self, stage):
        return self.number, os.getpid()


@dataclass(frozen=True)
class Dies:
    """Kills its process as often as `times` says, then answers."""

    marks: Path
    times: int

    def run(self, stage):
        tries = len(list(self.marks.iterdir()))
        if tries < self.times:
            (self.marks / str(tries)).touch()
            os.kill(os.getpid(), 9)
        return tries


@dataclass(frozen=True)
class Sleeps:
    seconds: float

    def run(self, stage):
        time.sleep(self.seconds)


@dataclass(frozen=True)
class Faulty:
    def run(self, stage):
        raise GaugeError("the set-up is broken")


@dataclass(frozen=True)
class Invalid:
    def run(self, stage):
        raise SceneError("no valid state")
