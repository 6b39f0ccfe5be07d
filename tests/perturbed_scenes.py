"""Every perturbation option in one scene with one renderer, in a process of its own.

`python tests/perturbed_scenes.py SUITE INDEX WHICH NAME...` composes, builds, applies and undoes each named option
(all of them for none) at the WHICH values (`all` or `ends`) and prints as JSON what became of each.
"""

import hashlib
import json
import sys

import numpy as np

CAMERAS = ("agentview", "robot0_eye_in_hand")
SEED, HORIZON = 3, 30


def everything(scene):
    """A hash over the model but for `site_rgba`, in which LIBERO itself blinks the marker of a burner."""
    digest = hashlib.sha256()
    for name in sorted(vars(type(scene.model))):
        field = getattr(scene.model, name, None)
        if isinstance(field, np.ndarray) and name[:1] != "_" and name != "site_rgba":
            digest.update(name.encode() + np.ascontiguousarray(field).tobytes())
    return digest.hexdigest()


def composed(name, value):
    """The item and its code, from the option as Hydra composes it."""
    from hydra import compose

    from gauge.config.build import combination, perturbations
    from gauge.core.sweep import quoted
    from gauge.perturbations.base import Bound

    cfg = compose("config", [f"perturbation={name}", f"value.at={quoted(value)}"])
    (item,) = combination(cfg).items
    return Bound(item, perturbations(cfg)[name])


def picture(scene, active=None):
    scene.look()
    frames = [scene.frame(camera, (96, 96)) for camera in CAMERAS]
    return np.stack([active.image(frame) for frame in frames] if active else frames)


def begun(scene, *bound):
    from gauge.rollout.perturbed import ActivePerturbations
    from gauge.sim.edits import SceneEdits

    scene.start(SEED, 1)
    edits, active = SceneEdits(scene), ActivePerturbations(bound, SEED, HORIZON)
    try:
        active.advance(0, edits)
    except Exception:
        edits.undo()
        raise
    return edits, active


def applied(scene, one, clean):
    """What the value did in the scene, and that nothing of it is left."""
    from gauge.errors import SceneError

    try:
        edits, active = begun(scene, one)
    except SceneError as fault:
        return {"status": "no room", "why": str(fault)}
    for action in np.linspace(-0.5, 0.5, 7 * HORIZON).reshape(HORIZON, 7):  # a lossy line does not lose every one
        active.action(action)
    seen = picture(scene, active)
    proof = active.proof()[0]
    edits.undo()
    model = everything(scene)
    begun(scene)
    return {
        "status": "applied",
        "proof": bool(proof["fields"] or proof["changed"]),
        "shows": bool(seen.shape != clean["picture"].shape or np.abs(seen.astype(int) - clean["picture"]).max() > 0),
        "undone": model == clean["model"]
        and scene.start_hash() == clean["start"]
        and np.array_equal(picture(scene), clean["picture"]),
    }


def state(scene):
    begun(scene)
    return {"picture": picture(scene), "model": everything(scene), "start": scene.start_hash()}


def check(suite, index, which, names):
    """Per `attribute=value` what became of it."""
    from gauge.config.registry import ATTRIBUTES
    from gauge.perturbations.base import CompilePerturbation, changes
    from gauge.perturbations.combine import applicable
    from gauge.sim.camera import Screen
    from gauge.sim.scene import Scene
    from gauge.space import attributes
    from gauge.suites import load

    task, screen = load(suite).tasks[index], Screen()
    levels = {one.attribute: one.levels for one in attributes()}
    scene, found = Scene(task, screen), {}
    clean = state(scene)
    for name in names or ATTRIBUTES:
        for value in levels[name] if which == "all" else dict.fromkeys((levels[name][0], levels[name][-1])):
            one = composed(name, value)
            if reason := applicable(task, [one]):
                found[f"{name}={value}"] = {"status": "not applicable", "why": reason}
            elif isinstance(one.perturbation, CompilePerturbation):
                built = Scene(task, screen, changes=changes([one], task))
                plain = {**clean, "model": everything(built)}
                outcome = applied(built, one, plain)
                built.close()
                if outcome["status"] == "applied":  # the scene is another one; undone is that the clean one is itself
                    begun(scene)
                    outcome["undone"] = np.array_equal(picture(scene), clean["picture"])
                found[f"{name}={value}"] = outcome
            else:
                found[f"{name}={value}"] = applied(scene, one, clean)
    scene.close()
    screen.close()
    return found


def main():
    from hydra import initialize_config_dir

    from gauge.config.conf_dir import conf_dir
    from gauge.config.resolvers import register
    from gauge.sim import backend

    suite, index, which, *names = sys.argv[1:]
    renderer = backend.prepare("auto")
    register()
    with initialize_config_dir(str(conf_dir()), version_base="1.3"):
        print(json.dumps({"renderer": renderer, "found": check(suite, int(index), which, names)}))


if __name__ == "__main__":
    main()
