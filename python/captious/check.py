"""Prints as JSON which Python this is and which packages and devices evaluators can use; imports torch to list its devices."""

import json
import os
import sys

# This folder has modules whose names packages may use, so it is not searched.
sys.dont_write_bytecode = True
sys.path[0] = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

from captious.builds import mismatch, version  # noqa: E402

PACKAGES = (
    "torch torchvision transformers open_clip_torch timm sentence-transformers torchmetrics tokenizers safetensors onnxruntime numpy Pillow"
).split()


def devices():
    """The devices of torch, or why its import fails; None if torch is not installed."""
    try:
        import torch
    except Exception as error:
        absent = isinstance(error, ModuleNotFoundError) and error.name == "torch"
        return None if absent else ["cannot be imported: {}".format(error)]
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
        "mismatch": mismatch(),
    }
    print("captious " + json.dumps(said))
