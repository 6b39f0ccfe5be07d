"""Perturbations: one small value object per attribute, one file each."""


def main() -> None:
    """`python -m gauge.perturbations`; the command sees the config and the scenes, so it lives above this package."""
    from importlib import import_module

    import_module("gauge.space").main()
