"""Makes torchvision importable with a torch of another build, such as CPU only. Its compiled operators for
detection are declared but cannot be called. Image preprocessing does not need them."""

import torch

_declared = torch.library.Library("torchvision", "FRAGMENT")
for _name in ("nms", "qnms"):
    try:
        _declared.define(f"{_name}(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")
    except RuntimeError:
        pass
