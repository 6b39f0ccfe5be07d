"""`model=lerobot`: a checkpoint of the lerobot library (ACT, SmolVLA, ...) in the workers' processes.

lerobot is an extra that gauge does not install: 0.4 needs an older torch than gauge's own, 0.6 needs Python 3.12. What
the checkpoint says about itself is compared with the option before anything is loaded.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from gauge.core.policy import ACTION_DIM, STATE_SIZES, BatchPolicy, Observation, PolicySpec
from gauge.errors import GaugeError, PolicyError

if TYPE_CHECKING:
    pass

CONFIG, WEIGHTS = "config.json", "model.safetensors"
STATE = "observation.state"


class LeRobotPolicy(BatchPolicy[np.random.Generator]):
    """A policy of lerobot's with its own processors. Each look is a call of its own, nothing is kept between them."""

    def __init__(
        self,
        spec: PolicySpec,
        checkpoint: str,
        keys: Mapping[str, str],
        device: str = "cpu",
        threads: int | None = None,
    ) -> None:
        """Compare the checkpoint with `spec`, then load it strictly.

        Args:
            spec: what it is shown and what it answers.
            checkpoint: folder of `save_pretrained`, processors included.
            keys: the checkpoint's name of each camera's picture.
            device: torch's name of it.
            threads: that torch uses on the CPU; None leaves its default.

        Raises:
            GaugeError: lerobot or the checkpoint cannot be used, or the checkpoint is not what `spec` says.
        """
        self.spec, self._keys, self._device = spec, dict(keys), device
        folder = Path(checkpoint).expanduser()
        about = _described(folder)
        if told := differences(about, spec, self._keys):
            raise GaugeError(f"{folder} is not what model=lerobot says:" + "".join(f"\n  - {one}" for one in told))
        torch = _imported()
        if threads is not None:
            torch.set_num_threads(threads)
        self._policy, self._before, self._after = _loaded(folder, device)
        digest = hashlib.sha256((folder / WEIGHTS).read_bytes()).hexdigest()[:12]
        self.identity = f"lerobot/{about.get('type')}/{digest}"

    def begin(self, instruction: str, rng: np.random.Generator) -> np.random.Generator:
        """The episode's own generator, from which the noise of diffusion and flow heads is drawn."""
        return rng

    def act_batch(
        self, states: Sequence[np.random.Generator], observations: Sequence[Observation]
    ) -> Sequence[NDArray[np.float64]]:
        """The next chunk of every episode.

        Raises:
            PolicyError: lerobot fails, or its answer is no [1, T, 7].
        """
        return [self._answer(one, int(rng.integers(2**63))) for rng, one in zip(states, observations, strict=True)]

    def _answer(self, look: Observation, seed: int) -> NDArray[np.float64]:
        import torch

        batch: dict[str, Any] = {
            self._keys[camera]: torch.from_numpy(look.images[camera]).permute(2, 0, 1)[None].float() / 255.0
            for camera in self.spec.cameras
        }
        if look.state.size:
            batch[STATE] = torch.from_numpy(look.state.astype(np.float32))[None]
        batch["task"] = [look.instruction]
        try:
            with torch.inference_mode(), torch.random.fork_rng():
                torch.manual_seed(seed)
                self._policy.reset()
                answer = self._after(self._policy.predict_action_chunk(self._before(batch)))
            found: NDArray[np.float64] = answer.to("cpu", torch.float64).numpy()
        except Exception as error:
            raise PolicyError(f"{self.identity} failed: {type(error).__name__}: {_first_line(error)}") from error
        if found.ndim != 3 or len(found) != 1:
            raise PolicyError(f"{self.identity} answered {list(found.shape)} to one look, not [1, T, {ACTION_DIM}]")
        chunk: NDArray[np.float64] = found[0]
        return chunk


