"""What can be checked of generated scenarios by reading them: nothing is simulated here."""

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import cast

from gauge import vbddl
from gauge.suites import coverage, forms, generate, grasps, knowledge, relations, stoves
from gauge.suites.arrangements import arrangements
from gauge.suites.libero import SUITES
from gauge.suites.libero import load as load_libero
from gauge.suites.rules import Group, groups
from gauge.suites.scenario import ABOUT, Scenario, load_folder

NOT_RUN = (
    "relations in all 50 settled initial states",
    "whether fingers fit between things (the expert's tries show it)",
    "how much of a target is hidden (certificates: 60 pixels are seen)",
    "blind replay of the witnesses of other layouts",
)
MAX_SHARE = 0.4  # of scenarios whose target has the same rank by distance to the robot
FEW = 10  # goals: fewer say nothing about shares
MIN_APART_M = 0.10  # between the middles of two regions, LIBERO's own closest
MIN_MOVED_M = 0.05  # of at least one thing between two layouts of the same things
SLOT_GRID_M = 0.05
MIN_ENTROPY = 0.8
REACH_M = (0.34, 0.80)  # from the robot's base, of what goals name, wherever its layout is moved to
ROBOT_X = {"table": -0.66, "kitchen": -0.66, "floor": -0.60, "study": -0.55, "living": -0.51}  # m, table frame


def problems(folder: Path = generate.FOLDER) -> Iterator[str]:
    """Everything that is wrong with the scenarios in the folder, one sentence each.

    Raises:
        GaugeError: the folder holds no scenario, or files that are not sound.
    """
    suite = load_folder(folder, "suites")
    scenarios = {task.name: cast(Scenario, task) for task in suite.tasks}
    examined = {name: vbddl.examine_file(one.bddl_path) for name, one in scenarios.items()}
    tasks = {name: task for name, (task, _) in examined.items() if task is not None}
    yield from drift(folder)
    for name, one in scenarios.items():
        yield from (f"{name}: {problem.message}" for problem in examined[name][1])
        yield from _relatives(one, scenarios, tasks)
        yield from coverage.faults(one, tasks[name])
    yield from _duplicates(scenarios, tasks)
    yield from _known_texts(scenarios.values())
    for group in groups():
        yield from _leaks(group)
        yield from dict.fromkeys(fault for order in arrangements(group) for fault in _placed(order))
        yield from knowledge.faults(group)
        yield from forms.faults(group)
        yield from grasps.faults(group)
        yield from relations.faults(group)
    yield from _copies(groups())
    families = {(next(iter(group.prefixes)), group.split): group for group in groups()}
    for capability, split in families:
        own = [one for one in groups() if (next(iter(one.prefixes)), one.split) == (capability, split)]
        yield from _ranks(f"{capability}/{split}", own)


def drift(folder: Path) -> Iterator[str]:
    """Files that are not what the rules make now."""
    expected, tables = {}, dict[Path, dict[str, object]]()
    for one in generate.made():
        expected[folder / one.folder / f"{one.name}.bddl"] = vbddl.dumps(one.task)
        tables.setdefault(folder / one.folder / ABOUT, {})[one.name] = one.about.row()
    expected |= {path: generate.table(rows) for path, rows in tables.items()}
    for path, text in expected.items():
        if not path.is_file() or path.read_text(encoding="utf-8") != text:
            yield f"{path.name} in {path.parent.name} is not what the rules make; type python -m gauge.suites build"
    for path in sorted(set(folder.rglob("*.bddl")) - set(expected)):
        yield f"{path.name} is made by no rule; type python -m gauge.suites build"


def _relatives(one: Scenario, scenarios: Mapping[str, Scenario], tasks: Mapping[str, vbddl.Task]) -> Iterator[str]:
    """The sibling has the scene and another goal; the twin has scene and goal."""
    sibling, twin = scenarios.get(one.about.sibling), scenarios.get(one.about.twin)
    if sibling is None:
        yield f"{one.name}: there is no sibling {one.about.sibling!r}"
    elif sibling.layout != one.layout or tasks[sibling.name].goal == tasks[one.name].goal:
        yield f"{one.name}: its sibling {sibling.name} has another scene, or the same goal"
    if one.about.twin and twin is None:
        yield f"{one.name}: there is no twin {one.about.twin!r}"
    elif twin is not None and (twin.layout != one.layout or tasks[twin.name].goal != tasks[one.name].goal):
        yield f"{one.name}: its twin {twin.name} has another scene or another goal"


def _duplicates(scenarios: Mapping[str, Scenario], tasks: Mapping[str, vbddl.Task]) -> Iterator[str]:
    """No two scenarios have scene, goal and text in common."""
    seen: dict[tuple[str, str, str], str] = {}
    for name, one in scenarios.items():
        key = (one.layout, str(tasks[name].goal), one.instruction)
        if key in seen:
            yield f"{name}: the same scene, goal and text as {seen[key]}"
        seen.setdefault(key, name)


def _known_texts(scenarios: Iterable[Scenario]) -> Iterator[str]:
    """A text whose form or knowledge is what is tested is in none of LIBERO's tasks."""
    known = {task.instruction for name in SUITES for task in load_libero(name).tasks}
    for one in scenarios:
        own = one.about.capability in ("semantic_grounding", "common_sense") or one.about.split == "ood"
        if own and one.instruction in known:
            yield f"{one.name}: LIBERO has the instruction {one.instruction!r} already"


