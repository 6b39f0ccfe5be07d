from dataclasses import replace

from gauge.objects.generate import generate
from gauge.objects.likeness import descriptor, is_new
from gauge.objects.pool import builtin
from gauge.objects.ready import numbered


def test_a_shape_is_like_itself_and_unlike_a_wider_one() -> None:
    mesh = generate("bowl", 0).built.mesh
    wider = replace(mesh, vertices=mesh.vertices * [1.03, 1.03, 1.0])
    slightly = replace(mesh, vertices=mesh.vertices * [1.005, 1.005, 1.0])
    assert not is_new(descriptor(mesh), [descriptor(mesh)])
    assert not is_new(descriptor(slightly), [descriptor(mesh)])
    assert is_new(descriptor(wider), [descriptor(mesh)])


def test_a_bulge_counts_though_the_size_is_the_same() -> None:
    mesh = generate("can", 0).built.mesh
    bent = mesh.vertices.copy()
    middle = (bent[:, 2] > 0.3 * bent[:, 2].max()) & (bent[:, 2] < 0.7 * bent[:, 2].max())
    bent[middle, :2] *= 0.9
    assert is_new(descriptor(replace(mesh, vertices=bent)), [descriptor(mesh)])


def distinct(shapes, limit_mm):  # type: ignore[no-untyped-def]
    """How many shapes are left if those within the limit of an earlier one are left out."""
    kept = []
    for shape in shapes:
        if is_new(shape, kept, limit_mm):
            kept.append(shape)
    return len(kept)


def test_the_pools_shapes_differ_within_their_family() -> None:
    for family in ("pen", "egg"):
        entries = [entry for entry in builtin().values() if entry.category == family and entry.source == "generator"]
        shapes = [descriptor(generate(*numbered(entry.id)).built.mesh) for entry in entries]
        assert distinct(shapes, 2.0) == len(entries)
        assert distinct(shapes, 1000.0) == 1
