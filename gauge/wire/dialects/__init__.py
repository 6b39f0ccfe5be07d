"""The protocols in which published policies are served, one small client each."""

from collections.abc import Callable
from importlib import import_module

from gauge.errors import unknown
from gauge.wire.dialects.base import Dialect, Reach

DIALECTS = {
    "openpi": "gauge.wire.dialects.openpi:Openpi",
    "roboarena": "gauge.wire.dialects.openpi:RoboArena",
    "vla_eval": "gauge.wire.dialects.vla_eval:VlaEval",
    "gr00t_n1_5": "gauge.wire.dialects.gr00t:Gr00tN15",
    "gr00t_n1_6": "gauge.wire.dialects.gr00t:Gr00tN16",
    "act_openvla": "gauge.wire.dialects.act:OpenVla",
    "act_xvla": "gauge.wire.dialects.act:XVla",
    "evo1": "gauge.wire.dialects.evo1:Evo1",
}


def dialect(name: str) -> Callable[[Reach], Dialect]:
    """The client of that name, imported now.

    Raises:
        GaugeError: there is none, or it needs a package that is not installed.
    """
    if name not in DIALECTS:
        raise unknown("model.protocol", name, list(DIALECTS))
    module, _, client = DIALECTS[name].partition(":")
    found: Callable[[Reach], Dialect] = getattr(import_module(module), client)
    return found
