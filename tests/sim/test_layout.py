"""A layout that is moved as a whole: things, fixtures and the table's regions together, by the seed alone."""

from collections.abc import Iterator

import mujoco
import numpy as np
import pytest
from scenario_files import APPLE as TEXT

from gauge.sim.scene import Scene
from gauge.suites.generate import FOLDER
from gauge.suites.scenario import load_folder

pytestmark = pytest.mark.sim
SHIFT = "(:shift 0.05 0.08)\n  "
APPLE, BOWL, BOX, MAT = "gen_apple_0001_1_main", "akita_black_bowl_1_main", "box_1_main", "main_table_mat"


def built(folders: pytest.TempPathFactory, *changes: tuple[str, str]) -> Iterator[Scene]:
    """The scene of the apple and the bowl with these parts of its file replaced, closed afterwards."""
    text, folder = TEXT, folders.mktemp("mine")
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    (folder / "mine.bddl").write_text(text)
    made = Scene(load_folder(folder, "mine").tasks[0])
    yield made
    made.close()


@pytest.fixture(scope="module")
def scene(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scene]:
    """The apple, the bowl, a cabinet and a visible mat."""
    yield from built(
        tmp_path_factory,
        ("(:fixtures main_table - table)", f"{SHIFT}(:fixtures main_table - table  box_1 - wooden_cabinet)"),
        (
            "(:regions",
            "(:regions (box_region (:target main_table) (:ranges ((-0.03 -0.33 -0.01 -0.31)))"
            " (:yaw_rotation ((3.1416 3.1416))))"
            " (mat (:target main_table) (:ranges ((0.0 0.1 0.1 0.2))) (:rgba (1 0 0 1)))",
        ),
        ("(:init", "(:init (On box_1 main_table_box_region)"),
    )


def places(scene: Scene) -> dict[str, np.ndarray]:
    bodies = {name: scene.data.body(name).xpos[:2].copy() for name in (APPLE, BOWL, BOX)}
    return bodies | {MAT: scene.data.site(MAT).xpos[:2].copy()}


def test_everything_moves_together_within_the_shift(scene: Scene) -> None:
    offsets = []
    for index in range(6):
        scene.start(0, index)
        offset = scene.origin("gen_apple_0001_1") - scene.env.workspace_offset[:2]
        found = places(scene)
        assert np.abs(found[BOX] - offset - [-0.02, -0.32]).max() <= 0.01 + 1e-9
        assert np.allclose(found[MAT] - offset, [0.05, 0.15], atol=1e-9)
        assert np.abs(found[APPLE] - offset - [-0.05, 0.05]).max() < 0.04
        assert np.abs(found[BOWL] - offset - [-0.05, -0.15]).max() < 0.04
        offsets.append(offset)
    assert (np.abs(offsets) <= [0.05, 0.08]).all()
    assert (np.ptp(offsets, axis=0) > [0.02, 0.03]).all()


def test_a_start_comes_back_wherever_the_layout_was_before(scene: Scene) -> None:
    scene.start(0, 2)
    first, state = places(scene), scene.start_hash()
    scene.start(0, 3)
    scene.start(0, 2)
    assert scene.start_hash() == state
    assert all(np.array_equal(first[name], at) for name, at in places(scene).items())


@pytest.fixture(scope="module")
def swapping(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scene]:
    """The apple, with a mat beside it, and the bowl exchange places; the bowl's place beside it is free."""
    pairs = "((gen_apple_0001_1 main_table_mat) (akita_black_bowl_1 main_table_free))"
    yield from built(
        tmp_path_factory,
        ("(:fixtures", f"(:shift 0.02 0.02)\n  (:swap {pairs})\n  (:fixtures"),
        (
            "(:regions",
            "(:regions (mat (:target main_table) (:ranges ((0.05 0.02 0.15 0.12))) (:rgba (1 0 0 1)))"
            " (free (:target main_table) (:ranges ((0.09 -0.21 0.11 -0.19))))",
        ),
    )


def test_groups_exchange_their_places_with_their_regions(swapping: Scene) -> None:
    seen = set()
    for index in range(8):
        swapping.start(0, index)
        shift = swapping._layout.offset("nothing of that name")
        apple, bowl = (swapping.data.body(name).xpos[:2] - shift for name in (APPLE, BOWL))
        mat = swapping.data.site(MAT).xpos[:2] - shift
        exchanged = bool(apple[1] < -0.05)
        seen.add(exchanged)
        assert np.abs(apple - ([-0.05, -0.15] if exchanged else [-0.05, 0.05])).max() < 0.04
        assert np.abs(bowl - ([-0.05, 0.05] if exchanged else [-0.05, -0.15])).max() < 0.04
        assert np.allclose(mat, [0.1, -0.2] if exchanged else [0.1, 0.07], atol=1e-9)
    assert seen == {True, False}


