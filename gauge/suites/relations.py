"""Which bowls a relation of the spatial suites singles out, by the deciding rules of docs/scenarios.md."""

import math
import re
from collections.abc import Iterator, Mapping
from itertools import pairwise
from random import Random

from gauge.suites.arrangements import arrangements
from gauge.suites.rules import Group, Member

Point = tuple[float, float]
DRAWS = 50  # of places in the regions, as many as a scenario has initial states
THINGS = {
    "ramekin": "glazed_rim_porcelain_ramekin",
    "cookie box": "cookies",
    "plate": "plate",
    "stove": "flat_stove",
    "wooden cabinet": "wooden_cabinet",
}
SITES = {"stove": "cook_region", "wooden cabinet": "top_side", "top drawer of the wooden cabinet": "top_region"}
STOVE_M = 0.142  # from its origin to the middle of its plate, along x
BOWL_M, PLATE_M = 0.0535, 0.069  # radii
HAND_M = 0.10
SENTENCE = re.compile(
    r"(?P<robot>from the robot's own point of view, )?pick up the (?P<count>second |third )?(?:black )?bowl "
    r"(?:that is )?(?P<relation>.+) and place it on the plate"
)
TOLD = {True: "satisfies it too", False: "does not satisfy it", None: "is too close to call"}
JOINED = re.compile(r" and (?=next to)")


def faults(group: Group) -> Iterator[str]:
    """Goals whose text does not single out the bowl that the goal moves, in 50 draws of each order."""
    bowls = [name for name in group.objects if name.startswith("akita_black_bowl")]
    for member in group.members:
        found = SENTENCE.fullmatch(member.texts.get("spatial_reasoning", ""))
        if found is not None:
            orders = (list(_member_faults(order, member, found, bowls)) for order in arrangements(group))
            yield from next(filter(None, orders), [])


def _member_faults(group: Group, member: Member, found: "re.Match[str]", bowls: list[str]) -> Iterator[str]:
    random, target = Random(member.name), member.goal[0][1]
    for draw in range(DRAWS):
        places = {name: drawn(group, name, random) for name in (*group.objects, *group.fixtures)}
        try:
            verdicts = {bowl: judge(found, bowl, bowls, places, group.objects) for bowl in bowls}
        except KeyError as error:
            yield f"{member.name}: the text speaks of {error}, which no rule knows or the scene lacks"
            return
        wrong = [f"{bowl} {TOLD[verdict]}" for bowl, verdict in verdicts.items() if verdict is not (bowl == target)]
        if wrong:
            told = f"{found['relation']!r} does not single out {target} in draw {draw}"
            yield f"{member.name}: {told}: {', '.join(wrong)}"
            return
    yield from _idle(member, JOINED.split(found["relation"]), bowls, places, group.objects)


def _idle(
    member: Member, parts: list[str], bowls: list[str], at: Mapping[str, Point], on: Mapping[str, object]
) -> Iterator[str]:
    """Parts of a joined relation that single out a bowl alone, so that nothing has to be joined."""
    for part in parts[1:] and parts:
        if sum(_one(part, bowl, bowls, at, on) is True for bowl in bowls) < 2:
            yield f"{member.name}: {part!r} alone singles out a bowl"


def drawn(group: Group, name: str, random: Random) -> Point:
    """A place in the region of the thing; what stands on or in another is where that is meant to be."""
    place = group.objects.get(name) or group.fixtures[name]
    if isinstance(place, str):
        place = group.objects.get(place) or group.fixtures.get(place.rpartition(".")[0]) or (0.0, 0.0)
        return (float(place[0]), float(place[1]))
    if name == "flat_stove":
        return (place[0] + STOVE_M, place[1])
    half_x, half_y = group.halves(name)
    return (place[0] + random.uniform(-half_x, half_x), place[1] + random.uniform(-half_y, half_y))


def judge(
    found: "re.Match[str]", bowl: str, bowls: list[str], at: Mapping[str, Point], on: Mapping[str, object]
) -> bool | None:
    """Whether the bowl satisfies the relation; None where it neither does nor fails by the margin.

    Raises:
        KeyError: a word of the relation is not known, or its thing is not in the scene.
    """
    relation = found["relation"]
    if found["count"]:
        return _in_row(bowl, bowls, at, {"second ": 1, "third ": 2}[found["count"]])
    if found["robot"]:
        return _on_side(bowl, bowls, at, 1.0 if relation == "on the left" else -1.0)
    verdicts = [_one(part, bowl, bowls, at, on) for part in JOINED.split(relation)]
    return False if False in verdicts else None if None in verdicts else True


