"""Which jobs `control=all` stands for."""

from gauge.core.control import called, expand, parted


def test_all_controls_of_a_job() -> None:
    job = ["model=tiny", "model.threads=2", "suite=libero_goal", "control=all", "control.demos=d"]
    rest = ["model=tiny", "model.threads=2", "suite=libero_goal"]
    assert expand(job, "d") == [
        rest,
        [*rest, "control=black"],
        [*rest, "control=swapped"],
        ["suite=libero_goal", "model=replay_other", "model.demos=d"],
    ]


def test_without_demonstrations_nothing_is_replayed() -> None:
    assert len(expand(["control=all", "model=tiny"], None)) == 3


def test_a_model_under_control_has_a_name_of_its_own_that_can_be_taken_apart() -> None:
    assert parted(called("pi05", "black")) == ("pi05", "black pictures")
    assert parted("pi05+lora") == ("pi05+lora", "")
    assert parted("+black") == ("+black", "")
