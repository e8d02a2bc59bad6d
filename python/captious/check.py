"""Prints as JSON which Python this is and which packages and devices evaluators can use; imports torch to list its devices."""

import json
import sys
from importlib import metadata

PACKAGES = (
    "torch torchvision transformers open_clip_torch timm sentence-transformers torchmetrics tokenizers safetensors onnxruntime numpy Pillow"
).split()


def version(name):
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def devices():
    """The devices of torch, or why its import fails; None if torch or a module that it needs is missing."""
    try:
        import torch
    except ImportError:
        return None
    except Exception as error:
        return ["cannot be imported: {}".format(error)]
    found = ["cpu"]
    if torch.cuda.is_available():
        found += ["cuda:{} ({})".format(i, torch.cuda.get_device_name(i)) for i in range(torch.cuda.device_count())]
    if torch.backends.mps.is_available():
        found.append("mps")
    return found


if __name__ == "__main__":
    said = {
        "python": sys.version.split()[0],
        "executable": sys.executable,
        "packages": {name: version(name) for name in PACKAGES},
        "devices": devices(),
    }
    print("captious " + json.dumps(said))
