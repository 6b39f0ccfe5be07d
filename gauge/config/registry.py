"""Which class stands behind a `kind`, and which schema its option has; classes are imported when asked for."""

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Generic, TypeVar

from gauge.config import models, schema
from gauge.config.profiles import ServedModel
from gauge.core.policy import Policy
from gauge.errors import unknown
from gauge.perturbations.base import Perturbation

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Entry(Generic[T]):
    """One kind: `target` is `module:Class`, `schema` the dataclass that its YAML names first."""

    target: str
    schema: type

    def load(self) -> type[T]:
        """The class, imported now."""
        module, _, name = self.target.partition(":")
        found: Any = getattr(import_module(module), name)
        return found  # type: ignore[no-any-return]


@dataclass(frozen=True, slots=True)
class Registry(Generic[T]):
    """All kinds of one config group."""

    group: str
    entries: Mapping[str, Entry[T]]

    def entry(self, kind: str) -> Entry[T]:
        """The entry of that kind.

        Raises:
            GaugeError: there is none; the closest are named.
        """
        if kind not in self.entries:
            raise unknown(f"{self.group}.kind", kind, list(self.entries))
        return self.entries[kind]


MODELS: Registry[Policy] = Registry(
    "model",
    {
        "expert": Entry("gauge.policies.expert:ExpertPolicy", models.ExpertModel),
        "random": Entry("gauge.policies.random:RandomPolicy", models.ChunkedModel),
        "noop": Entry("gauge.policies.noop:NoopPolicy", models.ChunkedModel),
        "remote": Entry("gauge.policies.remote:RemotePolicy", models.RemoteModel),
        "served": Entry("gauge.policies.served.policy:ServedPolicy", ServedModel),
        "served_batch": Entry("gauge.policies.served.policy:ServedBatchPolicy", ServedModel),
        "torch": Entry("gauge.policies.torch_module:TorchPolicy", models.TorchModel),
        "lerobot": Entry("gauge.policies.lerobot:LeRobotPolicy", models.LeRobotModel),
        "tiny": Entry("gauge.policies.tiny:TinyPolicy", models.TinyModel),
        "replay": Entry("gauge.policies.replay:ReplayPolicy", models.ReplayModel),
        "open_loop": Entry("gauge.policies.replay:OpenLoopPolicy", models.OpenLoopModel),
        "teleop": Entry("gauge.policies.teleop:TeleopPolicy", models.TeleopModel),
        "synthetic": Entry("gauge.policies.synthetic:SyntheticModel", models.SyntheticModel),
    },
)

ATTRIBUTES = (
    "action_bias",
    "action_drop",
    "action_noise",
    "background",
    "background_surface",
    "camera_distance",
    "camera_horizontal",
    "camera_orientation_pitch",
    "camera_orientation_roll",
    "camera_orientation_yaw",
    "camera_vertical",
    "distractor_distance",
    "distractor_number",
    "distractor_type",
    "execution_delay",
    "gripper_state",
    "image_erasing",
    "image_occlusions",
    "image_rotation",
    "image_shift",
    "light_diffuse",
    "light_direction",
    "light_shadow",
    "light_specular",
    "noise",
    "placed_object_color",
    "placed_object_texture",
    "robot_initial_state",
    "target_object_color",
    "target_object_orientation",
    "target_object_position",
    "target_object_scale",
    "target_object_texture",
)


def _class_of(attribute: str) -> str:
    """One stem everywhere: image_shift is `gauge.perturbations.image_shift:ImageShift`."""
    return f"gauge.perturbations.{attribute}:{''.join(part.capitalize() for part in attribute.split('_'))}"


PERTURBATIONS: Registry[Perturbation] = Registry(
    "perturbation", {name: Entry(_class_of(name), schema.Attribute) for name in ATTRIBUTES}
)
