"""Makes small dual encoders of further families with random weights, each exported as one graph as on the hub.

    python test/oracle/evaluator/families.py

writes test/fixtures/models/family-* and test/oracle/evaluator/families.json. Images go through the family's own
image processor, texts through the model's own forward pass with its processor's padding.
"""

import json
import warnings

import numpy as np
import PIL
import torch
import transformers
from models import HERE, TEXTS, Wrap, encode, export, fresh, random_init, rows, save_tokenizer, unigram, wordpiece, write
from PIL import Image
from tokenizers import Tokenizer, processors
from transformers.models.chinese_clip.image_processing_pil_chinese_clip import ChineseCLIPImageProcessorPil
from transformers.models.clip.image_processing_pil_clip import CLIPImageProcessorPil
from transformers.models.efficientnet.image_processing_pil_efficientnet import EfficientNetImageProcessorPil
from transformers.models.siglip.image_processing_pil_siglip import SiglipImageProcessorPil

warnings.filterwarnings("ignore")
PICTURES = HERE.parent.parent / "fixtures" / "models" / "pictures"
LAYERS = {"num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 32, "hidden_size": 16}
LIKE = {"chinese-clip": "bert-cls", "align": "bert-cls", "siglip-whole": "siglip"}
VISION = LAYERS | {"image_size": 32, "patch_size": 16}


def roberta_pieces():
    """XLM-R's special tokens around sentence pieces: <s> … </s>, padded with 1."""
    draft = json.loads(unigram().to_str())
    pieces = [["<s>", 0.0], ["<pad>", 0.0], ["</s>", 0.0], ["<unk>", 0.0]] + draft["model"]["vocab"][3:]
    draft["model"] |= {"vocab": pieces, "unk_id": 3}
    draft["added_tokens"] = []
    draft["post_processor"] = None
    t = Tokenizer.from_str(json.dumps(draft))
    t.add_special_tokens(["<s>", "<pad>", "</s>", "<unk>"])
    t.post_processor = processors.TemplateProcessing(single="<s> $A </s>", special_tokens=[("<s>", 0), ("</s>", 2)])
    return t


def family(oracle, name, model, tokenizer, limit, processor, said, padding=None, types=False):
    folder = fresh(f"family-{name}")
    if name in LIKE:
        save_tokenizer(tokenizer, folder, LIKE[name])
    else:
        tokenizer.save(str(folder / "tokenizer.json"))
    random_init(model, 4)
    if hasattr(model, "logit_bias"):
        with torch.no_grad():
            model.logit_scale.fill_(np.log(20.0))
            model.logit_bias.fill_(-3.25)
    config = json.loads(model.config.to_json_string())
    config["model_type"] = model.config.model_type
    write(folder, "config.json", config)
    write(folder, "tokenizer_config.json", {"model_max_length": limit} | said)
    write(folder, "preprocessor_config.json", json.loads(processor.to_json_string()))

    def run(m, ids, pixels, mask=None, kinds=None):
        extra = {"token_type_ids": kinds} if kinds is not None else {}
        out = m(input_ids=ids, pixel_values=pixels, attention_mask=mask, **extra)
        return out.logits_per_image, out.text_embeds, out.image_embeds

    first = torch.tensor([encode(tokenizer, TEXTS[0], limit, 1)] * 2)
    if padding is not None:
        first = torch.nn.functional.pad(first, (0, limit - first.shape[1]), value=padding)
    files = sorted(path.name for path in PICTURES.iterdir())
    pixels = [processor(Image.open(PICTURES / f), return_tensors="pt")["pixel_values"] for f in files]
    inputs = ["input_ids", "pixel_values"]
    args = [first, torch.cat(pixels[:1] * 2)]
    if padding is None:
        inputs.append("attention_mask")
        args.append(torch.ones_like(first))
    if types:
        inputs.append("token_type_ids")
        args.append(torch.zeros_like(first))
    axes = {n: {0: "text_batch", 1: "length"} for n in inputs} | {"pixel_values": {0: "image_batch"}}
    axes |= {"logits_per_image": {0: "image_batch", 1: "text_batch"}}
    axes |= {"text_embeds": {0: "text_batch"}, "image_embeds": {0: "image_batch"}}
    outputs = ["logits_per_image", "text_embeds", "image_embeds"]
    export(Wrap((model, run)), tuple(args), folder / "onnx" / "model.onnx", inputs, outputs, axes)

    entry = {"text": [], "image": {}, "logits": []}
    with torch.no_grad():
        for text in TEXTS:
            ids = encode(tokenizer, text, limit, 1)
            if padding is not None:
                ids = ids + [padding] * (limit - len(ids))
            ids = torch.tensor([ids])
            mask = None if padding is not None else torch.ones_like(ids)
            logits, made, _ = run(model, ids, torch.cat(pixels), mask, torch.zeros_like(ids) if types else None)
            entry["text"] += rows(made)
            entry["logits"].append([float(v) for v in logits[:, 0]])
        made = run(model, first[:1], torch.cat(pixels), None if padding is not None else torch.ones_like(first[:1]))[2]
        entry["image"] = dict(zip(files, rows(made)))
    oracle[name] = entry


def main():
    oracle = {
        "versions": {"torch": torch.__version__, "transformers": transformers.__version__, "pillow": PIL.__version__},
        "texts": TEXTS,
    }
    square = {"height": 32, "width": 32}

    words = wordpiece()
    config = transformers.ChineseCLIPConfig(
        text_config=LAYERS | {"vocab_size": words.get_vocab_size(), "max_position_embeddings": 32},
        vision_config=VISION,
        projection_dim=12,
    )
    processor = ChineseCLIPImageProcessorPil(size={"height": 32, "width": 32}, do_center_crop=False)
    family(oracle, "chinese-clip", transformers.ChineseCLIPModel(config).eval(), words, 28, processor, {"pad_token": "[PAD]"}, types=True)

    pieces = roberta_pieces()
    config = transformers.AltCLIPConfig(
        text_config=LAYERS | {"vocab_size": pieces.get_vocab_size(), "max_position_embeddings": 34, "project_dim": 16},
        vision_config=VISION,
        projection_dim=12,
    )
    processor = CLIPImageProcessorPil(size={"shortest_edge": 32}, crop_size=square)
    family(oracle, "alt-clip", transformers.AltCLIPModel(config).eval(), pieces, 28, processor, {"pad_token": "<pad>"})

    config = transformers.AlignConfig(
        text_config=LAYERS | {"vocab_size": words.get_vocab_size(), "max_position_embeddings": 32},
        vision_config={
            "image_size": 32,
            "width_coefficient": 1.0,
            "depth_coefficient": 1.0,
            "depth_divisor": 4,
            "kernel_sizes": [3],
            "in_channels": [32],
            "out_channels": [12],
            "depthwise_padding": [],
            "strides": [2],
            "num_block_repeats": [1],
            "expand_ratios": [1],
            "hidden_dim": 12,
        },
        projection_dim=12,
    )
    processor = EfficientNetImageProcessorPil(
        size={"height": 40, "width": 40}, do_center_crop=True, crop_size=square, rescale_factor=1 / 127.5,
        rescale_offset=True, do_normalize=False, include_top=False, resample=2,
    )
    family(oracle, "align", transformers.AlignModel(config).eval(), words, 28, processor, {"pad_token": "[PAD]"}, types=True)

    pieces = unigram()
    config = transformers.SiglipConfig(
        text_config=LAYERS | {"vocab_size": pieces.get_vocab_size(), "max_position_embeddings": 16, "pad_token_id": 1, "bos_token_id": None, "eos_token_id": 1, "projection_size": 16},
        vision_config=VISION,
    )
    model = transformers.SiglipModel(config).eval()
    processor = SiglipImageProcessorPil(size=square)
    family(oracle, "siglip-whole", model, pieces, 16, processor, {"pad_token": "</s>"}, padding=1)

    (HERE / "families.json").write_text(json.dumps(oracle) + "\n")


if __name__ == "__main__":
    main()
