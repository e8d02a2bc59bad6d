"""Prints how well models/starter retrieves captioned photos; arguments: COCO's captions.json and the folder of its photos."""

import argparse
import json
import pathlib

import numpy as np

from encode import ImageTower, TextTower

HERE = pathlib.Path(__file__).resolve().parent
REDISTRIBUTABLE = (4, 5, 7, 8)


def unit(rows):
    return rows / np.linalg.norm(rows, axis=-1, keepdims=True)


def figures(images, texts):
    """texts: (photos, 5, width). A caption finds its photo at rank 1 only if every other photo is farther away."""
    scores = np.einsum("id,jcd->ijc", images.astype(np.float64), texts.astype(np.float64))
    count = len(images)
    own = scores[np.arange(count), np.arange(count)]
    others = ~np.eye(count, dtype=bool)[:, :, None]
    rank = ((scores >= own[None]) & others).sum(0)
    # The share of (caption, other photo) pairs whose caption scores higher with its own photo.
    above = ((own[None] > scores) & others).sum() / (count * (count - 1) * own.shape[1])
    best = scores.reshape(count, -1).argmax(1) // own.shape[1]
    return {
        "photos": count,
        **{f"t2i R@{k}": (rank < k).mean() for k in (1, 5, 10)},
        "i2t R@1": (best == np.arange(count)).mean(),
        "match": above,
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", type=pathlib.Path, default=HERE.parent / "starter")
    parser.add_argument("--coco", type=pathlib.Path, default=HERE.parents[2] / "shared" / "data" / "coco")
    options = parser.parse_args()
    data = json.loads((options.coco / "captions.json").read_text(encoding="utf-8"))
    photos = sorted((i for i in data["images"] if i["split"] == "val2017"), key=lambda i: i["id"])
    captions = {}
    for annotation in sorted(data["annotations"], key=lambda a: a["id"]):
        captions.setdefault(annotation["image_id"], []).append(annotation["caption"])
    texts = TextTower(options.model / "onnx" / "text_model.onnx", options.model / "tokenizer.json").embed(
        [caption for photo in photos for caption in captions[photo["id"]][:5]]
    )
    (images,) = ImageTower(options.model / "onnx" / "vision_model.onnx").run(
        [options.coco / "images" / photo["file_name"] for photo in photos], ["image_embeds"]
    )
    texts = texts.reshape(len(photos), 5, -1)
    free = np.array([photo["license"] in REDISTRIBUTABLE for photo in photos])
    for name, which in (("all", np.ones(len(photos), bool)), ("redistributable", free), ("the others", ~free)):
        row = figures(images[which], texts[which])
        print(f"{name:>16}", *(f"{k} {v:.3f}" if isinstance(v, float) else f"{k} {v}" for k, v in row.items()), sep="  ")


if __name__ == "__main__":
    main()
