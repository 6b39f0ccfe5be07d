import numpy as np

from gauge.objects.generate import generate
from gauge.objects.pool import builtin
from gauge.objects.ready import named, numbered


def test_the_committed_hashes_are_those_of_what_is_generated_now() -> None:
    """One object of every third family; `check` compares them all."""
    first = {entry.category: entry for entry in reversed(list(builtin().values())) if entry.source == "generator"}
    for entry in list(first.values())[::3]:
        assert generate(*numbered(entry.id)).built.digest == entry.digest, entry.id


def test_the_hash_follows_shape_skin_and_mass() -> None:
    one = generate("can", 0).built
    assert one.digest == generate("can", 0).built.digest
    dimmer = type(one)(one.name, one.mesh, one.pixels // 2, one.solids, one.masses, one.cavity)
    heavier = type(one)(one.name, one.mesh, one.pixels, one.solids, tuple(2 * m for m in one.masses), one.cavity)
    assert len({one.digest, dimmer.digest, heavier.digest}) == 3


def test_ids_and_numbers_are_each_others_inverse() -> None:
    assert named("toy car", 7) == "gen/toy_car/0007"
    assert numbered("gen/toy_car/0007") == ("toy car", 7)


def test_the_written_mesh_is_one_group_with_unit_normals() -> None:
    text = generate("mug", 0).built.obj
    assert "\no " not in text  # MuJoCo reads only the first
    normals = np.array([line.split()[1:] for line in text.splitlines() if line.startswith("vn ")], float)
    assert np.abs(np.linalg.norm(normals, axis=1) - 1).max() < 0.003
