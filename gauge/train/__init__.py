"""Training of `model=tiny` on recorded demonstrations (`python -m gauge.train`)."""


def main() -> None:
    """The command; `gauge train` calls it here."""
    from gauge.train.command import main as command

    command()
