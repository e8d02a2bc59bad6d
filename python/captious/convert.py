"""Writes a model as ONNX graphs with tokenizer and preprocessing, which Captious then verifies: convert.py OUT ADAPTER ARGUMENTS
SCRIPTS, the last two as JSON."""

import importlib
import json
import os
import string
import sys

CAPTIONS = ["A black poodle is leashed to a fire hydrant.", "Two dogs on a beach."]
OPSET = 17
#: How CLIP splits a text before its byte-pair encoding.
SPLIT = r"<\|startoftext\|>|<\|endoftext\|>|'s|'t|'re|'ve|'m|'ll|'d|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+"


class Unfit(Exception):
    """Raised if this model cannot be converted. Its arguments are the code and the values of the reason."""

    def __init__(self, *reason, remedy=None):
        super().__init__(*reason)
        self.remedy = remedy


def write(folder, name, content):
    with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
        json.dump(content, file, ensure_ascii=False, indent=1)


def export(run, module, inputs, names, output, path, loose):
    """Exports a graph. `loose` maps the dimensions of variable size to their names."""
    import torch

    class Tower(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.module = module

        def forward(self, *args):
            return run(*args)

    os.makedirs(os.path.dirname(path), exist_ok=True)
    axes = {name: loose for name in names}
    axes[output] = {0: "batch"}
    with torch.no_grad():
        torch.onnx.export(
            Tower().eval(), tuple(inputs), path, input_names=names, output_names=[output], dynamic_axes=axes, opset_version=OPSET, dynamo=False
        )


def common(evaluator):
    """The content of captious.json that any kind of model may have."""
    said = evaluator.info()
    found = {"name": said["name"]}
    if said.get("prefix"):
        found["prefix"] = said["prefix"]
    if said.get("scale"):
        factor, bias = said["scale"]["sigmoid"]
        found["scale"] = {"name": "sigmoid", "factor": factor, "bias": bias}
    return found


def of_open_clip(args, out):
    import torch
    from captious.adapters.open_clip import Evaluator
    from captious.adapters.open_clip_text import TextTower

    evaluator = Evaluator(**{**args, "device": "cpu", "precision": "fp32"})
    model, tokenize = evaluator.model, evaluator._tokenize
    tokens, pixels = tokenize(CAPTIONS), torch.zeros(2, 3, *pair(model.visual.image_size))
    limit = tokens.shape[1]
    tower = TextTower(model)
    text, is_free = tower.encode, tower.is_free
    loose = {0: "batch", 1: "length"} if is_free else {0: "batch"}
    export(text, model, [tokens[:, :20] if is_free and limit > 20 else tokens], ["input_ids"], "text_embeds", graph(out, "text"), loose)
    export(model.encode_image, model, [pixels], ["pixel_values"], "image_embeds", graph(out, "vision"), {0: "batch"})
    pad = open_clip_tokenizer(tokenize, out, limit)
    quick = any(type(module).__name__ == "QuickGELU" for module in model.modules())
    with torch.no_grad():
        dimension = model.encode_text(tokens).shape[1]
    text_config = {"max_position_embeddings": limit, "hidden_act": "quick_gelu" if quick else "gelu"}
    write(out, "config.json", {"model_type": "clip", "projection_dim": dimension, "text_config": text_config})
    write(out, "tokenizer_config.json", {"model_max_length": limit, "pad_token": pad})
    write(
        out,
        "open_clip_config.json",
        {"model_cfg": {"vision_cfg": {"image_size": list(pair(model.visual.image_size))}}, "preprocess_cfg": preprocess_of(model)},
    )
    write(out, "captious.json", common(evaluator))
    return "free" if is_free else limit


def pair(size):
    return (size, size) if isinstance(size, int) else tuple(size)


def preprocess_of(model):
    found = dict(getattr(model.visual, "preprocess_cfg", None) or {})
    return {key: list(value) if isinstance(value, tuple) else value for key, value in found.items()}


def open_clip_tokenizer(tokenize, out, limit):
    """Writes tokenizer.json; returns the token that pads texts."""
    inner = getattr(tokenize, "tokenizer", None)
    clean = getattr(getattr(tokenize, "clean_fn", None), "__name__", "")
    if inner is not None:
        if getattr(tokenize, "strip_sep_token", False) or getattr(tokenize, "tokenizer_mode", ""):
            raise Unfit("tokensChangedByCode")
        save_tokenizer(inner, out)
        path = os.path.join(out, "tokenizer.json")
        with open(path, encoding="utf-8") as file:
            content = json.load(file)
        content["normalizer"] = sequence(cleaning(clean) + [one for one in [content.get("normalizer")] if one])
        write(out, "tokenizer.json", content)
        return inner.pad_token
    if not hasattr(tokenize, "bpe_ranks") or getattr(tokenize, "reduction_fn", None) is not None:
        raise Unfit("tokenizerNotWritable", type(tokenize).__name__)
    write(out, "tokenizer.json", byte_pairs(tokenize, clean))
    return next(token for token, number in tokenize.encoder.items() if number == 0)


def sequence(normalizers):
    return {"type": "Sequence", "normalizers": normalizers} if normalizers else None


def replace(pattern, content):
    return {"type": "Replace", "pattern": {"Regex": pattern}, "content": content}


def cleaning(name):
    """Normalizers equivalent to open_clip's cleaning function `name`, except for ftfy's repair of broken
    encodings and HTML."""
    ftfy = [{"type": "NFC"}, replace("[\u02bc\u2018-\u201b]", "'"), replace("[\u201c-\u201f]", '"')]
    space = [replace(r"\s+", " "), {"type": "Strip", "strip_left": True, "strip_right": True}]
    if name == "_clean_canonicalize":
        signs = "".join("\\" + sign for sign in string.punctuation if sign != "_")
        return ftfy + [replace("_", " "), replace("[" + signs + "]", ""), {"type": "Lowercase"}] + space
    return ftfy + space + ([{"type": "Lowercase"}] if name == "_clean_lower" else [])


def byte_pairs(tokenize, clean):
    """Returns the content of tokenizer.json for OpenAI's byte-pair encoding."""
    start, end = [next(token for token, i in tokenize.encoder.items() if i == number) for number in (tokenize.sot_token_id, tokenize.eot_token_id)]
    special = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False, "special": True}
    merges = [" ".join(merge) for merge, _ in sorted(tokenize.bpe_ranks.items(), key=lambda item: item[1])]
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [{"id": tokenize.encoder[token], "content": token, **special} for token in (start, end)],
        "normalizer": sequence(cleaning(clean)),
        "pre_tokenizer": {
            "type": "Sequence",
            "pretokenizers": [
                {"type": "Split", "pattern": {"Regex": SPLIT}, "behavior": "Removed", "invert": True},
                {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True},
            ],
        },
        "post_processor": {
            "type": "RobertaProcessing",
            "sep": [end, tokenize.encoder[end]],
            "cls": [start, tokenize.encoder[start]],
            "trim_offsets": False,
            "add_prefix_space": False,
        },
        "decoder": {"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": True, "use_regex": True},
        "model": {
            "type": "BPE",
            "dropout": None,
            "unk_token": end,
            "continuing_subword_prefix": "",
            "end_of_word_suffix": "</w>",
            "fuse_unk": False,
            "vocab": tokenize.encoder,
            "merges": merges,
        },
    }


