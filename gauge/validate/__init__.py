"""Validation of perturbation values: effect, feasibility, semantics (`python -m gauge.validate`)."""


def main() -> None:
    """The command; `gauge validate` calls it here."""
    from gauge.validate.command import main as command

    command()
