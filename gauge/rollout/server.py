"""A model's own server, started beside the workers, used by all cells of this process, and stopped with it."""

import atexit
import logging
import socket
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from omegaconf import DictConfig, open_dict

from gauge.errors import GaugeError
from gauge.jobs.counts import tail

log = logging.getLogger(__name__)
HERE = "127.0.0.1"
POLL_S = 0.2
LOG = "server.log"


@dataclass(frozen=True, slots=True)
class Server:
    """A running server: its guard, which ends it when this process is gone, its port and what it prints."""

    guard: "subprocess.Popen[bytes]"
    port: int
    log: Path

    def stop(self) -> None:
        """End it and wait until it is gone."""
        assert self.guard.stdin is not None
        self.guard.stdin.close()
        self.guard.wait()

    def wait_until_ready(self, command: str, seconds: float) -> None:
        """Wait until it accepts connections.

        Raises:
            GaugeError: it ended, or it does not within that time.
        """
        limit = time.monotonic() + seconds
        while self.guard.poll() is None and time.monotonic() < limit:
            try:
                socket.create_connection((HERE, self.port), timeout=POLL_S).close()
            except OSError:
                time.sleep(POLL_S)
            else:
                return
        ended = self.guard.poll()
        why = f"accepts no connection within {seconds:g} s" if ended is None else f"ended with code {ended}"
        last = " | ".join(tail(self.log, 3)) or "nothing"
        raise GaugeError(f"the server of model.serve='{command}' {why}; it said: {last} ({self.log})")


_running: dict[tuple[str, str | None], Server] = {}  # of this process: a pack of cells loads a model once


def beside(cfg: DictConfig, folder: Path) -> DictConfig:
    """The config with the address of a server that runs here, started if none does yet; its output goes to `folder`.

    Raises:
        GaugeError: the server does not come up.
    """
    command, where = cfg.model.serve, cfg.model.serve_from
    server = _running.get((command, where))
    if server is None or server.guard.poll() is not None:
        server = _running[command, where] = _start(command, where, folder / LOG)
        try:
            server.wait_until_ready(command, cfg.model.serve_timeout_s)
        except BaseException:
            _running.pop((command, where)).stop()
            raise
    found = cfg.copy()
    with open_dict(found):
        found.model.host, found.model.port = HERE, server.port
    return found


def _start(command: str, where: str | None, output: Path) -> Server:
    with socket.create_server((HERE, 0)) as free:
        port = free.getsockname()[1]
    typed = [sys.executable, "-m", "gauge.rollout.guard", command.replace("{port}", str(port))]
    with output.open("ab") as file:
        try:
            guard = subprocess.Popen(
                typed, stdin=subprocess.PIPE, stdout=file, stderr=subprocess.STDOUT, cwd=where, start_new_session=True
            )
        except OSError as error:
            raise GaugeError(f"model.serve_from={where} cannot be entered ({error.strerror})") from error
    log.info("started the server of the model on port %d; it writes to %s", port, output)
    return Server(guard, port, output)


def _stop_all() -> None:
    while _running:
        _running.popitem()[1].stop()


atexit.register(_stop_all)
