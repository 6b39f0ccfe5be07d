"""Which weights are kept: those of the lowest held-out loss, and those that did best in real episodes."""

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from gauge.policies.tiny.checkpoint import Trained, save_trained

BY_LOSS, BY_SUCCESS, CHOSEN = "by_loss.safetensors", "by_success.safetensors", "tiny.safetensors"


@dataclass(frozen=True, slots=True)
class Judged:
    """What is known of the weights after an epoch.

    Attributes:
        epoch: from 1.
        held_out: loss on held-out frames.
        successes, episodes: of the short evaluation; 0 of 0 where there was none.
    """

    epoch: int
    held_out: float
    successes: int = 0
    episodes: int = 0

    def better_in_episodes(self, other: "Judged | None") -> bool:
        """More successes, or as many at a lower loss; an epoch without episodes is never better."""
        if not self.episodes:
            return False
        mine = (self.successes, -self.held_out)
        return other is None or mine > (other.successes, -other.held_out)

    def lower(self, other: "Judged | None") -> bool:
        """A lower loss."""
        return other is None or self.held_out < other.held_out


@dataclass
class Keeper:
    """Writes the best weights of both kinds, and as `tiny` those of the best episodes, if any were played."""

    folder: Path
    by_loss: Judged | None = None
    by_success: Judged | None = None

    def consider(self, judged: Judged, weights: Callable[[Mapping[str, Any]], Trained]) -> None:
        """Keep these weights where they are the best so far; `weights` makes a checkpoint with more on its card."""
        best = []
        if judged.lower(self.by_loss):
            self.by_loss = judged
            best.append(BY_LOSS)
        if judged.better_in_episodes(self.by_success):
            self.by_success = judged
            best.append(BY_SUCCESS)
        if (BY_SUCCESS if self.by_success else BY_LOSS) in best:
            best.append(CHOSEN)
        for name in best:
            save_trained(self.folder / name, weights({"kept": asdict(judged)}))

    @property
    def chosen(self) -> Judged | None:
        """What `tiny` is."""
        return self.by_success or self.by_loss

    def state(self) -> dict[str, Any]:
        """Plain data, for a training that goes on later."""
        return {name: None if one is None else asdict(one) for name, one in self._both().items()}

    def restore(self, state: Mapping[str, Any]) -> None:
        """What `state` said."""
        for name in self._both():
            setattr(self, name, None if state[name] is None else Judged(**state[name]))

    def _both(self) -> dict[str, Judged | None]:
        return {"by_loss": self.by_loss, "by_success": self.by_success}
