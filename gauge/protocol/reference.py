"""The reference models: those with the highest overall zero-shot score (VLA-GAUGE, IV-B)."""

import pandas as pd

from gauge.errors import GaugeError
from gauge.protocol.tables import TIE, require


def reference_models(scores: pd.DataFrame, count: int = 2) -> pd.DataFrame:
    """The `count` models with the highest ZS_ALL, fewer when fewer were evaluated.

    Equal scores are ordered by name; `tied` says that the name alone decided who is in.

    Args:
        scores: see `gauge.protocol.zero_shot.zero_shot`.
        count: how many.

    Returns:
        One row per reference model, best first: rank (from 1), model, zs, tied.

    Raises:
        GaugeError: no model has a ZS_ALL.
    """
    require(scores, ("model", "split", "zs"), "zero-shot")
    known = scores[(scores.split == "all") & scores.zs.notna()]
    if known.empty:
        raise GaugeError("no model has a zero-shot score over all capabilities; run stage=zero_shot first")
    # Rounded before sorting, so that float noise does not decide between equal scores.
    ordered = known.assign(rounded=-known.zs.astype(float).round(9)).sort_values(["rounded", "model"])
    chosen, rest = ordered.head(count), ordered.iloc[count:]
    last = float(chosen.zs.iloc[-1])
    cut = bool(len(rest)) and abs(float(rest.zs.iloc[0]) - last) <= TIE
    tied = [cut and abs(float(zs) - last) <= TIE for zs in chosen.zs]
    ranks = range(1, len(chosen) + 1)
    return pd.DataFrame({"rank": ranks, "model": chosen.model.tolist(), "zs": chosen.zs.tolist(), "tied": tied})
