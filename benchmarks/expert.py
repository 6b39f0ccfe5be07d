"""How often the scripted expert succeeds, by task and by skill: the tables of docs/expert.md.

    python benchmarks/expert.py --suite libero_object --states 10 --workers 1

Success is counted twice: `ever`, LIBERO's own criterion (the goal held after some step within the horizon), and
`final`, the goal holds at the end, ten idle steps after the expert said that it was done or after the horizon.
"""

import argparse
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from multiprocessing import get_context

import numpy as np

from gauge.core.policy import Observation
from gauge.suites import SUITES, Task, load

HORIZONS = {"libero_spatial": 220, "libero_object": 280, "libero_goal": 300, "libero_10": 520, "libero_90": 400}
SETTLING_STEPS = IDLE_STEPS = 10
MOVED_M = 0.08
CLEAR_M = 0.11
VERBS = {"in": "place in", "on": "place on", "open": "open", "close": "close", "turnon": "turn", "turnoff": "turn"}


@dataclass(frozen=True, slots=True)
class Episode:
    """One episode: which, what it needed, how it ended, and the first step at which the goal held."""

    task: str
    state: int
    skills: tuple[str, ...]
    ever: bool
    final: bool
    step: int | None
    status: str


def run_task(job: tuple[Task, int, bool]) -> list[Episode]:
    """All episodes of one task, in a process that has not loaded MuJoCo yet."""
    from gauge.sim import backend

    backend.prepare()
    from gauge.policies.expert import ExpertPolicy
    from gauge.sim.scene import Scene

    task, states, moved = job
    scene, policy = Scene(task), ExpertPolicy()
    episodes = []
    for state in range(states):
        scene.start(seed=state, state_index=state)
        if moved:
            move_target(scene, np.random.default_rng(1000 + state))
        for _ in range(SETTLING_STEPS):
            scene.step(np.array([0, 0, 0, 0, 0, 0, -1.0]))
        policy.reset(task.instruction, np.random.default_rng(state))
        episodes.append(run_episode(scene, policy, task, state))
    scene.close()
    return episodes


def run_episode(scene, policy, task: Task, state: int) -> Episode:
    """One episode from the scene's present state."""
    step, idle, limit = None, 0, HORIZONS[task.suite]
    for now in range(limit):
        look = Observation(images={}, state=np.zeros(0), instruction=task.instruction, step=now, scene=scene)
        scene.step(policy.act(look)[0])
        step = now + 1 if step is None and scene.success() else step
        idle += policy.status != "acting"
        if idle > IDLE_STEPS:
            break
    for _ in range(IDLE_STEPS - idle):
        scene.step(np.array([0, 0, 0, 0, 0, 0, -1.0]))
    goal = scene.env.parsed_problem["goal_state"]
    final = scene.success()
    status = "out of steps" if policy.status == "acting" else policy.status
    return Episode(task.name, state, tuple(skills_of(goal)), step is not None, final, step, status)


def skills_of(goal: list[list[str]]) -> Iterator[str]:
    """The skills a goal names, each once."""
    yield from dict.fromkeys(VERBS[state[0]] for state in goal)


def move_target(scene, rng: np.random.Generator) -> None:
    """Move the first goal's object by up to 8 cm in x and y with any yaw, clear of everything else."""
    env, data = scene.env, scene.data
    name = env.parsed_problem["goal_state"][0][1]
    address = env.sim.model.get_joint_qpos_addr(env.objects_dict[name].joints[-1])[0]
    origin = data.qpos[address : address + 3].copy()
    others = [data.xpos[env.obj_body_id[other]][:2] for other in env.objects_dict if other != name]
    for _ in range(1000):
        place = origin[:2] + rng.uniform(-MOVED_M, MOVED_M, 2)
        if all(np.linalg.norm(place - other) > CLEAR_M for other in others):
            break
    else:
        raise SystemExit(f"{name} has no free place within {MOVED_M} m")
    yaw, (w, x, y, z) = rng.uniform(-np.pi, np.pi), data.qpos[address + 3 : address + 7]
    c, s = np.cos(yaw / 2), np.sin(yaw / 2)
    data.qpos[address : address + 2] = place
    data.qpos[address + 3 : address + 7] = [c * w - s * z, c * x - s * y, c * y + s * x, c * z + s * w]


def print_tables(episodes: list[Episode]) -> None:
    """Markdown: a row per task, a row per skill, and every episode that did not end well."""
    print("\n| task | ever | final | median step |\n|---|---|---|---|")
    for name in dict.fromkeys(episode.task for episode in episodes):
        rows = [episode for episode in episodes if episode.task == name]
        steps = [episode.step for episode in rows if episode.step is not None]
        print(f"| {name} | {rate(rows, 'ever')} | {rate(rows, 'final')} | {int(np.median(steps)) if steps else '-'} |")
    print(f"| all | {rate(episodes, 'ever')} | {rate(episodes, 'final')} | |")
    print("\n| goal needs | ever | final |\n|---|---|---|")
    for skills in sorted({episode.skills for episode in episodes}):
        rows = [episode for episode in episodes if episode.skills == skills]
        print(f"| {' and '.join(skills)} | {rate(rows, 'ever')} | {rate(rows, 'final')} |")
    failed = Counter((e.task, e.status, "lost at the end" if e.ever else "never") for e in episodes if not e.final)
    print("\n| failed at the end | goal held | expert's own reason | episodes |\n|---|---|---|---|")
    for (task, status, held), count in failed.items():
        print(f"| {task} | {held} | {status} | {count} |")


def rate(rows: list[Episode], field: str) -> str:
    """Successes of all."""
    return f"{sum(getattr(row, field) for row in rows)}/{len(rows)}"


def main() -> None:
    """Run one suite and print its tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--suite", choices=SUITES, default="libero_object")
    parser.add_argument("--tasks", type=int, nargs="*", help="task indices; all of them by default")
    parser.add_argument("--states", type=int, default=10, help="official initial states per task, from the first")
    parser.add_argument("--workers", type=int, default=1, help="processes")
    parser.add_argument("--moved", action="store_true", help="move the target by up to 8 cm with any yaw first")
    options = parser.parse_args()
    tasks = load(options.suite).select(options.tasks)
    jobs = [(task, options.states, options.moved) for task in tasks]
    episodes: list[Episode] = []
    with get_context("spawn").Pool(options.workers, maxtasksperchild=5) as pool:
        for done in pool.imap(run_task, jobs):
            episodes += done
            print(f"{done[0].task}: ever {rate(done, 'ever')}, final {rate(done, 'final')}", flush=True)
    print_tables(episodes)


if __name__ == "__main__":
    main()
