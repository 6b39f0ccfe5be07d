"""A reader of a command's output that has seen enough, such as `head`, ends the command without a traceback."""

import os
import select
import sys
from collections.abc import Iterator
from contextlib import contextmanager

CLOSED = 141  # what a shell says of a command that SIGPIPE ended


@contextmanager
def may_close() -> Iterator[None]:
    """Around a command's main function: if nobody reads its output any more, it ends there with exit code 141.

    SIGPIPE itself stays ignored, as Python has it: it would also end a run whose policy server went away.
    """
    try:
        try:
            yield
        finally:
            sys.stdout.flush()
    except BrokenPipeError as error:
        if not output_closed(error):
            raise
        sys.exit(give_up())


def output_closed(error: BaseException) -> bool:
    """Whether an error says that nobody reads the output any more, and not that some other pipe is closed."""
    if not isinstance(error, BrokenPipeError):
        return False
    watch = select.poll()
    watch.register(sys.stdout.fileno(), 0)
    return any(event & select.POLLERR for _, event in watch.poll(0))


def give_up() -> int:
    """Let what is left of the output go nowhere, or Python would complain about it at exit; the exit code."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return CLOSED