def differences(about: Mapping[str, Any], spec: PolicySpec, keys: Mapping[str, str]) -> list[str]:
    """What the checkpoint says of itself (its `config.json`) that the option does not, one sentence each."""
    inputs, outputs = about.get("input_features") or {}, about.get("output_features") or {}
    found = []
    missing = [camera for camera in spec.cameras if camera not in keys]
    if missing:
        found.append(f"model.keys names no picture for {', '.join(missing)}")
    seen = {name for name, feature in inputs.items() if feature.get("type") == "VISUAL"}
    named = {keys[camera] for camera in spec.cameras if camera in keys}
    if seen != named:
        found.append(f"it looks at {_listed(seen)}, model.cameras and model.keys give it {_listed(named)}")
    shapes = {tuple(inputs[name].get("shape") or ()) for name in seen & named}
    for shape in sorted(shapes - {(3, *spec.image_size)}):
        found.append(f"its pictures have the shape {list(shape)}: type model.image_size={list(shape[1:])}")
    size, wanted = STATE_SIZES[spec.state], (inputs.get(STATE) or {}).get("shape", [0])
    if list(wanted) != [size]:
        found.append(f"its {STATE} has {list(wanted)} numbers, model.state={spec.state} has {size}")
    actions = (outputs.get("action") or {}).get("shape")
    if actions != [ACTION_DIM]:
        found.append(f"its actions have the shape {actions}, LIBERO's have [{ACTION_DIM}]")
    if "chunk_size" in about and about["chunk_size"] != spec.chunk:
        found.append(f"it answers {about['chunk_size']} actions: type model.chunk={about['chunk_size']}")
    if about.get("n_obs_steps", 1) != 1:
        found.append(f"it looks back {about['n_obs_steps']} steps, of which gauge shows it one")
    if about.get("temporal_ensemble_coeff") is not None:
        found.append("it averages chunks over time (temporal_ensemble_coeff), which gauge does not do")
    return found


def _described(folder: Path) -> dict[str, Any]:
    lacking = [name for name in (CONFIG, WEIGHTS) if not (folder / name).is_file()]
    if lacking:
        raise GaugeError(
            f"model.checkpoint={folder} holds no {' and no '.join(lacking)}; it is the folder that lerobot calls "
            "pretrained_model"
        )
    try:
        found: dict[str, Any] = json.loads((folder / CONFIG).read_text(encoding="utf-8"))
    except ValueError as error:
        raise GaugeError(f"{folder / CONFIG} is not JSON ({error}); copy the checkpoint again") from error
    return found


def _loaded(folder: Path, device: str) -> tuple[Any, Any, Any]:
    """The policy and its two processors."""
    from lerobot.configs.policies import PreTrainedConfig
    from lerobot.policies.factory import get_policy_class, make_pre_post_processors

    try:
        with redirect_stdout(StringIO()):  # it prints what it loads
            config = PreTrainedConfig.from_pretrained(folder)
            config.device = device
            if hasattr(config, "pretrained_backbone_weights"):
                config.pretrained_backbone_weights = None  # the checkpoint has them; nothing is fetched
            policy = get_policy_class(config.type).from_pretrained(folder, config=config, strict=True)
            moved = {"preprocessor_overrides": {"device_processor": {"device": device}}}
            before, after = make_pre_post_processors(config, pretrained_path=str(folder), **moved)
    except Exception as error:
        raise GaugeError(f"lerobot cannot load {folder}: {type(error).__name__}: {_first_line(error)}") from error
    return policy.eval(), before, after


def _imported() -> Any:
    try:
        import lerobot  # noqa: F401
        import torch
    except ImportError as error:
        raise GaugeError(
            f"model=lerobot needs the lerobot library ({error}): pip install lerobot, in an environment that it "
            "accepts (docs/models.md), or serve it and use model=act or model=smolvla"
        ) from error
    return torch


def _listed(names: set[str]) -> str:
    return ", ".join(sorted(names)) or "nothing"


def _first_line(error: Exception) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0]
