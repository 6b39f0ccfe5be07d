"""A scenario's V-BDDL file made known to LIBERO's environment: objects of the pool, and a text that LIBERO reads."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from gauge import vbddl
from gauge.errors import GaugeError
from gauge.sim import lying
from gauge.suites.libero import Task
from gauge.suites.scenario import Scenario
from gauge.vbddl.goal import And, Literal, ground
from gauge.vbddl.goal import wants as asked_of
from gauge.vbddl.pool import pool_ids

UNJUDGED = ("InContact", "Stack", "TurnLeft", "TurnRight", "Upright", "Lying")  # that LIBERO cannot evaluate


@contextmanager
def plain_file(scenario: Scenario) -> Iterator[Path]:
    """A file that LIBERO's own reader understands, gone afterwards: same layout, no free text, a plain goal.

    Of the goal LIBERO gets what has to be made true, for whoever plans with its predicates; it judges nothing.
    """
    task = vbddl.load(scenario.bddl_path)
    wanted = tuple(wants(task)) or tuple(one for one in task.init if isinstance(one, Literal))[:1]
    start = tuple(one for one in task.init if not (isinstance(one, Literal) and one.predicate in UNJUDGED))
    layout = replace(task, init=start, items=(), obj_of_interest=(), shift=(0.0, 0.0), swap=())
    plain = replace(layout, instruction="scenario", goal=And(wanted))
    with tempfile.TemporaryDirectory(prefix="gauge-") as folder:
        path = Path(folder) / "scenario.bddl"
        vbddl.save(plain, path)
        yield path


def wants(task: vbddl.Task) -> list[Literal]:
    """The literals that have to be made true, as far as LIBERO can evaluate them."""
    found = dict.fromkeys(asked_of(ground(task.goal, task.members)))
    return [one for one in found if isinstance(one, Literal) and one.predicate not in UNJUDGED]


def register_objects(scenario: Scenario) -> None:
    """Make every object of gauge's pool that the scenario names a type of LIBERO's, built where it is not yet.

    LIBERO has to be imported before.

    Raises:
        GaugeError: an object's files cannot be made or do not stand by themselves; all of them are named.
    """
    from gauge.objects.loading import register
    from gauge.objects.ready import ready

    faults = []
    for kind in dict.fromkeys(vbddl.load(scenario.bddl_path).types.values()):
        if kind in pool_ids():
            try:
                register(ready(pool_ids()[kind]))
            except GaugeError as error:
                faults.append(f"{scenario.id}: {kind}: {error}")
    if faults:
        raise GaugeError("; ".join(faults))


@contextmanager
def kept_in_regions(scenario: Scenario) -> Iterator[None]:
    """Let LIBERO's samplers put an object's origin anywhere in its region of the table, and nowhere else.

    What the scenario says is lying is laid down.

    On tables and floors they take the object's radius off both sides, which turns a region smaller than the object
    inside out: places up to a radius outside it. Its samplers for the other arenas do not, and serve for all here.
    """
    from libero.libero.envs.regions import REGION_SAMPLERS, Libero100TableRegionSampler

    before = {problem: dict(samplers) for problem, samplers in REGION_SAMPLERS.items()}
    ours = lying.sampler(Libero100TableRegionSampler, lying.directions(scenario))
    for problem, samplers in before.items():
        REGION_SAMPLERS[problem] = dict.fromkeys(samplers, ours)
    try:
        yield
    finally:
        REGION_SAMPLERS.update(before)


def unplace_fixtures(env: Any) -> None:
    """Put fixtures back where their model files have them.

    LIBERO reads where a region of a fixture is in the scene as it stands and adds the fixture's new place to it, which
    is right only for a fixture that was not placed before: in a scene that is used again, a bowl on the cabinet would
    start as high and as far off as the cabinet is, twice.
    """
    for fixture in env.fixtures_dict.values():
        tree = fixture.get_obj()
        body = env.sim.model.body_name2id(fixture.root_body)
        env.sim.model.body_pos[body] = [float(x) for x in tree.get("pos", "0 0 0").split()]
        env.sim.model.body_quat[body] = [float(x) for x in tree.get("quat", "1 0 0 0").split()]


def no_room(error: BaseException, task: Task) -> str:
    """Which object found no place in which region among 5,000 tries, from where LIBERO's sampler gave up."""
    trace, name, placed = error.__traceback__, "an object", list[str]()
    while trace is not None:
        found = trace.tb_frame.f_locals
        if "placed_objects" in found and "obj" in found:
            name, placed = found["obj"].name, sorted(found["placed_objects"])
        trace = trace.tb_next
    where = next((region for thing, region in _places(task) if thing == name), "its region")
    others = ", ".join(f"{other} in {region}" for other, region in _places(task) if other in placed)
    return (
        f"{task.id}: {name} finds no room in {where}: in 5,000 tries it always touched what is there before it "
        f"({others}); move or widen one of the regions"
    )


def _places(task: Task) -> list[tuple[str, str]]:
    """Things with the places where `:init` puts them."""
    facts = vbddl.load(task.bddl_path).init
    pairs = [one.arguments for one in facts if isinstance(one, Literal) and one.predicate in ("On", "In")]
    return [(pair[0], pair[1]) for pair in pairs]
