"""Certificates of scenarios, made by `gauge.certify`: how they start, who solved them, and whether a shortcut does."""

import json
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, NamedTuple

from gauge.errors import GaugeError

TABLE = "certificates.json"  # beside the scenarios
WITNESSES = "witnesses"  # folder beside them
LEAST_SOLVED = 0.9  # share of the starts that the expert tried
MOST_REPLAYED = 0.1  # share of the other starts in which blind replay may reach the goal
MOST_BOTH = 0.1  # share of the expert's tries that may reach the sibling's goal besides their own
LEAST_PIXELS = 60  # of the target in the agent view of 256 x 256
SLACK = 1.1  # of the horizon over the mean (VLA-GAUGE: 1.1 x mean completion steps of human demonstrations)
# Nobody demonstrated these scenarios by hand. LIBERO's longest human demonstration over the expert's mean steps is
# 1.7, 2.2, 2.5, 2.3 and 3.0 in its five suites (docs/expert.md); this is the median.
HUMAN_RATIO = 2.35


class Share(NamedTuple):
    """Successes among tries."""

    successes: int
    n: int

    @property
    def rate(self) -> float:
        """NaN without tries."""
        return self.successes / self.n if self.n else math.nan

    def plus(self, more: "Share") -> "Share":
        """Both together."""
        return Share(self.successes + more.successes, self.n + more.n)


NO_TRY = Share(0, 0)


@dataclass(frozen=True, slots=True)
class Starts:
    """The predefined initial states.

    Attributes:
        seeds: that place fixtures and objects, of the draws that settled validly.
        hashes: of the settled states, exact to the bit on one machine.
        places: x, y of the target in the table's frame, m, by state; what is compared across machines.
        spread_mm: standard deviation of the target's x and y.
        region_mm: the same of a place drawn uniformly from where it may start; empty for what starts on no table.
        reach_m: distance of the target from the robot's base, least and most.
        pixels: fewest pixels of the target in the agent view of 256 x 256.
    """

    seeds: tuple[int, ...]
    hashes: tuple[str, ...]
    places: tuple[tuple[float, float], ...]
    spread_mm: tuple[float, float]
    region_mm: tuple[float, ...]
    reach_m: tuple[float, float]
    pixels: int


@dataclass(frozen=True, slots=True)
class Witness:
    """Actions that reach the goal.

    Attributes:
        state: initial state that they start in.
        step: control steps until the goal first holds.
        actions: file that holds them.
        end: hash of the state after ten more steps at rest; exact to the bit on one machine. Empty if unknown.
        rest_m: where the target is then in the world, x, y, z.
    """

    state: int
    step: int
    actions: str
    end: str = ""
    rest_m: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Certificate:
    """What is known of one scenario.

    Attributes:
        file: hash of its V-BDDL file.
        solution: 16 hex digits over layout and goal; scenarios that differ in their text alone share it.
        starts: its initial states.
        solved: in how many starts the expert reached the goal for good, and of how many.
        steps: its mean control steps.
        witness: none where the expert never did.
        replay: the witness played open loop in other starts.
        sibling: a sibling's witness played in starts of this scenario.
        expert, environment: who solved it, and on which simulator.
        both: in how many of the tries the sibling's goal was reached, too; its instruction is not needed for it then.
    """

    file: str
    solution: str
    starts: Starts
    solved: Share
    steps: float
    witness: Witness | None
    replay: Share
    sibling: Share
    expert: str
    environment: str
    both: Share = NO_TRY

    def faults(self) -> list[str]:
        """Why the scenario is not to be used; empty if it is."""
        found = []
        if self.witness is None:
            found.append(f"no witness: the expert reached the goal in none of {self.solved.n} starts")
        elif self.solved.rate < LEAST_SOLVED:
            found.append(f"the expert solves {self.solved.successes} of {self.solved.n} starts")
        for what, share in (("its witness", self.replay), ("its sibling's witness", self.sibling)):
            if share.n and share.rate > MOST_REPLAYED:
                found.append(f"{what}, played blindly, solves {share.successes} of {share.n} other starts")
        if self.both.n and self.both.rate > MOST_BOTH:
            met = f"{self.both.successes} of {self.both.n}"
            found.append(f"the expert reaches its sibling's goal besides this one in {met} tries")
        if self.starts.pixels < LEAST_PIXELS:
            found.append(f"the target has only {self.starts.pixels} pixels in the agent view")
        return found


def horizon(steps: float) -> int:
    """Control steps that a policy is given, from the expert's mean; the rule is the same in both splits."""
    return math.ceil(SLACK * HUMAN_RATIO * steps)


def read(folder: Path) -> dict[str, Certificate]:
    """Certificates by scenario's name; none where the folder has no table.

    Raises:
        GaugeError: it is no such table.
    """
    path = folder / TABLE
    if not path.is_file():
        return {}
    try:
        rows = json.loads(path.read_text(encoding="utf-8"))
        return {name: _certificate(row) for name, row in rows.items()}
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise GaugeError(f"{path} is not a table of certificates of this version ({error!r}); move it away") from error


def write(folder: Path, found: Mapping[str, Certificate]) -> None:
    """Write the table, sorted by name; it appears whole or not at all."""
    lines = [f"{json.dumps(name)}: {json.dumps(asdict(found[name]))}" for name in sorted(found)]
    temporary = folder / f".{TABLE}.new"
    temporary.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
    temporary.replace(folder / TABLE)


def _certificate(row: Mapping[str, Any]) -> Certificate:
    starts = {key: _tupled(value) for key, value in row["starts"].items()}
    shares = {key: Share(*row.get(key, NO_TRY)) for key in ("solved", "replay", "sibling", "both")}
    witness = None if row["witness"] is None else Witness(**{k: _tupled(value) for k, value in row["witness"].items()})
    return Certificate(**{**row, "starts": Starts(**starts), "witness": witness, **shares})


def _tupled(value: Any) -> Any:
    return tuple(map(_tupled, value)) if isinstance(value, list) else value
