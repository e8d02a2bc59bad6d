"""Results of open_clip's and transformers' resizing and cropping, before normalisation, as hashes.

    .venv/bin/python test/oracle/evaluator/sizing.py [FOLDER OF COCO IMAGES]

`made` are images by a formula (resample.py), with sizes where half a pixel matters; `coco` are photos by name. Packages: torch, torchvision, open_clip_torch, transformers.
"""

import hashlib
import json
import sys
from pathlib import Path

import numpy as np
import torchvision_ops  # noqa: F401, before torchvision is imported
import open_clip
import PIL
import torch
import torchvision
import transformers
from open_clip.transform import PreprocessCfg, image_transform_v2
from PIL import Image
from resample import picture
from torchvision.transforms.v2 import functional as tv
from transformers import CLIPImageProcessor, SiglipImageProcessor
from transformers.models.clip.image_processing_pil_clip import CLIPImageProcessorPil

# 640x427 and 427x640 become 335x224 and 224x335. Cropping to 224x224 then removes 55.5 pixels on
# each side. Some other sizes also give such halves, or values close to them.
SIZES = [(640, 427), (427, 640), (500, 375), (640, 480), (333, 500), (427, 427), (61, 40), (40, 61), (20, 14), (900, 200)]

OPEN_CLIP = {
    "shortest": {"size": 224},
    "bilinear": {"size": 256, "interpolation": "bilinear"},
    "small": {"size": 31},
    "longest": {"size": 224, "resize_mode": "longest", "fill_color": 127},
    "squash": {"size": 224, "resize_mode": "squash"},
    "wide": {"size": (96, 224)},
}


def sha(pixels):
    return hashlib.sha256(np.ascontiguousarray(pixels).tobytes()).hexdigest()


def of_open_clip(image, cfg):
    """Applies all steps except the last two, which scale and normalise."""
    steps = image_transform_v2(PreprocessCfg(**cfg), is_train=False).transforms[:-2]
    for step in steps:
        image = step(image)
    return sha(np.asarray(image))


def of_processor(image, processor):
    """Applies a processor, but only its resizing and cropping. In the hashed array, channels come last."""
    pixels = processor(image, do_rescale=False, do_normalize=False, return_tensors="np")["pixel_values"][0]
    return sha(pixels.transpose(1, 2, 0).astype(np.uint8))


def main():
    processors = {
        "clip": CLIPImageProcessorPil(),
        "clip-torchvision": CLIPImageProcessor(),
        "siglip-torchvision": SiglipImageProcessor(),
    }
    assert type(processors["clip-torchvision"]).__module__.endswith("image_processing_clip")

    def all_of(image, kinds):
        found = {name: of_open_clip(image, OPEN_CLIP[name]) for name in kinds}
        return found | {name: of_processor(image, processor) for name, processor in processors.items()}

    made = []
    for size in SIZES:
        image = Image.fromarray(picture(*size))
        made.append({"size": list(size), "sha256": all_of(image, OPEN_CLIP)})
    resized = []
    for size, target in [((640, 427), (224, 224)), ((61, 40), (48, 32)), ((20, 14), (45, 32)), ((3, 500), (224, 224)), ((1, 1), (7, 5)), ((1023, 17), (224, 3)), ((100, 224), (224, 224))]:
        source = torch.from_numpy(picture(*size)).permute(2, 0, 1)
        for name in ("bilinear", "bicubic"):
            out = tv.resize(source, target[::-1], interpolation=getattr(tv.InterpolationMode, name.upper()), antialias=True)
            resized.append({"from": list(size), "to": list(target), "filter": name, "sha256": sha(out.permute(1, 2, 0).numpy())})
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else None
    coco = {path.name: all_of(Image.open(path).convert("RGB"), ["shortest"]) for path in sorted(folder.iterdir())} if folder else {}
    versions = {"open_clip": open_clip.__version__, "torch": torch.__version__, "torchvision": torchvision.__version__, "transformers": transformers.__version__, "pillow": PIL.__version__}
    path = Path(__file__).parent / "sizing.json"
    path.write_text(json.dumps({"versions": versions, "configs": OPEN_CLIP, "made": made, "torchvision": resized, "coco": coco}) + "\n")


if __name__ == "__main__":
    main()