def _one(relation: str, bowl: str, bowls: list[str], at: Mapping[str, Point], on: Mapping[str, object]) -> bool | None:
    """One relation without `and`."""
    support = on[bowl] if isinstance(on[bowl], str) else ""
    if relation.startswith(("on the ", "in the ")):
        word = relation[7:]
        site = SITES.get(word)
        return support == (THINGS[word.rpartition("the ")[2]] + f".{site}" if site else THINGS[word])
    if support:
        return False  # what stands on or in a thing is not beside any
    if relation.startswith("between the "):
        first, second = relation.removeprefix("between the ").split(" and the ")
        return _between(at[bowl], at[THINGS[first]], at[THINGS[second]])
    word, reference = next((word, THINGS[name]) for word, name in _split(relation))
    if word in ("nearest to", "farthest from"):
        return _superlative(bowl, bowls, at, at[reference], 1 if word == "nearest to" else -1)
    if word == "next to":
        return next_to(at[bowl], at[reference])
    if word in ("to the right of", "in front of"):
        return _beside(at[bowl], at[reference], 1 if word == "to the right of" else 0)
    side = _beside(at[bowl], at[reference], 1)
    gap = math.dist(at[bowl], at[reference]) - BOWL_M - PLATE_M
    far = abs(gap - {"one hand's width to the right of": 1, "two hands' widths to the right of": 2}[word] * HAND_M)
    return side and _graded(far, 0.03, 0.05)


def _split(relation: str) -> Iterator[tuple[str, str]]:
    """The relation word and the name of the reference, for each name that the relation ends in."""
    for name in THINGS:
        if relation.endswith(f" the {name}"):
            yield relation.removesuffix(f" the {name}"), name
    raise KeyError(relation)


def next_to(point: Point, reference: Point) -> bool | None:
    """Whether one is next to the other; None where it neither is nor fails to be by the margin."""
    return _graded(math.dist(point, reference), 0.15, 0.22)


def _graded(value: float, most: float, least: float) -> bool | None:
    """True up to `most`, false from `least` on."""
    return True if value <= most else False if value >= least else None


def _between(point: Point, first: Point, second: Point) -> bool | None:
    """Between two references at least 0.22 m apart: in the middle part of their line, and near it."""
    along = (second[0] - first[0], second[1] - first[1])
    length = math.hypot(*along)
    away = (point[0] - first[0], point[1] - first[1])
    part = (away[0] * along[0] + away[1] * along[1]) / length**2
    off = abs(away[0] * along[1] - away[1] * along[0]) / length
    if not 0.1 <= part <= 0.9 or off >= 0.08:
        return False
    return True if length >= 0.22 and 0.3 <= part <= 0.7 and off <= 0.04 else None


def _beside(point: Point, reference: Point, axis: int) -> bool | None:
    """To the right (axis 1) or in front (axis 0) as the viewer has it: 0.08 m or more, and twice as far as aside."""
    far, aside = point[axis] - reference[axis], abs(point[1 - axis] - reference[1 - axis])
    if far >= 0.08 and aside <= 0.5 * far:
        return True
    return False if far <= 0.04 or aside >= 0.8 * far else None


def _superlative(bowl: str, bowls: list[str], at: Mapping[str, Point], reference: Point, sign: int) -> bool | None:
    """Nearest (sign 1) or farthest (-1), with 0.08 m and a factor of 1.4 to the runner-up, both between edges."""
    gaps = sorted((math.dist(at[one], reference) - BOWL_M, one) for one in bowls)[::sign]
    (best, name), (runner_up, _) = gaps[:2]
    clear = abs(best - runner_up) >= 0.08 and max(best, runner_up) >= 1.4 * min(best, runner_up)
    return (name == bowl) if clear else None


def _in_row(bowl: str, bowls: list[str], at: Mapping[str, Point], rank: int) -> bool | None:
    """Number `rank` from the viewer's left in a row that is straight to 0.06 m, with gaps of at least 0.09 m."""
    row = sorted(bowls, key=lambda one: at[one][1])
    across = [at[one][0] for one in bowls]
    gaps = [at[right][1] - at[left][1] for left, right in pairwise(row)]
    return (row[rank] == bowl) if max(across) - min(across) <= 0.06 and min(gaps) >= 0.09 else None


def _on_side(bowl: str, bowls: list[str], at: Mapping[str, Point], sign: float) -> bool | None:
    """The bowl with the largest y (sign 1, the robot's left) or the smallest (-1), by at least 0.08 m."""
    row = sorted(bowls, key=lambda one: -sign * at[one][1])
    return (row[0] == bowl) if abs(at[row[0]][1] - at[row[1]][1]) >= 0.08 else None
