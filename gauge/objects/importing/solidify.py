"""From a mesh to a body: sanity of shape and scale, mass, convex parts, and a foot that stands still."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from gauge.errors import GaugeError
from gauge.objects.shapes.mesh import Array, Ints
from gauge.objects.shapes.solid import GAP_M, Solid, box

if TYPE_CHECKING:
    import trimesh

LONGEST_M = (0.005, 0.6)  # of a household object on a table
THINNEST_M = 0.001
MOST_FACES = 200_000
MOST_PARTS = 16
HEAVIEST_KG, LIGHTEST_KG = 5.0, 0.001
FOOT_BAND_M = 0.002  # what counts as the bottom
COARSE = {"threshold": 0.08, "max_convex_hull": MOST_PARTS, "mcts_iterations": 60, "mcts_max_depth": 3, "seed": 0}


@dataclass(frozen=True, slots=True)
class Body:
    """Convex parts ([n, 3] vertices and [m, 3] faces, metres), their masses (kg), and the foot."""

    parts: tuple[tuple[Array, Ints], ...]
    masses: tuple[float, ...]
    foot: Solid


def sane(mesh: "trimesh.Trimesh", scale: float) -> "trimesh.Trimesh":
    """The mesh in metres with its lowest point at z = 0 and its middle on the z axis.

    Raises:
        GaugeError: vertices are not finite, it is flat, too fine, or of no household size.
    """
    if not np.isfinite(mesh.vertices).all():
        raise GaugeError("some of its vertices are not finite numbers")
    if len(mesh.faces) > MOST_FACES:
        raise GaugeError(f"it has {len(mesh.faces)} triangles (at most {MOST_FACES}); simplify it first")
    mesh.apply_scale(scale)
    size = np.ptp(mesh.vertices, axis=0)
    if float(size.min()) <= THINNEST_M * min(1.0, float(size.max())) or mesh.area <= 0:
        raise GaugeError(f"it is flat: {_mm(size)} mm")
    longest = float(size.max())
    if not LONGEST_M[0] <= longest <= LONGEST_M[1]:
        fit = next((s for s in (0.001, 0.01, 0.0254, 10.0, 100.0, 1000.0) if 0.03 <= longest * s <= LONGEST_M[1]), None)
        hint = f"; type --scale {scale * fit:g} if that is its unit" if fit else ""
        raise GaugeError(f"it is {longest:.4g} m long (allowed: {LONGEST_M[0]:g} to {LONGEST_M[1]:g}){hint}")
    low, high = mesh.bounds
    mesh.apply_translation([-(low[0] + high[0]) / 2, -(low[1] + high[1]) / 2, -low[2]])
    return mesh


def closed(mesh: "trimesh.Trimesh") -> "trimesh.Trimesh | None":
    """The surface with its seams welded and small holes filled; None if it stays open."""
    import trimesh

    welded = trimesh.Trimesh(mesh.vertices.copy(), mesh.faces.copy(), process=False)
    welded.merge_vertices(merge_tex=True, merge_norm=True)
    welded.update_faces(welded.nondegenerate_faces() & welded.unique_faces())
    if not welded.is_watertight:
        trimesh.repair.fill_holes(welded)
    if not welded.is_winding_consistent:
        trimesh.repair.fix_winding(welded)
    if not welded.is_watertight:
        return None
    if welded.volume < 0:
        welded.invert()
    return welded


def solidify(mesh: "trimesh.Trimesh", density: float, shells: bool) -> Body:
    """Mass, convex parts and foot.

    Args:
        mesh: in metres, from `sane`.
        density: kg/m^3 of the body.
        shells: whether an open surface gets thin walls, as CoACD makes it a manifold.

    Raises:
        GaugeError: the surface is open, encloses nothing, or has no household mass.
    """
    whole = closed(mesh)
    if whole is None and not shells:
        raise GaugeError(
            "it is an open shell, so its mass is unknown; close it, or type --shells to give it thin walls"
        )
    parts = _convex(whole if whole is not None else mesh)
    volumes = np.array([_hull_volume(vertices) for vertices, _ in parts])
    volume = float(whole.volume) if whole is not None else float(volumes.sum())
    mass = volume * density
    if not LIGHTEST_KG <= mass <= HEAVIEST_KG:
        raise GaugeError(
            f"it would weigh {1000 * mass:.3g} g at {density:g} kg/m^3 (allowed: 1 to 5000); see --density"
        )
    return Body(parts, tuple(float(share) for share in mass * volumes / volumes.sum()), _foot(mesh.vertices))


def _convex(mesh: "trimesh.Trimesh") -> tuple[tuple[Array, Ints], ...]:
    """Convex parts by CoACD (Wei et al., SIGGRAPH 2022), or the hull where that loses little."""
    import coacd

    hull = mesh.convex_hull
    if mesh.is_watertight and mesh.volume > 0.97 * hull.volume:
        return ((_lifted(hull.vertices), np.asarray(hull.faces)),)
    coacd.set_log_level("error")
    found = coacd.run_coacd(coacd.Mesh(mesh.vertices, mesh.faces), **COARSE)
    solid = [(np.asarray(v), np.asarray(f)) for v, f in found if _hull_volume(np.asarray(v)) > 1e-10]
    if not solid:
        raise GaugeError("no convex part of it has a volume")
    return tuple((_lifted(vertices), faces) for vertices, faces in solid)


def _lifted(vertices: Array) -> Array:
    """Keep the parts off the table, which only the foot touches: meshes jitter on a table that is a box."""
    lifted = np.array(vertices, dtype=float)
    lifted[:, 2] = np.maximum(lifted[:, 2], GAP_M)
    return lifted


def _hull_volume(vertices: Array) -> float:
    from scipy.spatial import ConvexHull, QhullError

    try:
        return float(ConvexHull(vertices).volume)
    except QhullError:
        return 0.0


def _foot(vertices: Array) -> Solid:
    """A box inside the hull of what lies at the bottom."""
    bottom = np.asarray(vertices)[np.asarray(vertices)[:, 2] < FOOT_BAND_M][:, :2]
    low, high = bottom.min(axis=0), bottom.max(axis=0)
    centre, half = (low + high) / 2, np.maximum((high - low) / 2, 0.001)
    corners = np.array([[1, 1], [1, -1], [-1, 1], [-1, -1]])
    share = next((s for s in np.arange(1.0, 0.3, -0.05) if _covers(bottom, centre + corners * half * s)), 0.3)
    return box((*centre, 0.002), (*(half * share), 0.002))


def _covers(points: Array, corners: Array) -> bool:
    from scipy.spatial import Delaunay, QhullError

    try:
        return bool((Delaunay(points).find_simplex(corners * 0.999 + points.mean(axis=0) * 0.001) >= 0).all())
    except (QhullError, ValueError):
        return True


def _mm(size: Array) -> str:
    return " x ".join(f"{1000 * one:.3g}" for one in size)
