import numpy as np
import pytest

from gauge.errors import GaugeError
from gauge.objects.families import FAMILIES, Family, family
from gauge.objects.generate import generate
from gauge.objects.materials import MATERIALS, material
from gauge.objects.recipe import Draw

# Every category that the suites want from the generator (layouts L30 to L45 and their distractors).
WANTED = {
    *("spoon", "pen", "screwdriver", "can", "apple", "ball", "mug", "hammer", "toothbrush", "spatula", "marker"),
    *("soap", "tumbler", "jar", "bowl", "bottle", "box", "banana", "candle", "egg", "plate", "saucer", "jug", "tray"),
    *("pan", "pot", "vase", "book", "fork", "brush", "lemon", "solid", "toy block", "toy cube", "toy car"),
    *("square bowl", "vase bottle", "wine glass"),
}


@pytest.mark.parametrize("kind", FAMILIES, ids=lambda kind: kind.name)
def test_every_family_makes_closed_light_objects_that_stand_on_the_table(kind: Family) -> None:
    built = generate(kind.name, 1000).built
    assert built.mesh.is_closed()
    assert len(built.mesh.faces) < 2200  # the pool keeps those below 2,000
    assert -0.0015 < built.mesh.vertices[:, 2].min() < 0.003
    size = np.ptp(built.mesh.vertices, axis=0)
    assert size.min() > 0.005
    assert size.max() < 0.32
    assert 0.002 < sum(built.masses) < 1.0
    assert len(built.solids) == len(built.masses) < 150
    assert built.mesh.uv.min() >= -1e-9
    assert built.mesh.uv.max() <= 1 + 1e-9


def test_the_suites_find_all_their_categories() -> None:
    names = {kind.name for kind in FAMILIES}
    assert names >= WANTED
    assert len(names) == len(FAMILIES)


def test_the_collision_shapes_fill_the_mesh() -> None:
    for name in ("can", "box", "ball", "pear", "screwdriver", "banana", "toy star"):
        built = generate(name, 0).built
        corners = np.concatenate([np.array(one.centre)[None] for one in built.solids])
        low, high = built.mesh.vertices.min(axis=0) - 0.002, built.mesh.vertices.max(axis=0) + 0.002
        assert (corners > low).all()
        assert (corners < high).all()


def test_what_a_family_names_exists() -> None:
    for kind in FAMILIES:
        assert kind.materials
        assert set(kind.materials) <= set(MATERIALS)
        assert kind.uses, f"{kind.name} has no use, so no common-sense task can ask for it"


def test_an_unknown_family_names_the_closest() -> None:
    with pytest.raises(GaugeError, match="unknown family 'bowll'; did you mean bowl"):
        family("bowll")
    with pytest.raises(GaugeError, match="unknown material 'steal'; did you mean steel"):
        material("steal")


def test_draws_stay_in_their_bounds() -> None:
    draw = Draw(np.random.default_rng(0))
    drawn = [draw.mm(10, 20) for _ in range(100)]
    assert 0.010 <= min(drawn) < max(drawn) <= 0.020
    assert {draw.pick("ab") for _ in range(50)} == {"a", "b"}
