"""A model's server that the evaluation starts itself, and that is gone with it."""

import signal
import subprocess
import sys
import time

import pytest
from commands import command, finish, records, wait_for_records

pytestmark = pytest.mark.sim
SERVED = ["model=remote", "model.name=served", "model.cameras=[]", "model.state=none", "model.executed=10"]
SMALL = ["suite=libero_goal", "suite.tasks=[0]", "suite.horizon=20", "video=off", "workers=1", "cluster.serve=true"]


def serve(words):
    return f'model.serve="{sys.executable} {words}"'


def servers(mark):
    return subprocess.run(["pgrep", "-f", mark], capture_output=True, text=True).stdout.split()


def gone(mark, seconds=15):
    end = time.monotonic() + seconds
    while servers(mark) and time.monotonic() < end:
        time.sleep(0.1)
    return not servers(mark)


def test_one_server_serves_all_cells_and_ends_with_them(tmp_path):
    mark = "gauge.serve model=random model.executed=10"
    typed = [*SERVED, *SMALL, serve(f"-m {mark} port={{port}}"), "rollouts=2"]
    code, out, err = finish(command("-m", *typed, "seed=0,1", outputs=tmp_path))
    assert code == 0, err
    assert {record["model_identity"] for record in records(tmp_path)} == {"random/1"}
    assert len(records(tmp_path)) == 4
    assert len(list(tmp_path.rglob("server.log"))) == 1
    assert gone(mark)
    code, out, err = finish(command(*typed, outputs=tmp_path))
    assert code == 0, err
    assert "started the server" not in err + out, "all is stored"


def test_a_killed_evaluation_leaves_no_server(tmp_path):
    mark = "gauge.serve model=random model.chunk=20 model.executed=10"
    typed = [*SERVED, *SMALL, "model.chunk=20", serve(f"-m {mark} port={{port}}"), "rollouts=50"]
    process = command(*typed, outputs=tmp_path)
    wait_for_records(tmp_path, 1)
    assert servers(mark)
    process.send_signal(signal.SIGKILL)
    finish(process)
    assert gone(mark)


@pytest.mark.parametrize(
    ("words", "patience", "reason"),
    [
        ("-c 'print(1234); raise SystemExit(7)'", 60, ("ended with code 7; it said: ", "1234")),
        ("-c 'import time; time.sleep(60)'", 2, ("accepts no connection within 2 s",)),
    ],
)
def test_a_server_that_does_not_come_up_is_one_sentence(tmp_path, words, patience, reason):
    typed = [*SERVED, *SMALL, serve(words), f"model.serve_timeout_s={patience}", "rollouts=1"]
    code, _, err = finish(command(*typed, outputs=tmp_path))
    assert code == 2, err
    assert all(part in err for part in reason), err
    assert err.count("error:") == 1
    assert records(tmp_path) == []


def test_a_model_without_a_command_is_refused(tmp_path):
    code, _, err = finish(command("model=random", *SMALL, "rollouts=1", outputs=tmp_path))
    assert code == 2
    assert "names no command that starts its server: add model.serve=" in err