def _leaks(group: Group) -> Iterator[str]:
    """Where knowledge finds the target, no word of its name stands in the text unless another thing shares it."""
    for member in group.members:
        text = member.texts.get("common_sense")
        target = member.goal[0][1]
        others = {word for name in group.objects if name != target for word in _words(name)}
        for word in _words(target) & set((text or "").split()) - others:
            yield f"{_label(group)}: {member.name}: the text of common_sense names its target: {word!r}"


def _words(name: str) -> set[str]:
    """The words of a type's name; a generated type's number and prefix are none."""
    return {word for word in name.partition(".")[0].split("_") if word.isalpha() and word not in ("gen", "and")}


def _placed(group: Group) -> Iterator[str]:
    """Whether things have room, are in reach, and stand on nothing that they should not."""
    yield from _crowded(group)
    yield from _far(group)
    yield from stoves.faults(group)


def _crowded(group: Group) -> Iterator[str]:
    """No two regions of objects are closer than in LIBERO's tasks."""
    places = [(name, at) for name, at in group.objects.items() if not isinstance(at, str)]
    for index, (name, at) in enumerate(places):
        for other, there in places[index + 1 :]:
            apart = math.dist(at[:2], there[:2])
            if apart < MIN_APART_M:
                yield f"{_label(group)}: {name} and {other} are {apart:.3f} m apart; at least {MIN_APART_M} are needed"


def _far(group: Group) -> Iterator[str]:
    """Whatever a goal names on the table, or on a stove, stays in the arm's reach in all starts."""
    for name in sorted({word for member in group.members for literal in member.goal for word in literal}):
        found = _region(group, name)
        if found is None:
            continue
        x, y, half_x, half_y = found
        across = [abs(x + side * (half_x + group.shift[0]) - ROBOT_X[group.arena]) for side in (-1, 1)]
        aside = [max(0.0, abs(y) + side * (half_y + group.shift[1])) for side in (-1, 1)]
        near, far = math.hypot(min(across), aside[0]), math.hypot(max(across), aside[1])
        if near < REACH_M[0] or far > REACH_M[1]:
            reach = f"{REACH_M[0]:.2f} to {REACH_M[1]:.2f} m"
            yield f"{_label(group)}: {name} starts {near:.3f} to {far:.3f} m from the robot's base, not {reach}"


def _region(group: Group, name: str) -> tuple[float, float, float, float] | None:
    """Middle and half-sizes (x, y, half x, half y) of where a thing starts, or of a zone, or of a stove's plate."""
    place = group.zones.get(name) or group.objects.get(name) or ()
    if name.startswith("flat_stove"):
        x, y = spot(group, name.partition(".")[0])
        return (x + relations.STOVE_M, y, 0.0, 0.0)
    if isinstance(place, str):
        return _region(group, place)
    return (place[0], place[1], *group.halves(name)) if place else None


def _copies(chosen: Sequence[Group]) -> Iterator[str]:
    """No layout is another one, or its mirror image, with everything moved by less than `MIN_MOVED_M`."""
    for index, group in enumerate(chosen):
        for other in chosen[index + 1 :]:
            if _has(group) != _has(other):
                continue
            for mirror in (1.0, -1.0):
                moved = max(_moved(group, other, name, mirror) for name in (*group.objects, *group.fixtures))
                if moved < MIN_MOVED_M:
                    image = "the mirror image of " if mirror < 0 else ""
                    yield f"{_label(other)}: {image}{_label(group)}, with nothing moved by more than {moved:.3f} m"


def _has(group: Group) -> tuple[str, list[str], list[tuple[str, ...]]]:
    """All of a layout but the places: arena, things, and how these start."""
    return group.arena, sorted([*group.objects, *group.fixtures]), sorted(group.init)


def _moved(group: Group, other: Group, name: str, mirror: float) -> float:
    """How far a thing stands from where the (mirrored) other layout has it, m."""
    x, y = spot(other, name)
    return math.dist(spot(group, name), (x, mirror * y))


def _ranks(title: str, chosen: Sequence[Group]) -> Iterator[str]:
    """Whether the target is too often the nearest, the second nearest, ..., or in the same place."""
    ranks, slots = Counter[int](), Counter[tuple[int, int]]()
    for group in chosen:
        robot = (ROBOT_X[group.arena], 0.0)
        far = {name: math.dist(spot(group, name), robot) for name in group.objects}
        targets = [member.goal[0][1] for member in group.members if member.goal[0][1] in far]
        ranks.update(sum(one < far[target] for one in far.values()) for target in targets)
        for x, y in (spot(group, target) for target in dict.fromkeys(targets)):
            slots[round(x / SLOT_GRID_M), round(y / SLOT_GRID_M)] += 1
    total, places = ranks.total(), slots.total()
    if total < FEW:
        return
    for rank, number in ranks.items():
        if number > MAX_SHARE * total:
            yield f"{title}: the target is number {rank + 1} by distance to the robot in {number} of {total} goals"
    entropy = -sum(n / places * math.log(n / places) for n in slots.values()) / math.log(places)
    if entropy < MIN_ENTROPY:
        yield f"{title}: targets stand in too few places (entropy {entropy:.2f} of at most 1)"


def spot(group: Group, name: str) -> tuple[float, float]:
    """Where a thing starts, [2]; what stands on or in another thing is where that is."""
    place = group.objects.get(name) or group.fixtures.get(name) or name.rpartition(".")[0]
    return spot(group, place) if isinstance(place, str) else (place[0], place[1])


def _label(group: Group) -> str:
    return group.name if group.layout == group.name else f"{group.name} {group.layout}"
