import pytest

from gauge.demos.config import stored_items
from gauge.demos.scatter import loose, scattered
from gauge.errors import GaugeError
from gauge.suites import load


def test_what_stands_on_the_table_is_loose_and_what_stands_on_something_else_is_not():
    goal, spatial = load("libero_goal").tasks[0], load("libero_spatial").tasks[3]
    assert loose(goal.bddl_path) == ["akita_black_bowl_1", "cream_cheese_1", "plate_1", "wine_bottle_1"]
    assert "akita_black_bowl_1" not in loose(spatial.bddl_path)  # it stands on the cookie box or the like


def test_a_demonstration_stores_what_it_takes_to_scatter_again():
    item = scattered(8.0, 7).item
    row = {"attribute": item.attribute, "mode": item.mode, "values": list(item.values)}
    assert stored_items([row])[0].item == item
    assert item.values == ("8@7",)


@pytest.mark.parametrize("radius", [0, -1, 21])
def test_a_radius_has_bounds(radius):
    with pytest.raises(GaugeError, match="more than 0 and at most 20 cm"):
        scattered(radius, 0)
