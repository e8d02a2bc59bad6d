"""A second implementation of the VALSE and BiVLC metrics, from the published files alone.

    python test/oracle/choice/make.py [--check DIR]     writes figures.json here, or into DIR

Reads ../shared/data/{valse,bivlc} next to the checkout; without them it exits with 77, which means skipped.

VALSE gets meaningless scores: the first 48 bits of the SHA-256 of an image's name and a text. Validity, acc_r, p_c,
p_f, min(p_c, p_f) and acc are computed as in the authors' lxmert_valse_eval.py, with a threshold of 0.5. BiVLC's metrics are the
shares of right decisions, also by type, by subtype, by both, and for the four comparisons of the authors' script: Ipos2T,
Ineg2T, Tpos2I and Tneg2I. "matrices" are text, image and group scores and GroupMatch of random scores, computed comparison by
comparison and assignment by assignment.
"""

import csv
import hashlib
import itertools
import json
import pathlib
import sys

here = pathlib.Path(__file__).resolve().parent
data = here.parents[3] / "shared" / "data"
if not data.is_dir():
    print(f"left out: {data} is not there")
    sys.exit(77)

# The number of images, and the image of each caption; -1 if the caption is wrong for all images.
SHAPES = [(1, [0, -1]), (1, [0, 0, -1]), (2, [0, 1]), (2, [0, 1, -1]), (2, [0, 0, 1]), (3, [0, 1, 2]), (4, [2, 0, 3, 1])]
TRIALS = 400


def score(image, text):
    digest = hashlib.sha256(f"{image}\0{text}".encode()).digest()
    return int.from_bytes(digest[:6], "big") / 2**48


def judged(scores, images, right):
    captions = range(len(right))
    asked = [i for i in range(images) if 0 < right.count(i) < len(right)]
    finds = [all(scores[i][c] > scores[i][d] for c in captions for d in captions if right[c] == i != right[d]) for i in asked]
    found = [
        all(scores[right[c]][c] > scores[i][c] for i in range(images) if i != right[c])
        for c in captions
        if right[c] >= 0 and images > 1
    ]
    out = {}
    if finds:
        out["text"] = all(finds)
    if found:
        out["image"] = all(found)
    if finds and found:
        out["group"] = all(finds) and all(found)
    if images > 1 and all(right.count(i) == 1 for i in range(images)):
        sums = {
            chosen: sum(scores[i][c] for i, c in enumerate(chosen)) for chosen in itertools.permutations(captions, images)
        }
        own = tuple(right.index(i) for i in range(images))
        out["match"] = all(sums[own] > total for chosen, total in sums.items() if chosen != own)
    return out


def matrices(images, right):
    counts = {}
    for trial in range(TRIALS):
        scores = [[score(f"{trial}/{i}", str(c)) for c in range(len(right))] for i in range(images)]
        for name, is_right in judged(scores, images, right).items():
            counts[name] = counts.get(name, 0) + is_right
    return counts


def valse(path):
    valid = [entry for entry in json.loads(path.read_text()).values() if entry["mturk"]["caption"] >= 2]
    pairs = [(score(e["image_file"], e["caption"]), score(e["image_file"], e["foil"])) for e in valid]
    n = len(pairs)
    pc = sum(caption > 0.5 for caption, _ in pairs) / n
    pf = sum(not foil > 0.5 for _, foil in pairs) / n
    return {
        "n": n,
        "pairwise": sum(caption > foil for caption, foil in pairs) / n,
        "pc": pc,
        "pf": pf,
        "min": min(pc, pf),
        "acc": (pc + pf) / 2,
    }


def share(rows, column):
    return sum(row[column] == "True" for row in rows) / len(rows)


def bivlc(path):
    with path.open() as file:
        rows = list(csv.DictReader(file))

    def scores(chosen):
        return {"n": len(chosen), **{name: share(chosen, f"{name}_score") for name in ("text", "image", "group")}}

    def sides(chosen):
        return {
            "image=positive": {"n": len(chosen), "accuracy": share(chosen, "text_score_i0")},
            "image=negative": {"n": len(chosen), "accuracy": share(chosen, "text_score_i1")},
            "caption=positive": {"n": len(chosen), "imageAccuracy": share(chosen, "image_score_c0")},
            "caption=negative": {"n": len(chosen), "imageAccuracy": share(chosen, "image_score_c1")},
        }

    slices = {"all": scores(rows), **sides(rows)}
    for tags in (("type",), ("subtype",), ("type", "subtype")):
        for values in sorted({tuple(row[tag] for tag in tags) for row in rows}):
            name = "&".join(f"{tag}={value}" for tag, value in zip(tags, values))
            chosen = [row for row in rows if tuple(row[tag] for tag in tags) == values]
            slices[name] = scores(chosen)
            if tags == ("type",):
                slices |= {f"{name}&{side}": figures for side, figures in sides(chosen).items()}
    return slices


made = {
    "matrices": [
        {"images": images, "rightOf": right, "trials": TRIALS, "right": matrices(images, right)} for images, right in SHAPES
    ],
    "valse": {path.stem: valse(path) for path in sorted((data / "valse").glob("*.json"))},
    "bivlc": bivlc(data / "bivlc" / "BiVLC_ViT-B-32.csv"),
}
target = pathlib.Path(sys.argv[sys.argv.index("--check") + 1]) if "--check" in sys.argv else here
(target / "figures.json").write_text(json.dumps(made, indent=1) + "\n")
