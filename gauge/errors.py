"""Faults a user can act on. Each carries the exit code of the process and prints as one sentence."""

import sys
from difflib import get_close_matches
from typing import ClassVar, NoReturn

INTERRUPTED = "interrupted; run the same command again to continue"


class GaugeError(Exception):
    """A user fault: what was wrong, what is allowed, what to type. No traceback is shown."""

    exit_code: ClassVar[int] = 2


class IncompleteError(GaugeError):
    """Some episode or cell could not be evaluated; everything that could be is stored."""

    exit_code: ClassVar[int] = 3


class PolicyError(GaugeError):
    """The policy could not act (bad chunk, lost connection, time-out); the episode is an error."""

    exit_code: ClassVar[int] = 3


class SceneError(GaugeError):
    """The scene is not valid (unsettled, goal already true, black frame); the episode is an error."""

    exit_code: ClassVar[int] = 3


class NotApplicableError(GaugeError):
    """A perturbation makes no sense in a scenario (no object to move, a colour that is named): nothing is run."""


def unknown(kind: str, name: str, known: list[str]) -> GaugeError:
    """The error for a name that is not in `known`: the closest names first, then how many there are."""
    holding = [other for other in known if name and name.lower() in other.lower()]
    close = list(dict.fromkeys([*holding, *get_close_matches(name, known, n=3, cutoff=0.4)]))[:3]
    shown = close or sorted(known)[:10]
    lead = "did you mean" if close else "known:"
    more = "" if close or len(known) <= 10 else f", ... ({len(known)} in all)"
    return GaugeError(f"unknown {kind} {name!r}; {lead} {', '.join(shown)}{more}")


def leave_interrupted(sentence: str = "") -> NoReturn:
    """End the process after Ctrl-C: the sentence on stderr, exit code 130.

    CPython remembers an interrupt that fell into `exec` of a string, as imports of scipy or dataclasses have it, and
    would make the process look killed (-2) although it was handled; executing another string makes it forget.
    """
    exec("")
    print(sentence or INTERRUPTED, file=sys.stderr)
    sys.exit(130)
