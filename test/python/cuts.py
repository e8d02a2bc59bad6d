"""Checks that open_clip encodes texts equally if a batch is cut at its last end token. Prints {"cuts", "columns", "apart"} for each model."""

import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "python"))

import open_clip
import torch

from captious.adapters.open_clip_text import TextTower

CAPTIONS = ["a dog", "two small dogs and a red ball lie on the green grass", "a bus"]


def measured(model, ids):
    tower = TextTower(model)
    with torch.inference_mode():
        whole, cut = model.encode_text(ids), tower.encode(tower.cut(ids))
    whole = whole[0] if isinstance(whole, tuple) else whole
    cut = cut[0] if isinstance(cut, tuple) else cut
    return {"cuts": tower.is_free, "columns": tower.cut(ids).shape[1], "apart": float((whole - cut).abs().max() / whole.abs().max())}


def main():
    torch.manual_seed(0)
    ids = open_clip.get_tokenizer("ViT-S-32-alt")(CAPTIONS)
    found = {}
    for name in ("ViT-S-32-alt", "coca_ViT-B-32", "ViT-B-16-SigLIP"):
        model = open_clip.create_model(name).eval()
        own = torch.randint(1, 900, (3, model.context_length)) if name == "ViT-B-16-SigLIP" else ids[:, : 76 if "coca" in name else 77]
        found[name] = measured(model, own)
        if name == "ViT-S-32-alt":
            model.attn_mask[0, 5] = 0.0
            found["not causal"] = measured(model, own)
    print(json.dumps(found))


main()
