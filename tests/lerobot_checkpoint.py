"""Writes a small ACT checkpoint of lerobot's own, untrained, and what lerobot itself answers to one look.

python tests/lerobot_checkpoint.py FOLDER
"""

import sys
from pathlib import Path

import numpy as np
import torch
from lerobot.configs.types import FeatureType, NormalizationMode, PolicyFeature
from lerobot.policies.act.configuration_act import ACTConfig
from lerobot.policies.act.modeling_act import ACTPolicy
from lerobot.policies.factory import make_pre_post_processors

SIDE, CHUNK = 64, 12
VIEWS = ("observation.images.image", "observation.images.image2")


def look(seed: int = 0) -> tuple[list[np.ndarray], np.ndarray]:
    """Two pictures and proprioception."""
    rng = np.random.default_rng(seed)
    return [rng.integers(0, 256, (SIDE, SIDE, 3), dtype=np.uint8) for _ in VIEWS], rng.normal(size=8)


def main(folder: Path) -> None:
    """Save the checkpoint, its processors, and `answer.npy`."""
    torch.manual_seed(0)
    config = ACTConfig(
        input_features={name: PolicyFeature(FeatureType.VISUAL, (3, SIDE, SIDE)) for name in VIEWS}
        | {"observation.state": PolicyFeature(FeatureType.STATE, (8,))},
        output_features={"action": PolicyFeature(FeatureType.ACTION, (7,))},
        normalization_mapping=dict.fromkeys(("VISUAL", "STATE", "ACTION"), NormalizationMode.MEAN_STD),
        chunk_size=CHUNK, n_action_steps=CHUNK, dim_model=32, n_heads=2, dim_feedforward=64, n_encoder_layers=1,
        n_vae_encoder_layers=1, latent_dim=8, pretrained_backbone_weights=None, device="cpu", push_to_hub=False,
    )  # fmt: skip
    stats = {name: {"mean": torch.full((3, 1, 1), 0.4), "std": torch.full((3, 1, 1), 0.2)} for name in VIEWS}
    stats["observation.state"] = {"mean": torch.arange(8.0) / 10, "std": torch.full((8,), 2.0)}
    stats["action"] = {"mean": torch.arange(7.0) / 20, "std": torch.full((7,), 0.3)}
    policy = ACTPolicy(config).eval()
    before, after = make_pre_post_processors(config, dataset_stats=stats)
    policy.save_pretrained(folder)
    before.save_pretrained(folder)
    after.save_pretrained(folder)
    images, state = look()
    batch = {
        name: torch.from_numpy(one).permute(2, 0, 1)[None] / 255.0 for name, one in zip(VIEWS, images, strict=True)
    }
    batch["observation.state"] = torch.from_numpy(state).float()[None]
    policy.reset()
    with torch.inference_mode():
        actions = [after(policy.select_action(before(dict(batch)))) for _ in range(CHUNK)]
    np.save(folder / "answer.npy", torch.cat(actions).numpy())


if __name__ == "__main__":
    main(Path(sys.argv[1]))
