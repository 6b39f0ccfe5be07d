"""Controls: what a policy is deprived of, to see how much of its score needs it."""

from collections.abc import Sequence
from dataclasses import dataclass, field

# Beside none; `all` stands for none and all of these, and a replay. What tables call them:
KINDS = {"black": "black pictures", "swapped": "another instruction"}


@dataclass(frozen=True, slots=True)
class Control:
    """What an episode shows and tells instead.

    Attributes:
        black: every picture is black.
        told: the instruction given instead, by task id.
    """

    black: bool = False
    told: dict[str, str] = field(default_factory=dict)


def expand(job: Sequence[str], demos: str | None) -> list[list[str]]:
    """The jobs of a job that asks for all controls: none, each kind, and the replay if there are demonstrations."""
    rest = [part for part in job if not _of(part, "control")]
    found = [rest, *([*rest, f"control={kind}"] for kind in KINDS)]
    if demos is not None:
        found.append([*(part for part in rest if not _of(part, "model")), "model=replay_other", f"model.demos={demos}"])
    return found


def called(model: str, kind: str) -> str:
    """What a model under a control is called in cells and tables."""
    return f"{model}+{kind}"


def parted(model: str) -> tuple[str, str]:
    """The model's own name, and what its control shows or tells in words; empty without control."""
    name, _, kind = model.rpartition("+")
    return (name, KINDS[kind]) if name and kind in KINDS else (model, "")


def _of(part: str, group: str) -> bool:
    name = part.partition("=")[0].lstrip("+~")
    return name == group or name.startswith(f"{group}.")
