"""The steps of a profile on a picture."""

import io
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from gauge.core.policy import oriented
from gauge.policies.served.profile import Profile, Step

Picture = NDArray[np.uint8]
JPEG_QUALITY = 95  # TensorFlow's encode_jpeg, which wrote the training data of the OpenVLA family
FILTERS = {"lanczos3": Image.Resampling.LANCZOS}  # Pillow's filter has three lobes and widens when it shrinks


def sent(frame: Picture, profile: Profile, view: int) -> Picture:
    """What is sent of an upright frame, uint8 [H, W, 3], of the profile's view of that number."""
    return np.ascontiguousarray(changed(oriented(frame, profile.views[view].turn), profile.sent))


def seen(frame: Picture, profile: Profile, view: int) -> Picture:
    """What the network sees of it once the server's own steps are done, too."""
    return changed(sent(frame, profile, view), profile.server)


def changed(picture: Picture, steps: Sequence[Step]) -> Picture:
    """The picture after all steps, uint8 [H, W, 3]."""
    image = Image.fromarray(picture)
    for step in steps:
        image = _CHANGES[step.do](image, step)
    return np.asarray(image)


def _jpeg(image: Image.Image, step: Step) -> Image.Image:
    data = io.BytesIO()
    image.save(data, format="JPEG", quality=JPEG_QUALITY)
    return Image.open(data).convert("RGB")


def _resize(image: Image.Image, step: Step) -> Image.Image:
    return image.resize((step.size or image.width, step.size or image.height), _filter(step))


def _pad(image: Image.Image, step: Step) -> Image.Image:
    """As `resize_with_pad` in openpi's `openpi_client/image_tools.py`."""
    size = step.size or max(image.size)
    if image.size == (size, size):
        return image
    ratio = max(image.size) / size
    inner = image.resize((int(image.width / ratio), int(image.height / ratio)), _filter(step))
    padded = Image.new("RGB", (size, size))
    padded.paste(inner, ((size - inner.width) // 2, (size - inner.height) // 2))
    return padded


def _crop(image: Image.Image, step: Step) -> Image.Image:
    """The centre with `area` of the area; the pixels stay as they are, so that a resize follows."""
    side = float(step.area or 1.0) ** 0.5
    width, height = round(image.width * side), round(image.height * side)
    left, top = (image.width - width) // 2, (image.height - height) // 2
    return image.crop((left, top, left + width, top + height))


def _swap(image: Image.Image, step: Step) -> Image.Image:
    return Image.merge("RGB", image.split()[::-1])


def _filter(step: Step) -> Image.Resampling:
    return FILTERS.get(step.method or "", Image.Resampling.BILINEAR)


_CHANGES = {"jpeg": _jpeg, "resize": _resize, "pad": _pad, "crop": _crop, "swap": _swap}
