"""Makes open_clip and timm importable without torchvision, by empty classes for the names that they import.
Calling one of these raises a TypeError."""

import enum
import importlib.machinery
import sys
import types

from transformers.utils import is_torchvision_available

# transformers checks for torchvision once and remembers the result. This call makes the check happen before the
# empty classes below are defined.
assert not is_torchvision_available()


class Absent(types.ModuleType):
    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)

        def refuse(*_args, **_kwargs):
            raise TypeError(f"{self.__name__}.{name} was called, and torchvision is not there.")

        made = type(name, (), {"__init__": refuse})
        setattr(self, name, made)
        return made


for path in ["", ".transforms", ".transforms.functional", ".transforms.v2", ".ops", ".ops.misc", ".datasets", ".models", ".models.feature_extraction", ".io", ".utils"]:
    module = Absent("torchvision" + path)
    module.__path__ = []
    module.__spec__ = importlib.machinery.ModuleSpec(module.__name__, None, is_package=True)
    module.__version__ = "absent"
    sys.modules[module.__name__] = module
    if path:
        parent, _, name = module.__name__.rpartition(".")
        setattr(sys.modules[parent], name, module)


class InterpolationMode(enum.Enum):
    NEAREST = "nearest"
    NEAREST_EXACT = "nearest-exact"
    BILINEAR = "bilinear"
    BICUBIC = "bicubic"
    BOX = "box"
    HAMMING = "hamming"
    LANCZOS = "lanczos"


for path in ["transforms", "transforms.functional"]:
    sys.modules["torchvision." + path].InterpolationMode = InterpolationMode
