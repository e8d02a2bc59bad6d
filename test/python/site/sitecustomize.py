"""Makes torchvision importable with a torch of another build, such as CPU only. Declares its compiled
operators without implementing them.
"""

import sys


class DeclareOperators:
    def find_spec(self, name, path=None, target=None):
        if name == "torchvision":
            sys.meta_path.remove(self)
            import torch

            library = torch.library.Library("torchvision", "FRAGMENT")
            sys.modules[__name__].library = library
            for operator in ("nms", "qnms"):
                try:
                    library.define(operator + "(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")
                except RuntimeError:
                    pass
        return None


sys.meta_path.insert(0, DeclareOperators())
