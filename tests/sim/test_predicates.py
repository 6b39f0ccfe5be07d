"""The rules of the predicates as plain geometry; no scene is built."""

import numpy as np
import pytest

from gauge.sim import predicates as rules
from gauge.vbddl.catalogue import joints, libero


def at(*values: float) -> np.ndarray:
    return np.array(values, dtype=np.float64)


def yaw(degrees: float) -> np.ndarray:
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])


@pytest.mark.parametrize(
    ("upper", "touching", "expected"),
    [
        ((0.0, 0.0, 0.0), True, True),
        ((0.029, 0.0, 0.1), True, True),
        ((0.03, 0.0, 0.1), True, False),
        ((0.025, 0.025, 0.1), True, False),
        ((0.0, 0.0, -0.001), True, False),
        ((0.0, 0.0, 0.1), False, False),
    ],
)
def test_on_an_object(upper: tuple[float, ...], touching: bool, expected: bool) -> None:
    assert rules.on_object(at(*upper), at(0, 0, 0), touching) is expected


def test_stacked_is_on_and_strictly_higher() -> None:
    assert rules.on_object(at(0, 0, 0), at(0, 0, 0), True)
    assert not rules.stacked(at(0, 0, 0), at(0, 0, 0), True)
    assert rules.stacked(at(0, 0, 0.01), at(0, 0, 0), True)


HALF = at(0.1, 0.05, 0.01)


@pytest.mark.parametrize(
    ("offset", "expected"),
    [
        ((0.0, 0.0, 0.006), True),
        ((0.0, 0.0, 0.004), False),
        ((0.0, 0.0, 0.109), True),
        ((0.0, 0.0, 0.111), False),
        ((0.099, 0.049, 0.02), True),
        ((0.101, 0.0, 0.02), False),
        ((0.0, 0.051, 0.02), False),
    ],
)
@pytest.mark.parametrize("degrees", [0, 30, 90, 137, 180])
def test_on_a_region_turns_with_it(offset: tuple[float, ...], expected: bool, degrees: float) -> None:
    rotation, center = yaw(degrees), at(1, 2, 3)
    origin = center + rotation @ at(*offset)
    assert rules.on_region(origin, center, rotation, HALF, True) is expected
    assert not rules.on_region(origin, center, rotation, HALF, False)


@pytest.mark.parametrize(
    ("offset", "expected"),
    [
        ((0.0, 0.0, 0.0), True),
        ((0.099, 0.049, 0.009), True),
        ((0.0, 0.0, 0.011), False),
        ((0.0, 0.0, -0.019), True),
        ((0.0, 0.0, -0.021), False),
        ((0.101, 0.0, 0.0), False),
        ((0.0, -0.051, 0.0), False),
    ],
)
@pytest.mark.parametrize("degrees", [0, 30, 45, 90, 137, 180])
def test_in_a_region_turns_with_it(offset: tuple[float, ...], expected: bool, degrees: float) -> None:
    rotation, center = yaw(degrees), at(1, 2, 3)
    assert rules.in_region(center + rotation @ at(*offset), center, rotation, HALF) is expected


def test_the_slack_under_a_box_is_vertical_however_it_is_turned() -> None:
    lying = np.array([[0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0]])  # its x axis points down
    assert rules.in_region(at(0, 0, -0.109), at(0, 0, 0), lying, HALF)
    assert not rules.in_region(at(0, 0, -0.111), at(0, 0, 0), lying, HALF)
    assert rules.in_region(at(0, 0, 0.099), at(0, 0, 0), lying, HALF)
    assert not rules.in_region(at(0, 0, 0.101), at(0, 0, 0), lying, HALF)


def test_a_thin_box_has_no_gap_between_it_and_its_slack() -> None:
    thin = at(0.1, 0.1, 0.001)
    heights = np.linspace(-0.0109, 0.0009, 50)
    assert all(rules.in_region(at(0, 0, height), at(0, 0, 0), yaw(20), thin) for height in heights)


def test_any_joint_opens_and_all_close() -> None:
    drawer = libero().types["wooden_cabinet"].states
    assert rules.opened([0.0, -0.15], drawer["open"])
    assert not rules.opened([0.0, -0.14], drawer["open"])
    assert rules.closed([0.001, 0.002], drawer["close"])
    assert not rules.closed([0.001, 0.0], drawer["close"])


@pytest.mark.parametrize(
    ("kind", "word", "comparison", "limit"),
    [
        ("wooden_cabinet", "open", "<", -0.14),
        ("wooden_cabinet", "close", ">", 0.0),
        ("microwave", "open", "<", -1.3),
        ("microwave", "close", ">", -0.005),
        ("short_cabinet", "open", ">", 0.10),
        ("short_cabinet", "close", "<", 0.0),
        ("flat_stove", "turnon", ">=", 0.5),
        ("flat_stove", "turnoff", "<", 0.0),
    ],
)
def test_the_limits_are_liberos(kind: str, word: str, comparison: str, limit: float) -> None:
    found = libero().types[kind].states[word]
    assert (found.comparison, found.limit) == (comparison, limit)


def test_up_is_one_metre() -> None:
    assert rules.up(at(0, 0, 1.0))
    assert not rules.up(at(0, 0, 0.999))


@pytest.mark.parametrize(
    ("kind", "word", "holds", "fails"),
    [
        ("faucet", "turnleft", -0.91, -0.9),
        ("faucet", "turnright", 0.91, 0.9),
        ("basin_faucet", "turnleft", -1.5, 0.0),
        ("basin_faucet", "turnright", 1.5, 0.0),
        ("window", "open", 0.081, 0.08),
        ("window", "close", 0.009, 0.01),
        ("slide_cabinet", "open", 0.21, 0.2),
        ("slide_cabinet", "close", 0.0, 0.01),
        ("short_fridge", "open", 1.31, 1.3),
        ("short_fridge", "close", 0.0, 0.02),
    ],
)
def test_our_limits_for_joints_that_liberos_tasks_never_use(kind: str, word: str, holds: float, fails: float) -> None:
    limit = libero().types[kind].states[word]
    assert rules.turned([holds], limit)
    assert not rules.turned([fails], limit)


def test_starts_that_hold_are_drawn_for_every_limit_of_ours() -> None:
    for kind, states in joints().items():
        for word, rule in states.items():
            limit = libero().types[kind].states[word]
            low, high = rule["start"]
            assert low < high
            assert limit.holds((low + high) / 2), (kind, word)


def tilted(degrees: float) -> np.ndarray:
    angle = np.radians(degrees)
    return at(np.sin(angle), 0.0, np.cos(angle))


@pytest.mark.parametrize(
    ("degrees", "touching", "speed", "expected"),
    [
        (0, True, 0.0, True),
        (14.9, True, 0.0099, True),
        (15.1, True, 0.0, False),
        (180, True, 0.0, False),
        (0, False, 0.0, False),
        (0, True, 0.01, False),
    ],
)
def test_upright_is_the_right_way_up_on_something_and_still(
    degrees: float, touching: bool, speed: float, expected: bool
) -> None:
    assert rules.upright(tilted(degrees), touching, speed) is expected


@pytest.mark.parametrize(
    ("degrees", "expected"), [(90, True), (75.1, True), (74.9, False), (104.9, True), (180, False)]
)
def test_lying_is_on_the_side(degrees: float, expected: bool) -> None:
    assert rules.lying(tilted(degrees)) is expected
