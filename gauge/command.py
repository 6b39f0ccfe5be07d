"""What every command does alike: how it picks a verb, and how it ends on a fault, Ctrl-C or a closed output."""

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from gauge.errors import GaugeError, leave_interrupted, unknown
from gauge.pipes import may_close


@contextmanager
def command(interrupted: str = "") -> Iterator[None]:
    """Around a command's main function: a user fault ends it with one sentence and its exit code, never a traceback.

    Args:
        interrupted: what to say after Ctrl-C, which ends it with 130, unless the usual sentence will do.
    """
    try:
        with may_close():
            yield
    except GaugeError as fault:
        sys.exit(say(fault))
    except KeyboardInterrupt:
        leave_interrupted(interrupted)


def say(fault: GaugeError) -> int:
    """Print a user fault to stderr and return its exit code."""
    print(f"error: {fault}", file=sys.stderr)
    return fault.exit_code


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
        sys.exit(say(unknown("verb", verb, list(verbs))))
    sys.argv = [f"{program} {verb}", *rest]
    return verb
