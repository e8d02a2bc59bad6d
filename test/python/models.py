"""Models with seeded random weights, and their own libraries' results on images and captions.

python models.py OUT FIXTURES PAIRS.json: writes the models to OUT, and OUT/expected.json with the cosines or scores of
the pairs, computed by simple loops in other batches than Captious's.
"""

import json
import shutil
import sys
from pathlib import Path

import open_clip
import torch
import transformers
from PIL import Image

OUT, FIXTURES = Path(sys.argv[1]), Path(sys.argv[2])
PAIRS = json.loads(Path(sys.argv[3]).read_text())
BATCH = 16


def batches(items):
    for at in range(0, len(items), BATCH):
        yield items[at : at + BATCH]


def opened(path):
    return Image.open(path).convert("RGB")


def cosines(images, texts):
    """One score per pair, from rows that were embedded in batches."""
    images = torch.nn.functional.normalize(torch.cat(images).double(), dim=1)
    texts = torch.nn.functional.normalize(torch.cat(texts).double(), dim=1)
    return (images * texts).sum(dim=1).tolist()


def of_open_clip():
    torch.manual_seed(7)
    model = open_clip.create_model("ViT-B-32")
    torch.save(model.state_dict(), OUT / "vit-b-32.pt")
    model, _, preprocess = open_clip.create_model_and_transforms("ViT-B-32", pretrained=str(OUT / "vit-b-32.pt"))
    model.eval()
    tokenize = open_clip.get_tokenizer("ViT-B-32")
    with torch.inference_mode():
        images = [model.encode_image(torch.stack([preprocess(opened(p["image"])) for p in part])) for part in batches(PAIRS)]
        texts = [model.encode_text(tokenize([p["text"] for p in part])) for part in batches(PAIRS)]
    return cosines(images, texts)


def saved(name, model, tokenizer, processor):
    folder = OUT / name
    model.eval().save_pretrained(folder)
    processor.save_pretrained(folder)
    for file in ("tokenizer.json", "tokenizer_config.json"):
        if (FIXTURES / tokenizer / file).exists():
            shutil.copy(FIXTURES / tokenizer / file, folder / file)
    if name == "siglip":
        # SigLIP attends to padding, so its tokenizers return no attention mask.
        said = json.loads((folder / "tokenizer_config.json").read_text())
        (folder / "tokenizer_config.json").write_text(json.dumps({**said, "model_input_names": ["input_ids"]}))
    return folder, transformers.AutoTokenizer.from_pretrained(folder), transformers.AutoImageProcessor.from_pretrained(folder)


def towers(model, tokenizer, processor, **padding):
    with torch.inference_mode():
        images = [
            model.get_image_features(**processor(images=[opened(p["image"]) for p in part], return_tensors="pt")).pooler_output
            for part in batches(PAIRS)
        ]
        texts = []
        for part in batches(PAIRS):
            tokens = tokenizer([p["text"] for p in part], truncation=True, return_tensors="pt", **padding)
            tokens.pop("token_type_ids", None)
            texts.append(model.get_text_features(**tokens).pooler_output)
    return cosines(images, texts)


def vocabulary(tokenizer):
    """Returns a size with room for the vocabulary and, if it has them, the ids of the special tokens around a text."""
    held = json.loads((FIXTURES / tokenizer / "tokenizer.json").read_text())
    pieces = held["model"]["vocab"]
    found = {"vocab_size": len(pieces) + 64}
    ends = {"bos_token_id": "<|startoftext|>", "eos_token_id": "<|endoftext|>", "pad_token_id": "<|endoftext|>"}
    return {**found, **{key: pieces[token] for key, token in ends.items() if token in pieces}}


SMALL = {"hidden_size": 128, "intermediate_size": 256, "num_hidden_layers": 3, "num_attention_heads": 4}


