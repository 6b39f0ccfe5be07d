"""The profiles as data, and the one pipeline that applies them."""

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from omegaconf import OmegaConf

from gauge.config.profiles import profile
from gauge.errors import GaugeError, PolicyError
from gauge.models import command
from gauge.models.read import option, profiles, served
from gauge.policies.served.actions import actions, gripper, pose
from gauge.policies.served.picture import changed, seen, sent
from gauge.policies.served.profile import Gripper, Step, View
from gauge.wire.dialects import DIALECTS, dialect

PAPER = (
    "univla", "openvla_oft", "ript_vla", "simplevla_rl", "cronusvla", "pi05", "nora", "gr00t_n1_5", "deepthinkvla",
    "xvla", "evo1", "vla_adapter_pro",
)  # fmt: skip
OTHERS = ("openvla", "pi0", "pi0_fast", "smolvla", "act")
NAMES = PAPER + OTHERS
DELTA = np.array([0.1, -0.2, 0.3, -0.4, 0.5, -0.6])


def test_all_models_of_the_paper_and_five_more_have_a_profile() -> None:
    found = {model.name: bool(model.about.in_paper) for model in profiles()}
    assert found == {name: name in PAPER for name in NAMES}


def test_the_page_of_models_names_every_profile_and_how_to_start_its_server() -> None:
    page = (Path(__file__).parents[2] / "docs" / "models.md").read_text()
    for model in profiles():
        assert page.count(f"\n| `{model.name}` |") >= 2, model.name
        assert f"(`model={model.name}`, protocol `{model.protocol}`, port {model.port})" in page
        for line in model.about.start.split(" && ") if not model.about.start.startswith("unknown") else ():
            assert line in page


@pytest.mark.parametrize("name", NAMES)
def test_every_profile_can_be_applied_and_says_everything(name: str) -> None:
    model = served(name)
    found = profile(model)
    assert found.protocol in DIALECTS
    assert dialect(found.protocol)
    assert not OmegaConf.missing_keys(model)
    about: Any = OmegaConf.to_container(model.about)
    assert all(value not in (None, "", {}) for value in about.values())
    assert about["sources"]
    assert about["checkpoints"]
    if isinstance(about["chunk"], int) and found.protocol != "vla_eval":
        assert (found.chunk, found.executed) == (about["chunk"], about["executed"])
    if found.protocol == "vla_eval":
        assert (found.chunk, found.executed) == (1, 1), "vla-eval answers one action per observation"


OPENS_ON_ONE = (
    "ript_vla",
    "simplevla_rl",
    "vla_adapter_pro",
    "univla",
    "cronusvla",
    "nora",
    "gr00t_n1_5",
    "evo1",
    "openvla",
)


@pytest.mark.parametrize("name", NAMES)
def test_an_open_hand_stays_open_in_the_environment(name: str) -> None:
    """In the environment -1 opens; what a model (or its server) calls open comes from its evaluation code."""
    found = profile(served(name))
    opened = {"xvla": 0.1}.get(name, 0.9 if name in OPENS_ON_ONE else -1.0)
    closed = {"xvla": 0.9}.get(name, 0.1 if name in OPENS_ON_ONE else 1.0)
    assert gripper(np.array([opened, closed]), found.gripper).tolist() == [-1.0, 1.0]


@pytest.mark.parametrize("name", NAMES)
def test_only_x_vlas_wrist_picture_is_not_turned(name: str) -> None:
    found = profile(served(name))
    turned = {view.camera: view.turn for view in found.views}
    assert turned["agentview"] == "mirrored"
    assert turned.get("robot0_eye_in_hand", "mirrored") == ("flipped" if name == "xvla" else "mirrored")
    assert (found.spec.action == "osc_absolute") == (name == "xvla")


def test_turning_is_half_a_turn_of_liberos_raw_frame() -> None:
    upright = np.random.default_rng(0).integers(0, 256, (256, 256, 3), np.uint8)
    raw = upright[::-1]  # tests/sim/test_scene.py: LIBERO's frames have the bottom row first
    found = profile(served("xvla"))
    assert np.array_equal(sent(upright, found, 0), raw[::-1, ::-1])
    assert np.array_equal(sent(upright, found, 1), raw)


def test_the_openvla_family_sees_the_middle_nine_tenths() -> None:
    frame = np.zeros((256, 256, 3), np.uint8)
    frame[128 - 121 : 128 + 121, 128 - 121 : 128 + 121] = 255  # 256 * sqrt(0.9) = 243 pixels wide
    for name, seen_at in (("openvla_oft", seen), ("openvla", sent)):
        found = seen_at(frame, profile(served(name)), 0)
        assert found.shape == (224, 224, 3)
        assert found[112, 4] @ [1, 1, 1] > 700, "white but for the crop's last pixel"
    assert sent(frame, profile(served("openvla_oft")), 0).shape == (256, 256, 3)


def test_evo1s_network_gets_red_and_blue_exchanged() -> None:
    frame = np.zeros((448, 448, 3), np.uint8)
    frame[:, :, 0] = 200
    found = profile(served("evo1"))
    assert sent(frame, found, 0)[5, 5].tolist() == [200, 0, 0]
    assert seen(frame, found, 0)[5, 5].tolist() == [0, 0, 200]


