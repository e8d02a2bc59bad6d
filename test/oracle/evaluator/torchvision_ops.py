"""Lets torchvision be imported beside a torch of another build (CPU only, say): its own operators, which detect boxes, are
declared and cannot be called. What prepares images is written with torch's operators and needs none of them."""

import torch

_declared = torch.library.Library("torchvision", "FRAGMENT")
for _name in ("nms", "qnms"):
    try:
        _declared.define(f"{_name}(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")
    except RuntimeError:
        pass
