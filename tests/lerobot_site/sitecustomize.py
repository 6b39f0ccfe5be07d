"""Lets torchvision's wheel be imported beside a torch without CUDA.

The registry's wheel holds operators built against CUDA, which do not load here; at import it describes two of them to
torch, which then says that they do not exist. None of them is called by a policy.
"""

import torch

_KEPT = torch.library.Library("torchvision", "DEF")
for _name in ("nms", "qnms"):
    _KEPT.define(f"{_name}(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")
