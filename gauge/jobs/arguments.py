"""The command lines of `gauge.status` and `gauge.collect`, which name a sweep in the same way."""

import argparse
import os
from pathlib import Path


def parser(verb: str, what: str, epilog: str) -> argparse.ArgumentParser:
    """A parser that knows the folder; `GAUGE_OUTPUTS` or `outputs` unless one is given."""
    made = argparse.ArgumentParser(
        prog=f"python -m gauge.{verb}",
        description=what,
        epilog=epilog,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    default = Path(os.environ.get("GAUGE_OUTPUTS", "outputs"))
    made.add_argument("folder", nargs="?", type=Path, default=default, help="of a sweep, a study or all outputs")
    return made
