"""The pure core: nouns, ids, seeds, metrics and sweep rules. Imports no simulator and no Hydra."""
