"""VALSE and BiVLC a second time, from their published files alone.

    python test/oracle/choice/recompute.py DATA     DATA: the folder that has valse/ and bivlc/; writes figures.json here

VALSE is scored by a scorer that knows nothing: of an image's name and a text, the first 48 bits of their SHA-256. What is valid,
acc_r, p_c, p_f, min(p_c, p_f) and acc are worked out as in the authors' lxmert_valse_eval.py, with 0.5 as threshold. Of BiVLC's
decisions the shares that are true are counted, by type and by subtype, too.
"""

import csv
import hashlib
import json
import pathlib
import sys

data = pathlib.Path(sys.argv[1])
here = pathlib.Path(__file__).parent


def score(image, text):
    digest = hashlib.sha256(f"{image}\0{text}".encode()).digest()
    return int.from_bytes(digest[:6], "big") / 2**48


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


def bivlc(path):
    with path.open() as file:
        rows = list(csv.DictReader(file))

    def shares(chosen):
        return {
            "n": len(chosen),
            **{name: sum(row[f"{name}_score"] == "True" for row in chosen) / len(chosen) for name in ("text", "image", "group")},
        }

    slices = {}
    for tag in ("type", "subtype"):
        for value in sorted({row[tag] for row in rows}):
            slices[f"{tag}={value}"] = shares([row for row in rows if row[tag] == value])
    return {"all": shares(rows), **slices}


figures = {
    "valse": {path.stem: valse(path) for path in sorted((data / "valse").glob("*.json"))},
    "bivlc": bivlc(data / "bivlc" / "BiVLC_ViT-B-32.csv"),
}
(here / "figures.json").write_text(json.dumps(figures, indent=1) + "\n")
