"""A cell: all that decides the result of an episode but the episode's own scenario and rollout."""

import hashlib
import json
import re
from dataclasses import dataclass
from typing import Any

from gauge.core.items import Combination

ID_VERSION = 1


@dataclass(frozen=True, slots=True)
class Cell:
    """What one job evaluates. How many rollouts and which tasks are planned is not part of it.

    Attributes:
        model: name of the model option and every setting of it that changes its actions.
        suite: name of the suite, hash of its task files, horizon and settle settings.
        combination: the perturbation items; a nominal value is no item, so it is the clean cell.
        branch: which refinement branch of the model is evaluated.
        seed: root seed of all episodes.
    """

    model: dict[str, Any]
    suite: dict[str, Any]
    combination: Combination
    branch: str = "none"
    seed: int = 0

    def to_json(self) -> dict[str, Any]:
        """Plain data that says everything; `id` is the hash of exactly this."""
        items = [
            {"attribute": item.attribute, "mode": item.mode, "values": list(item.values)}
            for item in self.combination.items
        ]
        return {
            "id_version": ID_VERSION,
            "model": self.model,
            "suite": self.suite,
            "items": items,
            "branch": self.branch,
            "seed": self.seed,
        }

    @property
    def id(self) -> str:
        """12 hex digits of SHA-256 over the canonical JSON."""
        return hashlib.sha256(canonical(self.to_json()).encode()).hexdigest()[:12]

    @property
    def name(self) -> str:
        """Readable folder name that ends in the id."""
        parts = [str(self.model["name"]), str(self.suite["name"]), self.combination.label]
        if self.branch != "none":
            parts.append(self.branch)
        slug = re.sub(r"[^A-Za-z0-9_.=+-]+", "_", "-".join(parts))[:120]
        return f"{slug}-{self.id}"


def canonical(data: Any) -> str:
    """JSON with sorted keys and no spaces; refuses NaN and infinity."""
    return json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
