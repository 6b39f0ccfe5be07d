"""The values of a perturbation item in one episode: the one place that draws them."""

from gauge.core.items import Item, Value
from gauge.core.seeds import stream

PHASES = 3  # steps 0, floor(H/3) and floor(2H/3), see `gauge.core.items.resample_steps`


def draws(item: Item, episode: int) -> tuple[Value, ...]:
    """The values of one item in the episode with root seed `episode`: one if static, `PHASES` if dynamic.

    They depend on the item, the scenario and the rollout alone, so all models meet the same values.
    """
    if item.mode == "static":
        return item.values
    rng = stream(episode, "perturbation", str(item), "draws")
    return tuple(item.values[int(index)] for index in rng.integers(len(item.values), size=PHASES))