def test_padding_keeps_the_aspect() -> None:
    wide = np.full((100, 200, 3), 255, np.uint8)
    found = changed(wide, [Step("pad", size=64, method="bilinear")])
    assert found.shape == (64, 64, 3)
    assert found[:16].max() == 0
    assert found[17:47].min() == 255
    assert found[48:].max() == 0


def test_no_step_changes_nothing_and_jpeg_changes_little() -> None:
    waves = 127 + 120 * np.sin(np.arange(256) / np.array([[9.0], [14.0], [23.0]]))
    frame = np.ascontiguousarray(np.broadcast_to(waves.T.astype(np.uint8), (256, 256, 3)))
    assert np.array_equal(changed(frame, []), frame)
    near = changed(frame, [Step("jpeg")]).astype(int) - frame
    assert 0 < np.abs(near).max() < 32
    assert np.abs(near).mean() < 6


def test_a_pose_keeps_its_rotation() -> None:
    from scipy.spatial.transform import Rotation

    turn = np.array([0.3, -1.1, 0.7])
    matrix = Rotation.from_rotvec(turn).as_matrix()
    row = np.concatenate([[1.0, 2.0, 3.0], 2.5 * matrix[:, 0], 0.5 * matrix[:, 1] + 0.1 * matrix[:, 0]])
    assert np.allclose(pose(row), [1, 2, 3, *turn])
    with pytest.raises(PolicyError, match="parallel or zero"):
        pose(np.array([0, 0, 0, 1.0, 0, 0, 2.0, 0, 0]))


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (np.zeros((9, 7)), r"shape \[9, 7\], the profile says \[10, 7 or more\]"),
        (np.zeros((10, 6)), r"shape \[10, 6\]"),
        (np.zeros((2, 10, 7)), r"shape \[2, 10, 7\]"),
        ([[1.0], [1.0, 2.0]], "no array of numbers"),
        (["a"], "no array of numbers"),
        (np.full((10, 7), np.nan), "NaN or infinity"),
        (np.full((10, 7), np.inf), "NaN or infinity"),
        (None, "shape"),
    ],
)
def test_a_wrong_answer_is_one_sentence(answer: Any, message: str) -> None:
    with pytest.raises(PolicyError, match=message) as caught:
        actions(answer, profile(served("pi05")))
    assert "\n" not in str(caught.value)


def test_arms_deltas_pass_unchanged() -> None:
    chunk = actions(np.tile([*DELTA, 0.4], (10, 1)), profile(served("pi05")))
    assert np.array_equal(chunk[3], [*DELTA, 0.4]), "pi0.5's gripper is the environment's own"


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: Step("blur"), "unknown step of a picture 'blur'"),
        (lambda: Step("resize", size=0, method="bilinear"), "needs a size"),
        (lambda: Step("resize", size=8, method="cubic"), "a method of bilinear, lanczos3"),
        (lambda: Step("crop", area=1.5), "an area above 0, at most 1"),
        (lambda: View("front", "mirrored"), "unknown camera 'front'"),
        (lambda: View("agentview", "rotated"), "unknown turn 'rotated'"),
        (lambda: Gripper(0.5, "shut"), "open or close"),  # type: ignore[arg-type]
        (lambda: dialect("grpc"), "unknown model.protocol 'grpc'"),
    ],
)
def test_a_wrong_profile_is_one_sentence(build: Any, message: str) -> None:
    with pytest.raises(GaugeError, match=message):
        build()


def test_a_prompt_may_be_filled_in_here() -> None:
    model = served("openvla")
    model.input.prompt = "In: What action should the robot take to {lower}?\nOut:"
    assert profile(model).filled("Open It") == "In: What action should the robot take to open it?\nOut:"
    model.input.prompt = "{task}"
    with pytest.raises(GaugeError, match=r"may hold \{instruction\} and \{lower\} only"):
        profile(model)


def run(monkeypatch: pytest.MonkeyPatch, *typed: str) -> None:
    monkeypatch.setattr(sys, "argv", ["gauge.models", *typed])
    command.main()


def test_list_and_show(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    run(monkeypatch, "list")
    listed = capsys.readouterr().out
    assert all(f"\n{name} " in listed for name in NAMES)
    for name in NAMES:
        run(monkeypatch, "show", name)
        shown = capsys.readouterr().out
        assert "start its server" in shown
        assert "MISSING" not in shown


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        (["show", "pi5"], "unknown model 'pi5'; did you mean pi05"),
        (["show", "noop"], "model=noop is one of gauge's own and has no profile"),
        (["show", "pi05", "--frame", "--task", "99"], "--task is 0 to 9 in libero_spatial, not 99"),
        (["show", "pi05", "--frame", "--suite", "libero"], "libero_"),
    ],
)
def test_a_wrong_word_is_one_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], typed: list[str], message: str
) -> None:
    with pytest.raises(SystemExit) as left:
        run(monkeypatch, *typed)
    assert left.value.code == 2
    assert message in capsys.readouterr().err


def test_gauges_own_models_are_options_too() -> None:
    assert option("noop").kind == "noop"
