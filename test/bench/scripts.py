"""The scripts that researchers would write for their audits: batches, a DataLoader and open_clip.

python scripts.py WAY WEIGHTS WORKERS OUT FILE [IMAGES LIST] [--written]: writes OUT, in the form of Captious's rows or
scores. Each distinct image and text is encoded once, in file order, with the library's own preprocessing and padding.

pairs: FILE has pairs of an image and a text, or of two texts, as `captious variants` writes them (LGIP, VISLA, invariance).
prsm: FILE has queries with their wordings, and the folder IMAGES the gallery.
rococo: FILE has the published form, IMAGES are its images, and LIST says which other image goes where.
--written: reads the altered images that Captious wrote instead of altering them, to compare scores.
"""

import json
import math
import os
import sys

import numpy as np
import open_clip
import torch
from PIL import Image, ImageFilter, ImageOps
from torch.utils.data import DataLoader, Dataset

BATCH = 32
DEPTHS = (1, 5, 10)


class Model:
    def __init__(self, weights, workers):
        self.model, _, self.preprocess = open_clip.create_model_and_transforms("ViT-B-32", pretrained=weights)
        self.model.eval()
        self.tokenize = open_clip.get_tokenizer("ViT-B-32")
        self.workers = workers
        self.counts = {"images": 0, "texts": 0}

    def images(self, pictures):
        """Rows of length 1 for pictures, each a path and its alterations."""
        distinct = list(dict.fromkeys(pictures))
        self.counts["images"] += len(distinct)
        loader = DataLoader(Images(distinct, self.preprocess), batch_size=BATCH, num_workers=self.workers)
        return gathered(pictures, distinct, [self.model.encode_image(batch, normalize=True) for batch in loader])

    def texts(self, texts):
        distinct = list(dict.fromkeys(texts))
        self.counts["texts"] += len(distinct)
        batches = [distinct[at : at + BATCH] for at in range(0, len(distinct), BATCH)]
        return gathered(texts, distinct, [self.model.encode_text(self.tokenize(batch), normalize=True) for batch in batches])


def gathered(items, distinct, batches):
    at = {item: row for row, item in enumerate(distinct)}
    return torch.cat(batches)[[at[item] for item in items]] if items else torch.empty(0)


class Images(Dataset):
    def __init__(self, images, preprocess):
        self.images = images
        self.preprocess = preprocess

    def __len__(self):
        return len(self.images)

    def __getitem__(self, index):
        path, changes = self.images[index]
        image = Image.open(path).convert("RGB")
        for change in changes:
            image = changed(image, *change)
        return self.preprocess(image)


def changed(image, op, *values):
    if op == "vflip":
        return ImageOps.flip(image)
    if op == "hflip":
        return ImageOps.mirror(image)
    if op == "rotate":
        return image.rotate(values[0], Image.Resampling.BILINEAR)
    if op == "blur":
        return image.filter(ImageFilter.GaussianBlur(values[0]))
    other, side, weight, *centre = values
    image = image.resize((side, side), Image.Resampling.BICUBIC)
    other = Image.open(other).convert("RGB").resize((side, side), Image.Resampling.BICUBIC)
    if op == "mix":
        return Image.blend(image, other, 1 - weight)
    if op == "patch":
        half = int(side * math.sqrt(1 - weight)) // 2
        box = [min(max(at + by, 0), side) for by in (-half, half) for at in centre]
        image.paste(other.crop(box), box[:2])
        return image
    raise ValueError(f"no alteration {op}")


def values(transform):
    """A transform as a key: its name and numbers, in the order in which they are written."""
    return tuple(transform.values())


def lines(path):
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def pairs(model, written, path):
    """One score for each pair."""
    found = lines(path)

    def picture(side):
        if written and "file" in side:
            return os.path.join(os.path.dirname(path), side["file"]), ()
        return side["path"], tuple(values(transform) for transform in side["transforms"])

    lefts, rights = [[pair[side] for pair in found] for side in ("left", "right")]
    if "text" in lefts[0]:
        left, right = model.texts([side["text"] for side in lefts + rights]).chunk(2)
    else:
        left = model.images([picture(side) for side in lefts])
        right = model.texts([side["text"] for side in rights])
    scores = (left * right).sum(dim=1)
    return [{"key": pair["key"], "score": score} for pair, score in zip(found, scores.tolist())]


