"""`model=torch`: any torch module as a policy, in this process, with its checkpoint read strictly."""

import hashlib
import inspect
import pickle
import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from gauge.core.contract import agree, declared_part
from gauge.core.policy import BatchPolicy, Observation, PolicySpec
from gauge.errors import GaugeError, PolicyError

if TYPE_CHECKING:
    import torch

TOLD = 4  # tensors that an error names


class TorchPolicy(BatchPolicy["torch.Generator"]):
    """A module whose call answers a batch of looks.

    It is called as `module(images, state, instructions)`: images is camera name to uint8 [B, H, W, 3], RGB, in the
    spec's orientation; state float32 [B, S] in the spec's layout; instructions a list of B texts. It answers [B, T, 7].
    One that draws takes a `generator=` too, which is the episode's own. It remembers nothing between calls. A mapping
    `spec` in it says of fields of the spec what it was trained with, which is compared.

    Unless `batched`, every look is a call of its own, so that results do not depend on who else asks: a product over a
    batch may differ in its last bits from one row's.
    """

    def __init__(
        self,
        spec: PolicySpec,
        module: str,
        checkpoint: str | None = None,
        settings: Mapping[str, Any] | None = None,
        device: str = "cpu",
        threads: int | None = None,
        batched: bool = False,
    ) -> None:
        """Build the module and load its checkpoint.

        Args:
            spec: what it is shown and what it answers.
            module: `package.file:Name` of a class or function that makes the module from `settings`.
            checkpoint: a file of `torch.save` with its tensors, alone or under `state_dict`; None loads nothing.
            settings: keyword arguments of whoever makes the module.
            device: torch's name of it.
            threads: that torch uses on the CPU; None leaves its default.
            batched: whether several looks may be answered in one call.

        Raises:
            GaugeError: torch, the module or the checkpoint cannot be used, or the module declares another spec.
        """
        torch = _torch()
        self.spec = spec
        if threads is not None:
            torch.set_num_threads(threads)
        try:
            self._device = torch.device(device)
            self._net = _made(module, settings or {}).to(self._device)
        except RuntimeError as error:
            raise GaugeError(f"model.device={device} cannot be used: {_first_line(error)}") from error
        declared = getattr(self._net, "spec", {})
        if not isinstance(declared, Mapping):
            raise GaugeError(
                f"{module} declares spec as a {type(declared).__name__}, not as a mapping of a spec's fields"
            )
        advice = "correct the settings of model=torch, or point it at another module"
        agree(module, declared_part(spec, declared), advice, "module")
        digest = "untrained"
        if checkpoint is not None:
            load_strictly(self._net, Path(checkpoint))
            digest = hashlib.sha256(Path(checkpoint).read_bytes()).hexdigest()[:12]
        self._net.eval()
        self._draws = "generator" in inspect.signature(self._net.forward).parameters
        self._batched = batched and not self._draws
        self.identity = f"torch/{module}/{digest}"

    def begin(self, instruction: str, rng: np.random.Generator) -> "torch.Generator":
        """The episode's own generator."""
        found: torch.Generator = _torch().Generator(self._device).manual_seed(int(rng.integers(2**63)))
        return found

    def act_batch(
        self, states: "Sequence[torch.Generator]", observations: Sequence[Observation]
    ) -> Sequence[NDArray[np.float64]]:
        """The next chunk of every episode.

        Raises:
            PolicyError: the module fails, or its answer is no [B, T, 7].
        """
        if self._batched:
            return list(self._answers(observations, {}))
        drawn = [{"generator": state} if self._draws else {} for state in states]
        return [self._answers([one], extra)[0] for one, extra in zip(observations, drawn, strict=True)]

    def _answers(self, looks: Sequence[Observation], extra: Mapping[str, Any]) -> NDArray[np.float64]:
        torch = _torch()
        images = {camera: self._tensor([look.images[camera] for look in looks]) for camera in self.spec.cameras}
        state = self._tensor([look.state.astype(np.float32) for look in looks])
        try:
            with torch.inference_mode():
                answer = self._net(images, state, [look.instruction for look in looks], **extra)
            found: NDArray[np.float64] = answer.to("cpu", torch.float64).numpy()
        except Exception as error:
            raise PolicyError(f"{self.identity} failed: {type(error).__name__}: {_first_line(error)}") from error
        if found.ndim != 3 or len(found) != len(looks):
            raise PolicyError(f"{self.identity} answered {list(found.shape)} to {len(looks)} looks, not [B, T, 7]")
        return found

    def _tensor(self, rows: Sequence[NDArray[Any]]) -> "torch.Tensor":
        found: torch.Tensor = _torch().from_numpy(np.stack(rows)).to(self._device)
        return found


def load_strictly(net: "torch.nn.Module", path: Path) -> None:
    """Fill the module's tensors from the file; each of them and no others have to be in it.

    Raises:
        GaugeError: the file is missing, damaged, holds more than tensors, or those of another architecture.
    """
    torch = _torch()
    try:
        stored = torch.load(path, map_location="cpu", weights_only=True)
    except FileNotFoundError as error:
        raise GaugeError(f"model.checkpoint={path} does not exist") from error
    except pickle.UnpicklingError as error:
        raise GaugeError(
            f"{path} holds more than tensors, which could run code when it is read; save module.state_dict() alone"
        ) from error
    except Exception as error:  # bytes of any other kind make torch's reader fail in ways of every kind
        raise GaugeError(f"{path} is no whole checkpoint ({_first_line(error)}); copy or save it again") from error
    tensors = stored.get("state_dict", stored) if isinstance(stored, Mapping) else None
    if not isinstance(tensors, Mapping) or not all(torch.is_tensor(one) for one in tensors.values()):
        raise GaugeError(f"{path} holds no tensors by name; save module.state_dict()")
    wanted = net.state_dict()
    shapes = [name for name in wanted if name in tensors and wanted[name].shape != tensors[name].shape]
    told = [
        _told("lacks", [name for name in wanted if name not in tensors]),
        _told("has too much", [name for name in tensors if name not in wanted]),
        _told("has another shape of", shapes),
    ]
    if any(told):
        raise GaugeError(f"{path} belongs to another architecture: it {'; it '.join(filter(None, told))}")
    net.load_state_dict(tensors)


def _made(name: str, settings: Mapping[str, Any]) -> "torch.nn.Module":
    where, _, what = name.partition(":")
    if "" not in sys.path:
        sys.path.insert(0, "")  # a module beside the command, in worker processes too
    try:
        make = getattr(import_module(where), what)
    except (ImportError, AttributeError, ValueError) as error:
        raise GaugeError(f"model.module={name} cannot be imported ({error}); write package.file:Name") from error
    try:
        net = make(**settings)
    except TypeError as error:
        raise GaugeError(f"model.module={name} does not take model.settings={dict(settings)}: {error}") from error
    if not isinstance(net, _torch().nn.Module):
        raise GaugeError(f"model.module={name} makes a {type(net).__name__}, not a torch.nn.Module")
    found: torch.nn.Module = net
    return found


def _told(what: str, names: Sequence[str]) -> str:
    more = f" and {len(names) - TOLD} more" if len(names) > TOLD else ""
    return f"{what} {', '.join(names[:TOLD])}{more}" if names else ""


def _first_line(error: Exception) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0]


def _torch() -> Any:
    try:
        import torch
    except ImportError as error:
        raise GaugeError("model=torch needs torch: pip install torch") from error
    return torch
