"""One process after the other: a turn at a table that is read, changed and written again."""

import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from gauge.errors import GaugeError
from gauge.records.lock import CellLock, LockedError

PATIENCE_S = 300.0  # a turn takes milliseconds; that of a process killed on another host ends after 120 s
POLL_S = 0.02


@contextmanager
def turn(path: Path, patience_s: float = PATIENCE_S) -> Iterator[None]:
    """Wait until no other process has its turn at `path`, then have it until the block ends.

    The lock is in a hidden folder beside the file, which stays there, empty but for a few bytes.

    Raises:
        GaugeError: another process had its turn for longer than `patience_s`.
        IncompleteError: the folder cannot be written.
    """
    end = time.monotonic() + patience_s
    with ExitStack() as held:
        while True:
            try:
                held.enter_context(CellLock(path.with_name(f".{path.name}.turn")))
                break
            except LockedError as error:
                if time.monotonic() >= end:
                    raise GaugeError(
                        f"{path} has been in other hands for {patience_s:g} s ({error.holder}); end that process, or "
                        "wait, then run the same command again"
                    ) from error
            time.sleep(POLL_S)
        yield