def save_tokenizer(tokenizer, out):
    tokenizer.save_pretrained(out)
    if not os.path.exists(os.path.join(out, "tokenizer.json")):
        raise Unfit("fastTokenizerMissing")


def of_transformers(args, out):
    from captious.adapters.torch_common import rows
    from captious.adapters.transformers import Evaluator

    evaluator = Evaluator(**{"attn_implementation": "eager", **args, "device": "cpu", "dtype": "float32"})
    if not (hasattr(evaluator, "embed_texts") and hasattr(evaluator, "embed_images")):
        raise Unfit("towersMissing")
    model, limit = evaluator.model, evaluator._longest()
    tokens = evaluator._tokens(CAPTIONS)
    names = [name for name in ("input_ids", "attention_mask", "token_type_ids") if name in tokens]
    is_fixed = model.config.model_type.startswith("siglip")
    if is_fixed and "attention_mask" in names:
        # Graphs attend to the padding, as SigLIP was trained, so that they would differ from this original.
        where = os.path.join(args["model"], "tokenizer_config.json")
        raise Unfit("paddingMasked", remedy=("removePaddingMask", where))
    loose = {0: "batch"} if is_fixed else {0: "batch", 1: "length"}
    text = lambda *given: rows(model.get_text_features(**dict(zip(names, given))))  # noqa: E731
    export(text, model, [tokens[name] for name in names], names, "text_embeds", graph(out, "text"), loose)
    pixels = evaluator._pixels([sample_image()] * 2)
    keys = list(pixels)
    image = lambda *given: rows(model.get_image_features(**dict(zip(keys, given))))  # noqa: E731
    export(image, model, [pixels[key] for key in keys], keys, "image_embeds", graph(out, "vision"), {0: "batch"})
    save_tokenizer(evaluator._tokenizer, out)
    model.config.save_pretrained(out)
    evaluator._images.save_pretrained(out)
    path = os.path.join(out, "tokenizer_config.json")
    with open(path, encoding="utf-8") as file:
        said = json.load(file)
    write(out, "tokenizer_config.json", {**said, "model_max_length": limit})
    resize = {"image": {"resize": "torchvision"}} if evaluator.backend() == "torchvision" else {}
    write(out, "captious.json", {**common(evaluator), **resize})
    return limit if is_fixed else "free"


