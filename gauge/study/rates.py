"""What an episode of a model takes, by its parts: from episodes that were run on this machine, or as given."""

import json
import math
import os
import platform
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pandas as pd
from omegaconf import DictConfig

from gauge.config import build
from gauge.records.load import Catalogue
from gauge.records.store import CELL_FILE
from gauge.study.lanes import Lane
from gauge.suites import horizon

RATES = ("job", "compile", "episode", "physics", "render", "policy")
MOST_CELLS = 60  # that are looked at


def _part(name: str) -> str:
    return f"coalesce(CAST(wall_s ->> '$.{name}' AS DOUBLE), 0)"


# The median start: the first one of a process, and of a new machine by far, waits for imports.
_SUMS = f"""
SELECT count(*) AS episodes, sum(steps) AS steps, sum(policy_calls) AS calls, sum(frames) AS images,
    count(wall_s ->> '$.compile') AS compiled, count(wall_s ->> '$.load') AS loaded,
    count(*) * median({_part("start")} + {_part("settle")}) AS episode_s,
    {", ".join(f"sum({_part(part)}) AS {part}_s" for part in ("load", "compile", "physics", "render", "policy"))}
FROM episodes WHERE status <> 'error' AND length(wall_s) > 2 AND fingerprint ->> '$.host' = ?
"""


@dataclass(frozen=True)
class Speed:
    """What an episode of a model takes.

    Attributes:
        steps, calls, images: control steps, policy calls, rendered images; upper bounds where `episodes` is 0.
        episodes: how many stored ones of the model were averaged.
        job: seconds of one worker until a job's first scene.
        compile: per compiled scene.
        episode, physics, render, policy: per start and settling, control step, image, policy call.
        drawn: nothing is simulated, the model is synthetic.

    A rate is None where it was neither measured nor given.
    """

    steps: float
    calls: float
    images: float
    episodes: int = 0
    job: float | None = None
    compile: float | None = None
    episode: float | None = None
    physics: float | None = None
    render: float | None = None
    policy: float | None = None
    drawn: bool = False

    @property
    def parts(self) -> dict[str, float]:
        """Seconds of an episode by part, as far as known; scenes are compiled."""
        amounts = {"episode": 1.0, "physics": self.steps, "render": self.images, "policy": self.calls}
        return {name: amount * (getattr(self, name) or 0.0) for name, amount in amounts.items()}

    @property
    def unknown(self) -> list[str]:
        """The parts that an episode has and whose rate is not known."""
        amounts = {"episode": 1.0, "physics": self.steps, "render": self.images, "policy": self.calls}
        return [] if self.drawn else [name for name in amounts if amounts[name] and getattr(self, name) is None]

    @property
    def seconds(self) -> float | None:
        """Of one worker, scenes compiled; None if a rate is not known."""
        return None if self.unknown else sum(self.parts.values())

    @property
    def source(self) -> str:
        """A sentence or two on where the numbers come from and what most of the time goes into."""
        if self.drawn:
            return "synthetic: nothing is simulated, episodes are drawn"
        most = "" if self.episodes else "at most "
        each = f"{most}{self.steps:.0f} steps, {self.calls:.0f} policy calls, {self.images:.0f} images per episode"
        whence = (
            f"the mean of {self.episodes} stored episodes of this machine" if self.episodes else "by its declaration"
        )
        if self.unknown:
            return f"{each}, {whence}; no rate is known for {', '.join(self.unknown)}, so no hours"
        total = self.seconds or 1e-9
        shares = sorted(self.parts.items(), key=lambda part: -part[1])
        told = ", ".join(f"{name} {seconds / total:.0%}" for name, seconds in shares if seconds)
        return f"{each}, {whence}; {total:.2f} s of one worker: {told}; it is {shares[0][0]}-bound"


def speed(outputs: Path, lanes: Sequence[Lane], given: DictConfig, start_s: float) -> Speed:
    """What an episode of the lanes' one model takes.

    Steps, calls and images are means of its stored episodes, else its declaration's bound. A rate is the given one,
    else from its own episodes, else, but for the policy's, from those of any model.

    Args:
        outputs: folder of all studies; episodes of any of them count.
        lanes: of the model.
        given: see `conf/rates`.
        start_s: what a job takes until it loads its policy.
    """
    if lanes[0].cfg.model.kind == "synthetic":
        return Speed(0, 0, 0, job=start_s, compile=0.0, drawn=True)
    own = measured(outputs, str(lanes[0].clean.model["name"]), start_s)
    others = measured(outputs, None, start_s) if own is None or own.render is None or own.compile is None else None
    found = own or _declared(lanes)
    if others is not None:
        found = _filled(found, {name: getattr(others, name) for name in ("compile", "episode", "physics", "render")})
    typed = {name: float(given[name]) for name in RATES if given[name] is not None}
    dropped: dict[str, Any] = dict.fromkeys(typed)
    return _filled(replace(found, **dropped), {"job": start_s, **typed})


def _filled(found: Speed, rates: Mapping[str, float | None]) -> Speed:
    """With these rates where it has none."""
    missing: dict[str, Any] = {name: value for name, value in rates.items() if getattr(found, name) is None}
    return replace(found, **missing)


def _declared(lanes: Sequence[Lane]) -> Speed:
    policy = build.make_policy(lanes[0].cfg)
    try:
        spec = policy.spec
    finally:
        policy.close()
    steps = max(horizon.of(task, lane.cfg.suite.horizon) for lane in lanes for task in lane.tasks.values())
    calls = math.ceil(steps / spec.executed)
    return Speed(steps, calls, calls * len(spec.cameras))


def measured(outputs: Path, model: str | None, start_s: float = 0.0) -> Speed | None:
    """What a sample of the evaluated episodes of that model, or any, took on this machine."""
    cells = [path.parent for path in sorted(outputs.glob(f"*/*/{CELL_FILE}")) if _is_of(path, model)]
    cells = cells[:: max(1, len(cells) // MOST_CELLS)]
    columns = ("steps", "policy_calls", "frames", "wall_s", "fingerprint")
    sums = [con.execute(_SUMS, [platform.node()]).df() for con in Catalogue.among(cells).tables(columns)]
    total = pd.concat(sums).sum() if sums else pd.Series({"episodes": 0})
    count = int(total.episodes)
    if not count:
        return None
    unseen = 0.0 if total.images else total.render_s  # what a policy without cameras looks at belongs to its calls
    return Speed(
        steps=total.steps / count,
        calls=total.calls / count,
        images=total.images / count,
        episodes=count,
        job=start_s + total.load_s / max(total.loaded, 1),
        compile=total.compile_s / total.compiled if total.compiled else None,
        episode=total.episode_s / count,
        physics=total.physics_s / max(total.steps, 1),
        render=total.render_s / total.images if total.images else None,
        policy=(total.policy_s + unseen) / max(total.calls, 1),
    )


def _is_of(path: Path, model: str | None) -> bool:
    """Whether a `cell.json` is of that model; of any without a name."""
    try:
        name = json.loads(path.read_text(encoding="utf-8"))["model"]["name"]
    except (OSError, ValueError, KeyError, TypeError):
        return False
    return model is None or name == model


def own_start() -> float:
    """Seconds since this process started: a job, too, starts Python, imports and composes; 0 where nobody can tell."""
    try:
        ticks = float(Path("/proc/self/stat").read_text().rpartition(")")[2].split()[19])
        return time.clock_gettime(time.CLOCK_BOOTTIME) - ticks / os.sysconf("SC_CLK_TCK")
    except (OSError, ValueError, AttributeError):
        return 0.0
