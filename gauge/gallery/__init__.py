"""Pictures of scenarios: how each starts, and how some are solved (`python -m gauge.suites gallery`)."""


def main() -> None:
    """The command."""
    from gauge.gallery.command import main as command

    command()
