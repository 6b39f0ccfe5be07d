"""Demonstrations: recorded, checked, rendered, replayed under perturbation, exported (`python -m gauge.demos`)."""


def main() -> None:
    """The command; `gauge demos` calls it here."""
    from gauge.demos.command import main as command

    command()
