"""Results on disk: written a line at a time, locked per cell, compacted, read as tables; `python -m gauge.records`."""


def main() -> None:
    """The command."""
    from gauge.records.command import main as command

    command()
