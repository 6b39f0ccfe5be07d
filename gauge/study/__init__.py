"""`python -m gauge.study`: plan cells, run what is missing, compute the protocol's stages, continue from there."""


def main() -> None:
    """The command."""
    from gauge.study.command import main as command

    command()
