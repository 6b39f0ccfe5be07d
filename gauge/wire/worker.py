"""One thread that runs blocking calls in order, so that a busy policy never blocks the heartbeats."""

from collections.abc import Callable
from concurrent.futures import Future
from queue import SimpleQueue
from threading import Thread
from typing import Any, TypeVar

T = TypeVar("T")


class Worker:
    """A queue and the one thread that empties it.

    The thread is a daemon: the process may end while a long inference is still running, which a
    `ThreadPoolExecutor` would wait for. One thread for all calls also keeps policies that share a
    model or an accelerator context from running at the same time.
    """

    def __init__(self) -> None:
        self._jobs: SimpleQueue[tuple[Future[Any], Callable[[], Any]]] = SimpleQueue()
        Thread(target=self._run, name="policy", daemon=True).start()

    def submit(self, job: Callable[[], T]) -> "Future[T]":
        """Queue `job`; its result or exception arrives in the future."""
        future: Future[T] = Future()
        self._jobs.put((future, job))
        return future

    def _run(self) -> None:
        while True:
            future, job = self._jobs.get()
            if not future.set_running_or_notify_cancel():
                continue
            try:
                future.set_result(job())
            except BaseException as error:
                future.set_exception(error)
