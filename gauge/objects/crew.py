"""Work spread over processes, with a bar on a terminal and a line now and then in a log."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import TimeoutError as TimedOut
from typing import TypeVar

from gauge.errors import GaugeError

T = TypeVar("T")
R = TypeVar("R")


def spread(work: Callable[[T], R], items: Sequence[T], processes: int, timeout_s: float) -> Iterator[tuple[T, R | str]]:
    """Each item with its result, in order; the reason in place of it where a process crashed or took too long.

    Raises:
        GaugeError: `processes` is not positive.
    """
    from multiprocessing import get_context

    from pebble import ProcessExpired, ProcessPool

    if processes < 1:
        raise GaugeError(f"processes={processes} is not possible; it is a number from 1 up")
    with ProcessPool(max_workers=processes, context=get_context("spawn")) as pool:
        results = pool.map(work, items, timeout=timeout_s).result()
        try:
            for item in items:
                try:
                    yield item, next(results)
                except TimedOut:
                    yield item, f"took longer than {timeout_s:g} s"
                except ProcessExpired as error:
                    yield item, f"the process that worked on it ended with code {error.exitcode}"
        finally:
            pool.stop()


def watched(label: str, results: Iterable[T], total: int, done: int = 0) -> Iterator[T]:
    """The results, with a bar (or lines every half minute) on the error stream."""
    from gauge.bar import Bar

    with Bar(label, total, shown=True, done=done) as bar:
        for count, result in enumerate(results, done + 1):
            bar.update(count, "")
            yield result