def of_clip():
    torch.manual_seed(8)
    config = transformers.CLIPConfig(
        text_config={**SMALL, **vocabulary("clip"), "max_position_embeddings": 77},
        vision_config={**SMALL, "image_size": 224, "patch_size": 32},
        projection_dim=64,
    )
    model = transformers.CLIPModel(config)
    _, tokenizer, processor = saved("clip", model, "clip", transformers.CLIPImageProcessor())
    longest = min(77, tokenizer.model_max_length)
    return towers(model, tokenizer, processor, padding=True, max_length=longest)


def of_siglip():
    torch.manual_seed(9)
    config = transformers.SiglipConfig(
        text_config={**SMALL, **vocabulary("clip"), "max_position_embeddings": 64, "projection_size": 128},
        vision_config={**SMALL, "image_size": 224, "patch_size": 16},
    )
    model = transformers.SiglipModel(config)
    torch.nn.init.constant_(model.logit_bias, -3.0)
    torch.nn.init.constant_(model.logit_scale, 1.5)
    _, tokenizer, processor = saved("siglip", model, "clip", transformers.SiglipImageProcessor(size={"height": 224, "width": 224}))
    longest = min(64, tokenizer.model_max_length)
    found = torch.tensor(towers(model, tokenizer, processor, padding="max_length", max_length=longest), dtype=torch.float64)
    return (found * model.logit_scale.double().exp() + model.logit_bias.double()).sigmoid().tolist()


def of_blip():
    torch.manual_seed(10)
    config = transformers.BlipConfig(
        text_config={
            **SMALL,
            **vocabulary("bert-cls"),
            "max_position_embeddings": 64,
            "encoder_hidden_size": 128,
            "projection_dim": 64,
        },
        vision_config={**SMALL, "image_size": 224, "patch_size": 16},
        projection_dim=64,
        image_text_hidden_size=64,
    )
    model = transformers.BlipForImageTextRetrieval(config)
    _, tokenizer, processor = saved("blip-itm", model, "bert-cls", transformers.BlipImageProcessor(size={"height": 224, "width": 224}))
    longest = min(64, tokenizer.model_max_length)
    found = []
    with torch.inference_mode():
        for part in batches(PAIRS):
            tokens = tokenizer([p["text"] for p in part], padding=True, truncation=True, max_length=longest, return_tensors="pt")
            pixels = processor(images=[opened(p["image"]) for p in part], return_tensors="pt")
            head = model(input_ids=tokens["input_ids"], attention_mask=tokens["attention_mask"], **pixels).itm_score
            found += head.double().softmax(dim=1)[:, 1].tolist()
    return found


class Plain(transformers.CLIPModel):
    """Returns tensors as transformers 4 did, because torchmetrics 1.9 expects them."""

    def get_image_features(self, *args, **kwargs):
        return super().get_image_features(*args, **kwargs).pooler_output

    def get_text_features(self, *args, **kwargs):
        return super().get_text_features(*args, **kwargs).pooler_output


def of_torchmetrics():
    from torchmetrics.multimodal import CLIPScore

    folder = OUT / "clip"
    metric = CLIPScore(
        model_name_or_path=lambda: (
            Plain.from_pretrained(folder),
            transformers.CLIPProcessor(
                transformers.AutoImageProcessor.from_pretrained(folder), transformers.AutoTokenizer.from_pretrained(folder)
            ),
        )
    )
    to_tensor = lambda path: torch.from_numpy(__import__("numpy").array(opened(path))).permute(2, 0, 1)
    found = []
    with torch.inference_mode():
        for pair in PAIRS[:40]:
            metric.reset()
            metric.update(to_tensor(pair["image"]), pair["text"])
            found.append(metric.compute().item())
    return found


OUT.mkdir(parents=True, exist_ok=True)
EXPECTED = {}
for name, of in (
    ("clip", of_clip),
    ("siglip", of_siglip),
    ("blip-itm", of_blip),
    ("torchmetrics", of_torchmetrics),
    ("open_clip", of_open_clip),
):
    EXPECTED[name] = of()
    (OUT / "expected.json").write_text(json.dumps(EXPECTED))
