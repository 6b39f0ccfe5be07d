"""The objects of gauge's own pool as types that a task may name: `gen/apple/0003` is the type `gen_apple_0003`.

Only the pool's table is read, as text: the code that builds objects stands above the task language.
"""

import csv
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cache
from importlib.resources import files
from types import MappingProxyType

from gauge.vbddl.catalogue import Catalogue, Kind, Site, libero

PREFIXES = ("gen_", "robosuite_")
INSIDE = "contain_region"  # the site that a generated receptacle has inside


def type_name(name: str) -> str:
    """What a task file calls an object: gen/toy_car/0007 is gen_toy_car_0007, libero/plate is plate."""
    return name.removeprefix("libero/").replace("/", "_").replace("-", "_").lower()


@cache
def pool_ids() -> Mapping[str, str]:
    """Id in the pool by type, of everything that LIBERO has no class for."""
    return MappingProxyType({type_name(name): name for name in _rows() if not name.startswith("libero/")})


def catalogue_for(types: Iterable[str]) -> Catalogue:
    """LIBERO's catalogue, with the pool's objects beside if any of the types may be one (the table takes 20 ms)."""
    return _with_pool() if any(name.startswith(PREFIXES) for name in types) else libero()


@cache
def _with_pool() -> Catalogue:
    types = {name: _kind(_rows()[row]) for name, row in pool_ids().items()}
    return replace(libero(), types=MappingProxyType({**libero().types, **types}))


def _kind(flags: str) -> Kind:
    """An object that moves freely; a generated receptacle has an inside."""
    inside = {INSIDE: Site("box", ())} if "receptacle" in flags else {}
    return Kind("", fixture=False, movable="articulated" not in flags, joints=(), regions=inside, states={}, up="z")


@cache
def _rows() -> Mapping[str, str]:
    """Flags by id, as the table has them."""
    table = files("gauge.objects").joinpath("data", "pool.csv")
    lines = table.read_text(encoding="utf-8").splitlines()
    return MappingProxyType({row["id"]: row["flags"] for row in csv.DictReader(lines)})
