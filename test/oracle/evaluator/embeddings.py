"""Embeddings of a small open_clip CLIP with seeded random weights, saved in common formats.

    .venv/bin/python test/oracle/evaluator/embeddings.py

writes test/fixtures/embeddings and, in this folder, embeddings.json: float64 cosines by NumPy of each file's content.
"""

import json
from pathlib import Path

import numpy as np
import torch
import torchvision_ops  # noqa: F401, before torchvision is imported
import open_clip
from open_clip.model import CLIP
from open_clip.transform import PreprocessCfg, image_transform_v2
from PIL import Image

HERE = Path(__file__).parent
PICTURES = HERE.parent.parent / "fixtures" / "models" / "pictures"
OUT = HERE.parent.parent / "fixtures" / "embeddings"
FILES = ["small.png", "tall.png", "wide.png"]
CAPTIONS = [
    "A man riding a bicycle down a city street.",
    "a black cat",
    'Two dogs play with a "red" ball, and a frisbee.',
    "Zwei Hunde spielen – mit einem Ball 🏀",
    "the man rides",
]


def cosines(images, texts):
    images, texts = (np.asarray(rows, np.float64) for rows in (images, texts))
    dot = images @ texts.T
    return (dot / np.linalg.norm(images, axis=1)[:, None] / np.linalg.norm(texts, axis=1)[None]).tolist()


def main():
    torch.manual_seed(17)
    vision = {"image_size": 32, "patch_size": 8, "width": 32, "layers": 2, "head_width": 16}
    text = {"context_length": 77, "vocab_size": 49408, "width": 32, "heads": 2, "layers": 2}
    model = CLIP(embed_dim=16, vision_cfg=vision, text_cfg=text).eval()
    preprocess = image_transform_v2(PreprocessCfg(size=32), is_train=False)
    with torch.no_grad():
        # The rows are not normalised, so that their norms vary.
        images = model.encode_image(torch.stack([preprocess(Image.open(PICTURES / f)) for f in FILES])).numpy()
        texts = model.encode_text(open_clip.tokenize(CAPTIONS)).numpy() * np.linspace(1, 40, len(CAPTIONS), dtype=np.float32)[:, None]
    OUT.mkdir(exist_ok=True)
    oracle = {"versions": {"torch": torch.__version__, "open_clip": open_clip.__version__, "numpy": np.__version__}, "files": FILES, "captions": CAPTIONS, "cosines": {}}
    for name, kind in {"float16": "<f2", "float32": "<f4", "float64": "<f8", "large-endian": ">f4"}.items():
        for side, rows in {"images": images, "texts": texts}.items():
            np.save(OUT / f"{side}.{name}.npy", rows.astype(kind))
        oracle["cosines"][name] = cosines(images.astype(kind), texts.astype(kind))
    np.save(OUT / "images.fortran.npy", np.asfortranarray(images))
    np.save(OUT / "texts.fortran.npy", np.asfortranarray(texts))
    oracle["cosines"]["fortran"] = oracle["cosines"]["float32"]
    several = {"image_embeds": images, "text_embeds": texts, "logit_scale": np.float32(100), "image_ids": np.array(FILES), "captions": np.array(CAPTIONS)}
    np.savez(OUT / "several.npz", **several)
    np.savez_compressed(OUT / "packed.npz", **several)
    np.save(OUT / "ids.bytes.npy", np.array([f.encode() for f in FILES]))
    np.save(OUT / "ids.numbers.npy", np.array([139, 285, 632]))
    np.save(OUT / "ids.objects.npy", np.array(FILES, dtype=object))
    (HERE / "embeddings.json").write_text(json.dumps(oracle, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
