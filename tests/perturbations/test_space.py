"""The options of conf/perturbation against the reconstructed space of VLA-GAUGE."""

import pytest
import yaml

from gauge.config.conf_dir import conf_dir
from gauge.config.registry import ATTRIBUTES, PERTURBATIONS
from gauge.protocol.paper import space

SPACE = space()


def option(name):
    return yaml.safe_load((conf_dir() / "perturbation" / f"{name}.yaml").read_text())


def as_written_on_the_page(name, level):
    """The page writes multipliers, tints, pairs of angles and switches in its own way."""
    if name == "light_diffuse":
        return f"x{level:g}" if isinstance(level, float) else f"{level}("
    if name == "light_direction":
        return f"({level.replace('/', ',')})"
    return "true" if name == "light_shadow" else level


@pytest.mark.parametrize("name", ATTRIBUTES)
def test_every_option_is_an_attribute_of_the_space_with_exactly_its_values(name):
    rows = SPACE[SPACE.attribute == name]
    found = option(name)
    assert found["kind"] == found["attribute"] == name
    assert set(zip(rows.category, rows.factor, strict=True)) == {(found["category"], found["factor"])}
    written = [as_written_on_the_page(name, level) for level in found["levels"]]
    assert len(written) == len(rows)
    for ours, page in zip(written, rows.value, strict=True):
        assert str(page).startswith(ours) if isinstance(ours, str) else float(page) == float(ours)


@pytest.mark.parametrize("name", ATTRIBUTES)
def test_only_attributes_that_may_move_are_mutable(name):
    assert PERTURBATIONS.entry(name).load().mutable == bool(SPACE[SPACE.attribute == name].mutable.all())
