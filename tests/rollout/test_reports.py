from gauge.rollout.reports import planned_by

JOB = {"n": 2, "errors": 0, "rollouts": 2, "study_dir": "outputs/x"}


def test_a_suite_whose_scenarios_are_named_after_others_misses_what_it_lacks() -> None:
    jobs = [
        JOB | {"cell_id": "1", "suite": "anchors", "scenarios": ("libero_goal/a", "libero_10/b")},
        JOB | {"cell_id": "2", "suite": "anchors", "scenarios": ("libero_goal/a",)},
        JOB | {"cell_id": "3", "suite": "libero_goal", "scenarios": ("libero_goal/a", "libero_goal/c")},
    ]
    planned = planned_by(jobs)
    assert planned.scenarios == ("libero_goal/a", "libero_10/b", "libero_goal/c")
    assert planned.left_out == (("2", 1),)
    wanted = [
        planned.episodes(suite, cell) for suite, cell in (("anchors", "1"), ("anchors", "2"), ("libero_goal", "3"))
    ]
    assert wanted == [4, 2, 4]
