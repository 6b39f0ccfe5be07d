"""What a plan says: amounts, rates, hours and cost, for studies and sweeps."""

import subprocess
import sys
from pathlib import Path

import pytest
from omegaconf import OmegaConf

from gauge.core.cell import Cell
from gauge.core.items import Combination
from gauge.core.record import EpisodeRecord
from gauge.errors import GaugeError
from gauge.records.fingerprint import fingerprint
from gauge.records.store import RecordWriter, open_cell
from gauge.study.estimate import paper
from gauge.study.given import check_rates
from gauge.study.rates import RATES, Speed, measured
from gauge.study.sheet import Part, Site, sheet

RATE = Speed(100, 10, 20, 5, job=36, compile=9, episode=1, physics=0.02, render=0.3, policy=0.1)


def test_the_papers_study_has_6300_instances() -> None:
    assert list(paper().values()) == [270, 4824, 126, 270, 810]
    assert sum(paper().values()) == 6300


def test_an_episode_is_the_sum_of_its_parts_and_says_what_bounds_it() -> None:
    assert RATE.parts == pytest.approx({"episode": 1, "physics": 2, "render": 6, "policy": 1})
    assert RATE.seconds == pytest.approx(10)
    assert "it is render-bound" in RATE.source
    assert Speed(100, 10, 0, episode=1, physics=0.02).unknown == ["policy"]
    assert "no rate is known for policy" in Speed(100, 10, 0, episode=1, physics=0.02).source


def rows(part: Part, site: Site, rollouts: int = 36, speed: Speed = RATE) -> tuple[str, list[str]]:
    section = sheet([part], {"m": speed}, site, rollouts, [])
    assert section.table is not None
    return str(section.table.iloc[0]["hours"]), list(section.lines)


def test_hours_are_work_over_workers_with_jobs_and_scenes() -> None:
    one = Part("s", 10, 2, 1, stored=0)  # 720 episodes: two hours of one worker
    assert rows(one, Site(1, 1, True))[0] == "2.0"
    assert rows(one, Site(2, 2, True))[0] == f"{2 / 4 + (2 * 2 * 36 + 2 * 9) / 4 / 3600:.3f}"
    # Six jobs, each of which starts two workers and compiles both scenes; ten values that are compiled anew.
    many = Part("s", 10, 2, 1, stored=0, rebuilt=10)
    assert rows(many, Site(2, 2, False))[0] == f"{2 / 4 + (2 * 6 * 2 * 36 + (6 + 10) * 2 * 9) / 4 / 3600:.3f}"
    # One policy for twenty workers answers one call after the other: 720 episodes of a second.
    assert rows(one, Site(1, 20, True))[0] == f"{(7200 + 2 * 20 * 36 + 18) / 20 / 3600:.3f}"
    assert rows(one, Site(1, 20, True, shared=True))[0] == "0.200"
    assert rows(Part("s", 10, 2, 1, stored=720), Site(1, 1, True))[0] == "0.000"


def test_cost_is_of_all_jobs_and_unknown_is_said() -> None:
    part = Part("s", 10, 2, 1, stored=0)
    _, lines = rows(part, Site(4, 1, True, price_per_hour=2.0), speed=Speed(0, 0, 0, 1, job=0, compile=0, episode=10))
    assert "Cost: 4.00 for 2.00 job-hours." in lines
    hours, lines = rows(part, Site(1, 1, True), speed=Speed(100, 10, 0))
    assert hours == "unknown"
    assert any("To measure" in line for line in lines)


def test_rates_are_means_of_stored_episodes_of_this_machine(tmp_path: Path) -> None:
    cell = Cell({"name": "pi0"}, {"name": "goal"}, Combination())
    wall = {"compile": 8.0, "load": 3.0, "start": 0.1, "settle": 0.4, "physics": 2.0, "render": 4.0, "policy": 1.0}
    later = {key: value for key, value in wall.items() if key not in ("compile", "load")}
    here = {"steps": 100, "policy_calls": 10, "frames": 20, "fingerprint": fingerprint("none")}
    away = here | {"fingerprint": here["fingerprint"] | {"host": "elsewhere"}}  # type: ignore[operator]
    first = later | {"start": 9.0}  # of a process: imports
    given = [("success", wall, here), ("fail", later, here), ("error", wall, here), ("fail", wall, away)]
    given.append(("fail", first, here))
    open_cell(tmp_path / "main" / cell.name, cell)
    with RecordWriter(tmp_path / "main" / cell.name) as writer:
        for k, (status, took, more) in enumerate(given):
            writer.write(EpisodeRecord(cell.id, "a", k, k, status, wall_s=took, **more))  # type: ignore[arg-type]
    found = measured(tmp_path, "pi0", start_s=2.0)
    assert found is not None
    assert (found.episodes, found.steps, found.calls, found.images) == (3, 100, 10, 20)
    assert (found.compile, found.episode, found.physics) == pytest.approx((8.0, 0.5, 0.02))
    assert (found.render, found.policy, found.seconds) == pytest.approx((0.2, 0.1, 7.5))
    assert found.job == 5.0
    assert measured(tmp_path, "pi1") is None
    anyones = measured(tmp_path, None)
    assert anyones is not None
    assert anyones.render == found.render


def test_rates_below_zero_are_refused() -> None:
    with pytest.raises(GaugeError, match=r"rates\.policy=-1\.0 is below zero"):
        check_rates(OmegaConf.create({**dict.fromkeys(RATES), "policy": -1.0}))


def plan(outputs: Path, *typed: str) -> str:
    command = [sys.executable, "-m", "gauge.plan", f"outputs={outputs}", *typed]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


GIVEN = ("rates.policy=0.1", "rates.render=0.002", "rates.physics=0.003", "rates.episode=0.05")


@pytest.mark.process
def test_a_study_and_a_sweep_on_the_command_line(tmp_path: Path) -> None:
    out = plan(tmp_path, "model=pi05", "suite=libero_goal", "rollouts=2", "stage=zero_shot", *GIVEN)
    assert "= 6,300 task instances" in " ".join(out.split())
    assert "it is policy-bound" in " ".join(out.split())
    clean = next(line for line in out.splitlines() if "zero_shot" in line)
    assert clean.split()[1:4] == ["10", "1", "20"]
    sweep = ("perturbation=image_shift", "value.at=0.1,0.2", "rollouts=3", "plan.price_per_hour=2")
    out = plan(tmp_path, "-m", "model=pi05", "suite=libero_goal", *sweep, *GIVEN)
    row = next(line for line in out.splitlines() if "pi05 in libero_goal" in line)
    assert row.split()[3:6] == ["20", "1", "60"]
    assert "Cost: " in out
    assert list(tmp_path.iterdir()) == []
