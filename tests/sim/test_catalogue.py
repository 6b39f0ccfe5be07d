import json
from importlib.resources import files

import pytest

from gauge.vbddl.catalogue import libero

pytestmark = pytest.mark.sim


def test_the_committed_catalogue_is_what_the_installed_package_gives() -> None:
    from gauge.sim.catalogue import catalogue

    committed = json.loads(files("gauge.vbddl").joinpath("libero.json").read_text(encoding="utf-8"))
    assert json.loads(json.dumps(catalogue())) == committed


def test_it_knows_what_can_be_built() -> None:
    types = libero().types
    assert sorted(name for name, kind in types.items() if kind.missing) == [
        "blue_red_sticker",
        "cherries",
        "corn",
        "libero_mug_green",
        "mayo",
        "red_box",
        "red_sticker",
    ]
    assert types["wooden_cabinet"].regions["top_region"].joints == ("top_level",)
    assert types["microwave"].regions["heating_region"].joints == ()
    assert not types["basket"].fixture