@pytest.fixture(scope="module")
def turning(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scene]:
    """A cabinet with the bowl on it stands to the left, or to the right and turned round."""
    yield from built(
        tmp_path_factory,
        (
            "(:fixtures main_table - table)",
            "(:shift 0.02 0.02)\n  (:swap (box_1 main_table_right))\n"
            "  (:fixtures main_table - table  box_1 - wooden_cabinet)",
        ),
        (
            "(:regions",
            "(:regions"
            " (box_region (:target main_table) (:ranges ((-0.11 -0.31 -0.09 -0.29))) (:yaw_rotation ((3.0 3.2))))"
            " (right (:target main_table) (:ranges ((-0.06 0.29 -0.04 0.31))) (:yaw_rotation ((0.0 0.0))))"
            " (top_side (:target box_1))",
        ),
        ("(:init", "(:init (On box_1 main_table_box_region)"),
        ("(On akita_black_bowl_1 main_table_bowl_region)", "(On akita_black_bowl_1 box_1_top_side)"),
    )


def test_a_fixture_goes_to_the_other_place_turned_and_carries_what_stands_on_it(turning: Scene) -> None:
    seen = set()
    for index in range(10):
        turning.start(0, index)
        shift = turning._layout.offset("nothing of that name")
        box, bowl = (turning.data.body(name).xpos[:2] - shift for name in (BOX, BOWL))
        w, z = turning.data.body(BOX).xquat[[0, 3]]
        right = bool(box[1] > 0)
        seen.add(right)
        assert np.abs(box - ([-0.05, 0.3] if right else [-0.1, -0.3])).max() <= 0.01 + 1e-9
        yaw = 2 * np.arctan2(z, w)
        assert abs(yaw - (-0.04 if right else 3.1)) % (2 * np.pi) == pytest.approx(0.0, abs=0.11)
        assert np.abs(bowl - box).max() < 0.12
    assert seen == {True, False}


def test_an_order_comes_back_with_its_seed(swapping: Scene) -> None:
    hashes = []
    for index in (0, 1, 2, 3, 0, 1, 2, 3):
        swapping.start(0, index)
        hashes.append(swapping.start_hash())
    assert hashes[:4] == hashes[4:]
    assert len(set(hashes)) == 4


@pytest.mark.parametrize("name", ["spatial_S2a_plate", "visual_L38"])
def test_what_stands_in_the_living_room_starts_over_its_table(name: str) -> None:
    task = next(one for one in load_folder(FOLDER, "all").tasks if one.name == name)
    made = Scene(task)
    made.draw(1)
    assert made.data.ncon == 0 or min(contact.dist for contact in made.data.contact[: made.data.ncon]) > -1e-3
    made.start(0, 0)
    made.close()


FLAT = """(define (problem LIBERO_Living_Room_Tabletop_Manipulation)
  (:domain robosuite)
  (:language put the spoon in the bowl)
  (:regions
    (spoon_region (:target living_room_table) (:ranges ((-0.02 -0.02 0.02 0.02))))
    (bowl_region (:target living_room_table) (:ranges ((-0.02 -0.22 0.02 -0.18))))
    (screwdriver_region (:target living_room_table) (:ranges ((-0.02 0.18 0.02 0.22))))
    (dressing_region (:target living_room_table) (:ranges ((-0.17 -0.12 -0.13 -0.08))))
  )
  (:fixtures living_room_table - living_room_table)
  (:objects
    gen_spoon_0000_1 - gen_spoon_0000
    gen_bowl_0003_1 - gen_bowl_0003
    gen_screwdriver_0016_1 - gen_screwdriver_0016
    salad_dressing_1 - salad_dressing
  )
  (:init
    (On gen_spoon_0000_1 living_room_table_spoon_region)
    (On gen_bowl_0003_1 living_room_table_bowl_region)
    (On gen_screwdriver_0016_1 living_room_table_screwdriver_region)
    (On salad_dressing_1 living_room_table_dressing_region)
  )
  (:goal (On gen_spoon_0000_1 gen_bowl_0003_1))
)
"""


def test_flat_things_lie_on_the_living_rooms_table_and_not_inside_it(tmp_path) -> None:
    (tmp_path / "flat.bddl").write_text(FLAT)
    made = Scene(load_folder(tmp_path, "mine").tasks[0])
    for index in range(3):
        made.start(0, index)
        assert made._drawn.fault(made) == ""
        for name in ("gen_spoon_0000_1", "gen_bowl_0003_1", "gen_screwdriver_0016_1", "salad_dressing_1"):
            assert made.data.body(f"{name}_main").xpos[2] > 0.436
    made.close()


@pytest.mark.parametrize(("degrees", "stands"), [(69, False), (15, False), (5, True)])
def test_what_falls_over_or_leans_on_something_is_no_start(scene: Scene, degrees: float, stands: bool) -> None:
    scene.start(0, 1)
    joint = scene.model.joint("akita_black_bowl_1_joint0").qposadr[0]
    half = np.radians(degrees) / 2
    scene.data.qpos[joint + 2] += 0.05
    scene.data.qpos[joint + 3 : joint + 7] = [np.cos(half), np.sin(half), 0.0, 0.0]
    mujoco.mj_forward(scene.model, scene.data)
    wanted = "" if stands else "akita_black_bowl_1 fell over while settling, or leans on something"
    assert scene._drawn.fault(scene) == wanted
