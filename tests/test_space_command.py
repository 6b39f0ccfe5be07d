"""`python -m gauge.perturbations` as a person types it."""

import sys

import pytest

from gauge import space


def typed(monkeypatch, *words):
    monkeypatch.setattr(sys, "argv", ["perturbations", *words])
    space.main()


def test_the_whole_space_is_3_11_33_268(monkeypatch, capsys):
    typed(monkeypatch, "list")
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "3 categories, 11 factors, 33 attributes, 268 values"
    assert "visual: 6 factors, 16 attributes, 136 values" in lines
    assert "spatial: 3 factors, 11 attributes, 97 values" in lines
    assert "control: 2 factors, 6 attributes, 35 values" in lines
    assert "    target_object_scale (4; compile; static only; paper)" in lines
    assert "    execution_delay (5; action; static or dynamic; assumption)" in lines


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["show"], "nothing to show; name an attribute"),
        (["show", "image_shft"], "unknown perturbation 'image_shft'; did you mean image_shift"),
        (["show", "noise", "--task", "libero_goal"], "not a suite and an index"),
        (["show", "noise", "--task", "libero_goal/99"], "libero_goal has tasks 0 to 9"),
    ],
)
def test_what_cannot_be_drawn_says_why(monkeypatch, capsys, words, said):
    with pytest.raises(SystemExit) as stopped:
        typed(monkeypatch, *words)
    assert stopped.value.code == 2
    assert said in capsys.readouterr().err


def test_a_long_caption_is_parted_near_its_middle():
    from gauge.rollout.strips import _lines

    assert _lines("fog:6", 128) == ["fog:6"]
    assert _lines("white-marble+dark-gray-plaster", 128) == ["white-marble+", "dark-gray-plaster"]
    assert _lines("martin_novak_wood_table", 128) == ["martin_novak_", "wood_table"]
    assert _lines("unbreakablelongcaption", 64) == ["unbreakablelongcaption"]


@pytest.mark.sim
def test_a_strip_holds_the_clean_frame_and_one_per_value(screen, goal_scene):
    import numpy as np

    from gauge.rollout.strips import CAPTION_PX, strip

    shift = next(one for one in space.attributes() if one.attribute == "image_shift")
    drawn = strip(goal_scene, shift, 64)
    above = CAPTION_PX * 2  # "clean (0.0)" takes two lines at this size
    assert drawn.shape == (2 * (64 + above), 6 * 64, 3)
    clean, last = drawn[above : above + 64, :64], drawn[-64:, 4 * 64 : 5 * 64]
    assert np.array_equal(last[:, 13:], clean[:, :-13])
    assert (drawn[-64:, 5 * 64 :] == 255).all()
