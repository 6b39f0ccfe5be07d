"""Commands that are made of verbs: `gauge run`, `gauge demos collect`."""

import sys
from collections.abc import Mapping

from gauge.errors import unknown


def pick(program: str, verbs: Mapping[str, str]) -> str:
    """The verb that was typed, taken off the command line.

    Without one, or with --help, all verbs are listed and the process ends with 0; an unknown one ends it with 2.

    Args:
        program: what is typed before the verb, e.g. `gauge demos`.
        verbs: each with what it does.
    """
    verb, *rest = sys.argv[1:] or ["--help"]
    if verb in ("-h", "--help"):
        width = max(map(len, verbs))
        lines = [f"  {program} {name:<{width}}  {what}" for name, what in verbs.items()]
        print("\n".join([f"Usage: {program} <verb> ...", "", *lines, "", f"{program} <verb> --help says more."]))
        sys.exit(0)
    if verb not in verbs:
        print(f"error: {unknown('verb', verb, list(verbs))}", file=sys.stderr)
        sys.exit(2)
    sys.argv = [f"{program} {verb}", *rest]
    return verb
