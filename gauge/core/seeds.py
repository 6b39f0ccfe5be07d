"""Seeds as a pure function of what is evaluated, never of the model, the worker or the order."""

import hashlib

import numpy as np

STREAMS = ("start", "perturbation", "policy")


def seed(*parts: str | int) -> int:
    """A stable 64-bit seed from named parts (SHA-256, so no collision in practice)."""
    text = "\x1f".join(str(part) for part in parts)
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "little")


def episode_seed(root: int, scenario_id: str, rollout: int) -> int:
    """The one root seed of an episode: same scenario and rollout, same scene, whatever the model."""
    return seed("episode", root, scenario_id, rollout)


def stream(episode: int, name: str, *scope: str | int) -> np.random.Generator:
    """The child generator `name` (one of `STREAMS`) of an episode, split further by `scope`."""
    if name not in STREAMS:
        raise ValueError(f"unknown random stream {name!r}; streams are {STREAMS}")
    return np.random.default_rng(np.random.SeedSequence(seed(episode, name, *scope)))