def sample_image():
    from PIL import Image

    return Image.new("RGB", (320, 240), (90, 120, 60))


def graph(out, tower):
    return os.path.join(out, "onnx", tower + "_model.onnx")


def plain_attention(self, query, key, value, need_weights=False, attn_mask=None, **_):
    """nn.MultiheadAttention written with plain operators, because exports of the fused operator fix the
    length of texts."""
    from torch.nn import functional

    if not self.batch_first:
        query, key, value = (one.transpose(0, 1) for one in (query, key, value))
    shares = (self.in_proj_weight.chunk(3) if self._qkv_same_embed_dim else (self.q_proj_weight, self.k_proj_weight, self.v_proj_weight))
    biases = self.in_proj_bias.chunk(3) if self.in_proj_bias is not None else (None, None, None)
    heads = [
        functional.linear(one, weight, bias).reshape(one.shape[0], -1, self.num_heads, self.head_dim).transpose(1, 2)
        for one, weight, bias in zip((query, key, value), shares, biases)
    ]
    scores = heads[0] @ heads[1].transpose(-2, -1) / self.head_dim**0.5
    if attn_mask is not None:
        scores = scores + attn_mask
    found = (scores.softmax(dim=-1) @ heads[2]).transpose(1, 2).reshape(query.shape[0], -1, self.embed_dim)
    found = self.out_proj(found)
    return (found if self.batch_first else found.transpose(0, 1)), None


def main(out, adapter, args, scripts):
    from captious.guard import ScriptFound, guard

    guard(args, scripts)
    import torch

    torch.nn.MultiheadAttention.forward = plain_attention
    try:
        return {"length": {"open_clip": of_open_clip, "transformers": of_transformers}[adapter](args, out)}
    except ScriptFound as found:
        return {"script": {"path": found.path, "sha256": found.sha256}}


if __name__ == "__main__":
    here = os.path.dirname(os.path.abspath(__file__))
    # The search path must not contain this file's folder, because its modules would hide the user's modules.
    sys.path[:] = [os.path.dirname(here)] + [path for path in sys.path if os.path.abspath(path or ".") != here]
    sys.dont_write_bytecode = True
    importlib.import_module("captious")
    from captious.faults import Refused, failure, said

    try:
        print("captious " + json.dumps(main(sys.argv[1], sys.argv[2], *map(json.loads, sys.argv[3:5]))))
    except Unfit as error:
        remedy = {} if error.remedy is None else {"remedy": said(*error.remedy)}
        print("captious " + json.dumps({"unfit": said(*error.args), **remedy}))
    except Refused as error:
        print("captious " + json.dumps({"failure": failure(error)}))
