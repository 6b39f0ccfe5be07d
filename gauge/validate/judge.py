"""The three criteria of VLA-GAUGE (Section III): effect, feasibility, semantics. Thresholds are this project's own."""

from collections.abc import Iterator

from gauge.validate.finding import Finding

SHARE_CHANGED = 0.001  # of the frame must look different: a spot of 8 x 8 pixels of 256 x 256
TARGET_CHANGED = 0.05  # of the target's own pixels: less, and a turned object looks as before
LIKENESS = (0.2, 0.98)  # structural similarity between which a degraded frame is another one but still shows the scene
LUMINANCE = (10.0, 245.0)
TARGET_SEEN = 0.4  # of the pixels that it has in the clean frame, where image or target are shifted or hidden
TARGET_PX = 10  # width of the target from a moved camera
OVERLAP_MM, MORE_OVERLAP_MM = 2.0, 0.5  # where LIBERO's own start is deeper: by how much it may be deeper still
SPEED, MORE_SPEED = 0.1, 0.05
SOLVED_BY_EXPERT = ("spatial", "control")


def reasons(category: str, attribute: str, found: Finding) -> Iterator[tuple[str, str]]:
    """Each failed criterion with the measured number; the first is why the value is dropped."""
    yield from (("effect", why) for why in _effect(category, attribute, found))
    yield from (("feasibility", why) for why in _feasibility(category, attribute, found))
    yield from (("semantics", why) for why in _semantics(found))


def open_question(category: str, found: Finding) -> str:
    """Why a value that fails no criterion cannot be kept either; empty if it can."""
    if category in SOLVED_BY_EXPERT and not solvable(category, found):
        return "the expert does not solve the clean scene either, so it cannot say whether this one can be solved"
    return ""


def solvable(category: str, found: Finding) -> bool:
    """Whether the expert's failure would say something: it is asked, and solves the clean scene."""
    return category in SOLVED_BY_EXPERT and found.clean_expert is not None and found.clean_expert.solved


def _effect(category: str, attribute: str, found: Finding) -> Iterator[str]:
    if not found.amount.agrees:
        yield f"stated {found.amount.stated}, measured {found.amount.measured}"
    if found.intruded:
        yield f"also changed: {', '.join(found.intruded[:5])}"
    if found.left:
        yield f"not undone: {', '.join(found.left[:5])}"
    if category == "visual" and found.pixel_share < SHARE_CHANGED:
        yield (
            f"too small to notice: {found.pixel_share:.2%} of the pixels look different "
            f"(at least {SHARE_CHANGED:.1%}), {found.pixel_mean:.2f} grey levels on average"
        )
    if attribute == "target_object_orientation" and found.target_changed < TARGET_CHANGED:
        yield (
            f"turned, the target looks as before: {found.target_changed:.1%} of its pixels look different "
            f"(at least {TARGET_CHANGED:.0%})"
        )
    if attribute == "noise" and found.likeness > LIKENESS[1]:
        yield f"too small to notice: structural similarity {found.likeness:.3f} (at most {LIKENESS[1]})"


def _feasibility(category: str, attribute: str, found: Finding) -> Iterator[str]:
    deepest = max(OVERLAP_MM, found.clean_overlap_mm + MORE_OVERLAP_MM)
    if found.overlap_mm > deepest:
        yield f"{found.overlapping} overlap by {found.overlap_mm:.2f} mm (at most {deepest:.2f})"
    fastest = max(SPEED, found.clean_speed + MORE_SPEED)
    if found.speed > fastest:
        yield f"not at rest after settling: {found.speed:.3f} (at most {fastest:.3f} m/s or rad/s)"
    if found.solved_already:
        yield "the goal holds already at the start"
    yield from _visibility(attribute, found)
    if solvable(category, found) and found.expert is not None and not found.expert.solved:
        yield f"the expert solves it in none of {found.expert.tries} episodes"


def _visibility(attribute: str, found: Finding) -> Iterator[str]:
    if attribute == "noise" and found.likeness < LIKENESS[0]:
        yield f"no longer recognisable: structural similarity {found.likeness:.3f} (at least {LIKENESS[0]})"
    if not LUMINANCE[0] <= found.luminance <= LUMINANCE[1]:
        yield f"the frame is too dark or bright: mean luminance {found.luminance:.1f} (10 to 245)"
    if attribute.startswith("camera_"):
        least = min(TARGET_PX, found.clean_px)
        if found.target_px < least:
            yield f"the target is {found.target_px} pixels wide (at least {least})"
    elif found.target_seen < TARGET_SEEN:
        yield f"{found.target_seen:.0%} of the target is in view (at least {TARGET_SEEN:.0%} of what is otherwise)"


def _semantics(found: Finding) -> Iterator[str]:
    if found.task_differs:
        yield f"another task: {', '.join(found.task_differs)} differ"
    if found.relations:
        yield f"no longer true: {', '.join(found.relations)}"
