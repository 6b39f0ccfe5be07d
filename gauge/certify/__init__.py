"""Certificates of scenarios: valid starts, a solution, no shortcut (`python -m gauge.certify`)."""


def main() -> None:
    """The command; `gauge certify` calls it here."""
    from gauge.certify.command import main as command

    command()
