"""Everything that was measured of one value in one scene, before anyone judges it."""

from dataclasses import dataclass

from gauge.validate.amounts import Amount


@dataclass(frozen=True, slots=True)
class Tries:
    """How often the expert tried a task and whether it solved it; `how` if not by acting as it always does."""

    tries: int
    solved: bool
    how: str = ""

    def __str__(self) -> str:
        """As it stands in the table, e.g. `1/2`."""
        return f"{self.how} {int(self.solved)}/{self.tries}".strip()


@dataclass(frozen=True, slots=True)
class Finding:
    """Numbers and names; no opinion. What could not be measured is None.

    Attributes:
        amount: the stated value and what was found of it.
        intruded: what changed although this attribute must not change it.
        left: fields of the model that were still changed after the undoing.
        pixel_mean: mean absolute change in grey levels, of the camera that changed more.
        pixel_share: share of pixels whose colour looks different, of the camera that changed more.
        target_changed: share of the target's own pixels that look different, in the outside camera.
        likeness: structural similarity of the outside camera's frame to the clean one.
        luminance: mean luma of that frame.
        target_seen: the target's pixels in it as a share of those in the clean one; the mean over several episodes
            where it is drawn for each what is hidden.
        target_px, clean_px: width of the target in it and in the clean one.
        overlap_mm, overlapping: deepest overlap of two geoms, and of which bodies.
        clean_overlap_mm: what it is without the value.
        speed, clean_speed: fastest joint of an object after settling (m/s or rad/s).
        solved_already: whether the goal holds at the start.
        task_differs: what of instruction, goal and criteria is another.
        relations: relation words and statements of the start that are no longer true.
        expert: what the expert made of the task with the value; None where it was not asked.
        clean_expert: what it makes of it without.
        same_physics: whether all that moves is as in the clean scene, so that the clean episode counts.
    """

    amount: Amount
    intruded: tuple[str, ...]
    left: tuple[str, ...]
    pixel_mean: float
    pixel_share: float
    target_changed: float
    likeness: float
    luminance: float
    target_seen: float
    target_px: int
    clean_px: int
    overlap_mm: float
    overlapping: str
    clean_overlap_mm: float
    speed: float
    clean_speed: float
    solved_already: bool
    task_differs: tuple[str, ...]
    relations: tuple[str, ...]
    same_physics: bool
    expert: Tries | None = None
    clean_expert: Tries | None = None
