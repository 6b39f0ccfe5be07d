"""The messages after the handshake: observations, resets and answers, for both ends.

The keys of an observation are those of openpi's LIBERO example (`examples/libero/main.py`). Keys that
start with `gauge/` are sent to gauge's own servers only.
"""

import json
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gauge.core.policy import STATE_SIZES, Observation, PolicySpec
from gauge.errors import GaugeError, PolicyError

RESET = "gauge/reset"
STEP = "gauge/step"

LIBERO_KEYS: Mapping[str, str] = MappingProxyType(
    {
        "agentview": "observation/image",
        "robot0_eye_in_hand": "observation/wrist_image",
        "state": "observation/state",
        "prompt": "prompt",
    }
)


def pack_observation(observation: Observation, spec: PolicySpec, keys: Mapping[str, str]) -> dict[str, Any]:
    """The message that shows `observation` to a server; `keys` renames cameras, `state` and `prompt`."""
    message: dict[str, Any] = {keys[camera]: observation.images[camera] for camera in spec.cameras}
    if spec.state != "none":
        message[keys["state"]] = observation.state
    message[keys["prompt"]] = observation.instruction
    return message


def unpack_observation(message: dict[Any, Any], spec: PolicySpec, step: int) -> Observation:
    """The observation behind a message with `LIBERO_KEYS`; entries the spec does not ask for are ignored.

    Raises:
        GaugeError: an entry is missing, or is not of the kind and shape the spec says.
    """
    images = {camera: _image(message, LIBERO_KEYS[camera], spec) for camera in spec.cameras}
    state = np.zeros(0) if spec.state == "none" else _state(message, LIBERO_KEYS["state"], STATE_SIZES[spec.state])
    return Observation(images, state, prompt(message), step)


def prompt(message: dict[Any, Any]) -> str:
    """The instruction within an observation or the content of a reset."""
    text = message.get(LIBERO_KEYS["prompt"])
    if not isinstance(text, str):
        raise GaugeError(f"the entry 'prompt' must be text, not {type(text).__name__}")
    return text


def actions(answer: Any) -> NDArray[np.float64]:
    """The numbers of a server's answer, unrepaired; `checked_chunk` judges shape and finiteness.

    Raises:
        PolicyError: the answer has no `actions`, or they are no numbers.
    """
    if not isinstance(answer, dict) or "actions" not in answer:
        held = sorted(map(str, answer))[:5] if isinstance(answer, dict) else type(answer).__name__
        raise PolicyError(f"the policy server's answer has no entry 'actions'; it holds {held}")
    value = answer["actions"]
    if not isinstance(value, np.ndarray | list):
        raise PolicyError(f"the policy server's 'actions' are {type(value).__name__}; expected an array [T, 7]")
    try:
        return np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise PolicyError(f"the policy server's 'actions' are no array of numbers ({error})") from error


def pack_answer(chunk: NDArray[np.float64], infer_ms: float) -> dict[str, Any]:
    """The message that answers an observation: actions [T, 7] and how long the policy took."""
    return {"actions": np.asarray(chunk, dtype=np.float64), "server_timing": {"infer_ms": infer_ms}}


def pack_reset(instruction: str, rng: np.random.Generator) -> dict[str, Any]:
    """The message that starts an episode on a gauge server.

    It carries the generator's whole state, so that a policy draws the same numbers as it would locally.
    """
    return {RESET: {"prompt": instruction, "rng": json.dumps(rng.bit_generator.state)}}


def unpack_reset(content: Any) -> tuple[str, np.random.Generator]:
    """The instruction and the generator of a reset.

    Raises:
        GaugeError: the content is not what `pack_reset` writes.
    """
    if not isinstance(content, dict):
        raise GaugeError(f"{RESET} must hold a prompt and a generator, not {type(content).__name__}")
    bits = np.random.PCG64(0)
    try:
        bits.state = json.loads(content["rng"])
    except (KeyError, TypeError, ValueError, OverflowError, RecursionError) as error:
        raise GaugeError(f"{RESET} holds no state of numpy's PCG64 generator under 'rng'") from error
    return prompt(content), np.random.Generator(bits)


def _image(message: dict[Any, Any], key: str, spec: PolicySpec) -> NDArray[np.uint8]:
    image = message.get(key)
    wanted = (*spec.image_size, 3)
    if not isinstance(image, np.ndarray) or image.dtype != np.uint8 or image.shape != wanted:
        raise GaugeError(f"the entry {key!r} must be uint8 {list(wanted)}, not {_kind(image)}")
    return image


def _state(message: dict[Any, Any], key: str, size: int) -> NDArray[np.float64]:
    state = message.get(key)
    if not isinstance(state, np.ndarray) or state.dtype.kind not in "iuf" or state.shape != (size,):
        raise GaugeError(f"the entry {key!r} must be numbers [{size}], not {_kind(state)}")
    return state.astype(np.float64)


def _kind(value: Any) -> str:
    if value is None:
        return "missing"
    return f"{value.dtype} {list(value.shape)}" if isinstance(value, np.ndarray) else type(value).__name__
