"""How often the scripted expert succeeds: runs the episodes and writes the tables of docs/expert.md.

    python benchmarks/expert.py --states 10 --rows outputs/expert.jsonl --page docs/expert.md
    python benchmarks/expert.py --moved --suites libero_object --rows outputs/expert.jsonl --page docs/expert.md

Success is counted twice: `ever`, LIBERO's own criterion (the goal held after some step within the horizon), and
`final`, the goal holds at the end, ten idle steps after the expert said that it was done or after the horizon.
Episodes that the rows file has of this version of the expert are not run again; the page's tables are made of all rows.
"""

import argparse
import json
from collections.abc import Iterator
from copy import copy
from dataclasses import asdict, dataclass
from multiprocessing import get_context
from pathlib import Path

import numpy as np
from expert_page import rewrite

from gauge.core.policy import Observation
from gauge.suites import SUITES, Task, load

HORIZONS = {"libero_spatial": 220, "libero_object": 280, "libero_goal": 300, "libero_10": 520, "libero_90": 400}
SETTLING_STEPS = IDLE_STEPS = 10
REST = np.array([0, 0, 0, 0, 0, 0, -1.0])
MOVED_M = 0.08
CLEAR_M = 0.11
REST_STEPS = 500  # a second of the model's 2 ms
PUSHED_M, TILTED_RAD = 0.02, 0.17


@dataclass(frozen=True, slots=True)
class Episode:
    """One episode: which, what it needed, how it ended, and the first step at which the goal held.

    `skills` are the predicates of the goal, `last` is the skill at work when the episode ended.
    """

    suite: str
    task: str
    state: int
    moved: bool
    identity: str
    goal: list[list[str]]
    last: str
    ever: bool
    final: bool
    step: int | None
    status: str


@dataclass(frozen=True, slots=True)
class Job:
    """Initial states of one task."""

    task: Task
    states: tuple[int, ...]
    moved: bool


def run_job(job: Job) -> list[Episode]:
    """All episodes of a job, in a process that has not loaded MuJoCo yet."""
    from gauge.sim import backend

    backend.prepare()
    from gauge.policies.expert import ExpertPolicy
    from gauge.sim.scene import Scene

    scene, policy = Scene(job.task), ExpertPolicy()
    episodes = []
    for state in job.states:
        scene.start(seed=state, state_index=state)
        if job.moved and not move_target(scene, np.random.default_rng(1000 + state)):
            continue
        for _ in range(SETTLING_STEPS):
            scene.step(REST)
        policy.reset(job.task.instruction, np.random.default_rng(state))
        episodes.append(run_episode(scene, policy, job.task, state, job.moved))
    scene.close()
    return episodes


def run_episode(scene, policy, task: Task, state: int, moved: bool = False) -> Episode:
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
        scene.step(REST)
    goal = [list(state) for state in scene.env.parsed_problem["goal_state"]]
    status = "out of steps" if policy.status == "acting" else policy.status
    last = policy.skills[-1] if policy.skills else ""
    ever, final = step is not None, bool(scene.success())
    return Episode(task.suite, task.name, state, moved, policy.identity, goal, last, ever, final, step, status)


def move_target(scene, rng: np.random.Generator) -> bool:
    """Move the first goal's object by up to 8 cm in x and y with any yaw, clear of everything else.

    It comes to rest there: no more tilted than where it came from, and not pushed away by a fixture it was put into.
    False, with nothing moved, where the goal moves no object or there is no such place.
    """
    env, data = scene.env, scene.data
    name = next((state[1] for state in env.parsed_problem["goal_state"] if state[0] in ("in", "on")), None)
    if name is None:
        return False
    address = env.sim.model.get_joint_qpos_addr(env.objects_dict[name].joints[-1])[0]
    body, where = env.obj_body_id[name], slice(address, address + 7)
    start = data.qpos[where].copy()
    others = [data.xpos[env.obj_body_id[other]][:2] for other in env.objects_dict if other != name]
    _, upright = at_rest(scene, body)
    for _ in range(1000):
        place = start[:2] + rng.uniform(-MOVED_M, MOVED_M, 2)
        if any(np.linalg.norm(place - other) <= CLEAR_M for other in others):
            continue
        yaw, (w, x, y, z) = rng.uniform(-np.pi, np.pi), start[3:]
        c, s = np.cos(yaw / 2), np.sin(yaw / 2)
        data.qpos[where] = [*place, start[2], c * w - s * z, c * x - s * y, c * y + s * x, c * z + s * w]
        rest, up = at_rest(scene, body)
        level = np.arccos(np.clip([up[2], upright[2]], -1.0, 1.0))
        if np.linalg.norm(rest[:2] - place) < PUSHED_M and level[0] - level[1] < TILTED_RAD:
            return True
    data.qpos[where] = start
    return False


def at_rest(scene, body: int) -> tuple[np.ndarray, np.ndarray]:
    """Where a body comes to rest [3] and which way its z axis points then [3], tried on a copy with the arm held."""
    import mujoco

    data, robot = copy(scene.data), scene.env.robots[0]
    arm, speeds = robot._ref_joint_pos_indexes, robot._ref_joint_vel_indexes
    posture = data.qpos[arm].copy()
    for _ in range(REST_STEPS):
        data.qpos[arm], data.qvel[speeds] = posture, 0.0
        mujoco.mj_step(scene.model, data)
    mujoco.mj_forward(scene.model, data)
    return data.xpos[body].copy(), data.xmat[body].reshape(3, 3)[:, 2].copy()


def jobs(options: argparse.Namespace, done: set[tuple[str, str, int, bool]]) -> Iterator[Job]:
    """What is still to do."""
    for suite in options.suites:
        for task in load(suite).select(options.tasks):
            todo = range(options.first, options.first + options.states)
            states = tuple(state for state in todo if (suite, task.name, state, options.moved) not in done)
            if states:
                yield Job(task, states, options.moved)


def main() -> None:
    """Run what is missing, then write the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--suites", choices=SUITES, nargs="*", default=list(SUITES))
    parser.add_argument("--tasks", type=int, nargs="*", help="task indices; all of them by default")
    parser.add_argument("--states", type=int, default=10, help="official initial states per task")
    parser.add_argument("--first", type=int, default=0, help="the first of them")
    parser.add_argument("--workers", type=int, default=1, help="processes")
    parser.add_argument("--moved", action="store_true", help="move the target by up to 8 cm with any yaw first")
    parser.add_argument("--rows", type=Path, default=Path("outputs/expert.jsonl"), help="a line per episode")
    parser.add_argument("--page", type=Path, help="the page whose tables are rewritten from the rows")
    options = parser.parse_args()
    options.rows.parent.mkdir(parents=True, exist_ok=True)
    rows, now = read(options.rows), identity()
    done = {(row["suite"], row["task"], row["state"], row["moved"]) for row in rows if row["identity"] == now}
    with get_context("spawn").Pool(options.workers, maxtasksperchild=10) as pool:
        for episodes in pool.imap_unordered(run_job, jobs(options, done)):
            with options.rows.open("a") as file:
                file.writelines(json.dumps(asdict(episode)) + "\n" for episode in episodes)
            for episode in episodes[:1]:
                held = sum(episode.final for episode in episodes)
                print(f"{episode.task}: final {held}/{len(episodes)}", flush=True)
    if options.page is not None:
        rewrite(options.page, read(options.rows))


def identity() -> str:
    """The version of the expert that would run now."""
    from gauge.policies.expert import ExpertPolicy

    return ExpertPolicy.identity


def read(path: Path) -> list[dict]:
    """The rows there are."""
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


if __name__ == "__main__":
    main()
