"""The script that a researcher would write for an LGIP audit: scores every pair of `captious variants` with open_clip.

python lgip.py PAIRS.jsonl WEIGHTS.pt SCORES.jsonl: each distinct image and text once, in batches of 32, in file order,
with the library's own preprocessing and padding.
"""

import json
import sys

import open_clip
import torch
from PIL import Image

BATCH = 32


def embedded(items, encode):
    found = {}
    for at in range(0, len(items), BATCH):
        part = items[at : at + BATCH]
        rows = torch.nn.functional.normalize(encode(part), dim=-1)
        found.update(zip(part, rows))
    return found


def main():
    pairs_file, weights, scores_file = sys.argv[1:]
    with open(pairs_file, encoding="utf-8") as file:
        pairs = [json.loads(line) for line in file]
    model, _, preprocess = open_clip.create_model_and_transforms("ViT-B-32", pretrained=weights)
    model.eval()
    tokenize = open_clip.get_tokenizer("ViT-B-32")

    def of_images(paths):
        return model.encode_image(torch.stack([preprocess(Image.open(path).convert("RGB")) for path in paths]))

    with torch.inference_mode():
        images = embedded(list(dict.fromkeys(pair["left"]["path"] for pair in pairs)), of_images)
        texts = embedded(list(dict.fromkeys(pair["right"]["text"] for pair in pairs)), lambda part: model.encode_text(tokenize(part)))
        with open(scores_file, "w", encoding="utf-8") as file:
            for pair in pairs:
                score = float(images[pair["left"]["path"]] @ texts[pair["right"]["text"]])
                file.write(json.dumps({"key": pair["key"], "score": score}) + "\n")
    print(json.dumps({"pairs": len(pairs), "images": len(images), "texts": len(texts)}))


main()
