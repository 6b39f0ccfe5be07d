"""States of a scene in which its goal, and many other literals, are true in some and false in others."""

import itertools

import mujoco
import numpy as np

from gauge.vbddl import Literal
from gauge.vbddl.predicates import PREDICATES

LIBEROS = [predicate for predicate in PREDICATES.values() if predicate.name not in ("InContact", "Stack")]


def every_literal(goals):
    """Every literal that makes sense for the task and that LIBERO can evaluate."""
    names = [*goals.task.types, *(region.full_name for region in goals.task.regions)]
    for predicate in LIBEROS:
        for arguments in itertools.product(names, repeat=len(predicate.kinds)):
            literal = Literal(predicate.name, arguments)
            if not any(goals._names.literal_faults(literal)):
                yield literal


def disturb(scene, goals, rng):
    """Every hinge and slide of the furniture anew, most objects thrown near another one or a region."""
    for name in goals.task.types:
        if name in goals._parts:
            for joint in goals._parts[name].joints:
                low, high = scene.model.jnt_range[joint]
                value = rng.uniform(low, high) if rng.random() < 0.5 else rng.choice([low, high, 0.0])
                scene.data.qpos[scene.model.jnt_qposadr[joint]] = value
    mujoco.mj_forward(scene.model, scene.data)
    for thing in goals.task.objects:
        if rng.random() < 0.7:
            near = rng.choice([name for name in goals._parts if name != thing.name])
            put(scene, goals, thing.name, near, [*rng.normal(0.0, 0.03, 2), rng.uniform(-0.02, 0.12)])
    scene.data.qvel[:] = 0.0
    mujoco.mj_forward(scene.model, scene.data)


def fulfil(scene, goals, rng):
    """Every literal of the goal: first joints beyond their limits, then objects over or inside their places."""
    placing = [literal for literal in goals.literals if literal.predicate in ("On", "In")]
    moved = [literal.arguments[0] for literal in placing]
    placing.sort(key=lambda literal: literal.arguments[1] in moved)  # what others stand on goes first
    for literal in goals.literals:
        if literal in placing:
            continue
        limit = goals._limit(literal)
        for joint in goals._parts[literal.arguments[0]].joints:
            inside = [q for q in np.linspace(*scene.model.jnt_range[joint], 201) if limit.holds(q)]
            scene.data.qpos[scene.model.jnt_qposadr[joint]] = rng.choice(inside)
    mujoco.mj_forward(scene.model, scene.data)
    for literal in placing:
        name, place = literal.arguments
        lift = 0.0 if literal.predicate == "In" else height_over(scene, goals, place)
        put(scene, goals, name, place, [*rng.normal(0.0, 0.003, 2), lift])
    scene.data.qvel[:] = 0.0
    mujoco.mj_forward(scene.model, scene.data)


def height_over(scene, goals, place):
    """From where to drop an object onto a region or another object."""
    part = goals._parts[place]
    return 0.03 + (scene.model.site_size[part.site][2] if part.site >= 0 else 0.0)


def put(scene, goals, name, place, offset):
    """Move the origin of an object to a region's centre or another object's origin plus `offset` [3] (m)."""
    part = goals._parts[place]
    base = scene.data.site_xpos[part.site] if part.site >= 0 else scene.data.xpos[part.body]
    joint = scene.model.body_jntadr[goals._parts[name].root]
    assert scene.model.jnt_type[joint] == mujoco.mjtJoint.mjJNT_FREE
    address = scene.model.jnt_qposadr[joint]
    scene.data.qpos[address : address + 3] = base + np.asarray(offset)
    mujoco.mj_forward(scene.model, scene.data)


def states(scene, goals, rng, disturbed):
    """Yield in a number of states: at rest, with the goal fulfilled, disturbed; each at once and as it settles."""
    from gauge.sim.scene import DUMMY_ACTION

    for index in range(disturbed + 2):
        scene.start(index, index % len(scene._states))
        if index == 0:
            for _ in range(5):
                scene.step(DUMMY_ACTION)
        elif index == 1:
            fulfil(scene, goals, rng)
        else:
            disturb(scene, goals, rng)
        yield
        for _ in range(3 if index == 1 else 1):
            for _ in range(50):
                mujoco.mj_step(scene.model, scene.data)
            mujoco.mj_forward(scene.model, scene.data)
            yield
