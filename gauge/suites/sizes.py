"""How much of the table things take, as the pool measured them."""

from gauge.objects.pool import builtin
from gauge.vbddl.pool import pool_ids


def half(name: str) -> tuple[float, float]:
    """Half the extent of a thing along x and y, m, standing; `name` is that of a rule, `type` or `type.which`."""
    kind = name.partition(".")[0]
    x, y, _ = builtin()[pool_ids().get(kind, f"libero/{kind}")].size_mm
    return x / 2000, y / 2000
