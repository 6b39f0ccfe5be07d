import subprocess
import sys


def test_an_interrupt_inside_an_executed_string_still_ends_with_130(tmp_path):
    (tmp_path / "job.py").write_text(
        "from gauge.errors import leave_interrupted\n"
        "try:\n"
        "    exec('import os, signal; os.kill(os.getpid(), signal.SIGINT)\\nfor _ in range(1000): pass')\n"
        "except KeyboardInterrupt:\n"
        "    leave_interrupted()\n"
    )
    ended = subprocess.run([sys.executable, "-m", "job"], cwd=tmp_path, capture_output=True, text=True)
    assert ended.returncode == 130
    assert ended.stderr == "interrupted; run the same command again to continue\n"
