"""The layouts that a group has from start to start: its things in all orders that its rules let them exchange."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import permutations, product

from gauge.suites.rules import Group, Position
from gauge.vbddl.swap import exchanged


def arrangements(group: Group) -> Iterator[Group]:
    """The group once for each order of what exchanges places; the first is as written, all are equally likely."""
    places = dict(group.zones)
    places.update((name, at) for name, at in group.objects.items() if not isinstance(at, str))
    middles = {name: (at[0], at[1]) for name, at in places.items()}
    for orders in product(*(permutations(range(len(groups))) for groups in group.swap)):
        moved = exchanged(group.swap, middles, orders)
        now: dict[str, Position] = {}
        for name, at in places.items():
            x, y = moved.get(name, (0.0, 0.0))
            now[name] = (round(at[0] + x, 4), round(at[1] + y, 4), *at[2:])
        yield replace(
            group,
            objects={name: now.get(name, at) for name, at in group.objects.items()},
            zones={name: now[name] for name in group.zones},
        )