def prsm(model, _, path, images):
    """The agreement of the rankings of all images by two wordings, as Spearman's ρ and as common images of the top."""
    queries = lines(path)
    gallery = model.images([(os.path.join(images, name), ()) for name in queries[0]["images"]])
    texts = [text for query in queries for text in query["wordings"].values()]
    scores = (model.texts(texts) @ gallery.T).numpy()
    order = np.argsort(-scores, axis=1)
    ranks = np.argsort(order, axis=1)
    found, at = [], 0
    for query in queries:
        row = {label: at + i for i, label in enumerate(query["wordings"])}
        at += len(row)
        found.append({"caption": query["caption"], "pairs": []})
        for first, second, tops in query["pairs"]:
            rho = np.corrcoef(ranks[row[first]], ranks[row[second]])[0, 1]
            sizes = {top: min(int(top), len(gallery)) for top in tops}
            shared = {top: len(np.intersect1d(order[row[first], :n], order[row[second], :n])) / n for top, n in sizes.items()}
            found[-1]["pairs"].append({"first": first, "second": second, "rho": float(rho), "shared": shared})
    return found


def rococo(model, written, path, images, altered):
    """Searches in both directions, with altered captions or images in the gallery."""
    with open(path, encoding="utf-8") as file:
        entries = json.load(file)
    made = {}
    for line in lines(altered):
        made.setdefault(line["kind"], {}).setdefault(line["seed"], []).append(line)

    def picture(line):
        if written:
            return os.path.join(os.path.dirname(altered), line["file"]), ()
        op, other, *rest = values(line["transform"])
        return os.path.join(images, line["image"]), ((op, os.path.join(images, other["path"]), *rest),)

    photos = model.images([(os.path.join(images, entry["image"]), ()) for entry in entries])
    true = [(text, own) for own, entry in enumerate(entries) for text in entry["caption"][:5]]
    false = [text for entry in entries for text in entry["caption"][5:]]
    captions, rivals = model.texts([text for text, _ in true]), model.texts(false)
    owners = torch.tensor([own for _, own in true])
    kinds = {
        kind: [model.images([picture(line) for line in draw]) for draw in draws.values()] for kind, draws in made.items()
    }
    own = owners[None] == torch.arange(len(entries))[:, None]
    found = []
    across = captions @ photos.T
    for (text, at), row, right in zip(true, across, own.T):
        clean = {"score": float(row[right].max()), "clean": hits(row, right), "hits": []}
        found.append({"kind": "caption", "image": entries[at]["image"], "caption": text, "search": clean})
    for kind, draws in kinds.items():
        scores = [captions @ draw.T for draw in draws]
        for at, row in enumerate(found):
            each = [hits(torch.cat([across[at], draw[at]]), padded(own[:, at], draw.shape[1])) for draw in scores]
            stressed = {depth: sum(one[depth] for one in each) / len(each) for depth in each[0]}
            rival = max(float(draw[at].max()) for draw in scores)
            row["search"]["hits"].append({"images": kind, "stressed": stressed, "rival": rival})
    against = photos @ rivals.T
    for entry, row, wrong, right in zip(entries, across.T, against, own):
        stressed = hits(torch.cat([row, wrong]), padded(right, len(wrong)))
        clean = {"score": float(row[right].max()), "clean": hits(row, right), "lists": [{"stressed": stressed}]}
        found.append({"kind": "image", "image": entry["image"], **clean})
    return found


def padded(right, more):
    return torch.nn.functional.pad(right, (0, more))


def hits(scores, right):
    """Whether a true item is among the first results, by depth."""
    before = int((scores > scores[right].max()).sum())
    return {f"r{depth}": float(before < depth) for depth in DEPTHS}


def main():
    way, weights, workers, out, *files = [given for given in sys.argv[1:] if given != "--written"]
    model = Model(weights, int(workers))
    with torch.inference_mode():
        rows = {"pairs": pairs, "prsm": prsm, "rococo": rococo}[way](model, "--written" in sys.argv, *files)
    with open(out, "w", encoding="utf-8") as file:
        file.writelines(json.dumps(row) + "\n" for row in rows)
    print(json.dumps(model.counts))


if __name__ == "__main__":
    main()
