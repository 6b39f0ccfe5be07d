"""The layouts that a group has from start to start: its things in all orders that its rules let them exchange."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import permutations, product

from gauge.suites.rules import Group, Position
from gauge.vbddl.swap import exchanged


def arrangements(group: Group) -> Iterator[Group]:
    """The group once for each order of what exchanges places; the first is as written, all are equally likely."""
    places: dict[str, Position] = {**group.fixtures, **group.zones}
    places.update((name, at) for name, at in group.objects.items() if not isinstance(at, str))
    for orders in product(*(permutations(range(len(groups))) for groups in group.swap)):
        now = dict(places)
        for name, there in exchanged(group.swap, orders).items():
            now[name] = (*places[there][:2], *places[name][2:])
            if name in group.fixtures and (yaw := group.yaw(there)) is not None:
                now[name] = (*places[there][:2], yaw, *places[name][3:])
        yield replace(
            group,
            fixtures={name: now[name] for name in group.fixtures},
            objects={name: now.get(name, at) for name, at in group.objects.items()},
            zones={name: now[name] for name in group.zones},
        )
