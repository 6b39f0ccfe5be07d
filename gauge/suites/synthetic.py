"""`suite=synthetic`: the paper's 270 scenarios as names only, for synthetic models; there are no scenes."""

from dataclasses import dataclass
from functools import cache

from gauge.suites.libero import Suite, Task

NAME = "synthetic"
STATES = 10_000  # nothing is placed, so every rollout is another start


@dataclass(frozen=True, slots=True)
class SyntheticTask(Task):
    """A scenario that is nothing but its name, capability and split (id or ood)."""

    capability: str = ""
    split: str = "id"

    def problems(self) -> list[str]:
        """That there is nothing to simulate."""
        return [f"{self.id} has no scene: only model=synthetic can be evaluated in suite={NAME}"]


@cache
def load() -> Suite:
    """All 270; ids read `synthetic/<capability>/<split>_<number>`."""
    from gauge.protocol import paper  # pandas, which most commands never need

    table = paper.scenario_table()
    rows = zip(table.scenario_id, table.capability, table.split, strict=True)
    return Suite(NAME, tuple(_task(number, *map(str, row)) for number, row in enumerate(rows)))


def _task(index: int, name: str, capability: str, split: str) -> SyntheticTask:
    instruction = f"synthetic scenario {name}"
    return SyntheticTask(NAME, index, name, instruction, "", "", "", "", STATES, capability, split)
