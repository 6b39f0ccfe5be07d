"""What a person would say of two frames: how many pixels look different, how alike they are, how bright."""

import numpy as np
from numpy.typing import NDArray

Frame = NDArray[np.uint8]
Mask = NDArray[np.bool_]
NOTICED = 5.0  # CIE76 colour difference; about two just noticeable ones (2.3: Mahy, Van Eycken, Oosterlinck 1994)
SSIM_SIGMA_PX, SSIM_C1, SSIM_C2 = 1.5, (0.01 * 255) ** 2, (0.03 * 255) ** 2  # Wang et al. 2004


def mean_change(one: Frame, other: Frame) -> float:
    """Mean absolute difference in grey levels."""
    return float(np.abs(one.astype(np.int16) - other).mean())


def noticed(one: Frame, other: Frame) -> Mask:
    """The pixels [H, W] whose colours differ by more than `NOTICED` in CIELAB."""
    return np.asarray(np.linalg.norm(_lab(one) - _lab(other), axis=2) > NOTICED)


def _lab(frame: Frame) -> NDArray[np.float32]:
    import cv2

    return np.asarray(cv2.cvtColor(frame.astype(np.float32) / 255.0, cv2.COLOR_RGB2LAB))


def luminance(frame: Frame) -> float:
    """Mean luma (Rec. 601), 0 to 255."""
    return float((frame.astype(np.float64) @ [0.299, 0.587, 0.114]).mean())


def ssim(one: Frame, other: Frame) -> float:
    """Structural similarity of two frames in grey (Wang et al. 2004), 1 for equal ones."""
    import cv2

    def smooth(image: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.asarray(cv2.GaussianBlur(image, (0, 0), SSIM_SIGMA_PX))

    x, y = (frame.astype(np.float64) @ [0.299, 0.587, 0.114] for frame in (one, other))
    mx, my = smooth(x), smooth(y)
    vx, vy, cov = smooth(x * x) - mx * mx, smooth(y * y) - my * my, smooth(x * y) - mx * my
    likeness = (2 * mx * my + SSIM_C1) * (2 * cov + SSIM_C2) / ((mx**2 + my**2 + SSIM_C1) * (vx + vy + SSIM_C2))
    return float(likeness.mean())


def width(mask: Mask) -> int:
    """Columns between the leftmost and the rightmost pixel of a mask, both counted; 0 for an empty one."""
    columns = np.flatnonzero(mask.any(axis=0))
    return int(columns[-1] - columns[0] + 1) if len(columns) else 0
