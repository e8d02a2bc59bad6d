"""Makes two small dual encoders with random weights, as two graphs each: OpenCLIP's model and BLIP's retrieval encoders.

    python test/oracle/evaluator/exports.py

writes test/fixtures/models/family-open-clip and family-blip-itc. The results of open_clip and transformers with their
own image processing go to test/oracle/evaluator/exports.json.
"""

import json
import sys
import types

import torch

# The compiled part of torchvision may not match torch. open_clip needs only functions in pure Python.
sys.modules["torchvision._meta_registrations"] = types.ModuleType("torchvision._meta_registrations")

import open_clip
import PIL
from open_clip.model import CLIP
from PIL import Image

import transformers
from transformers.models.blip.image_processing_pil_blip import BlipImageProcessorPil

from models import CLIP_MEAN, CLIP_STD, HERE, MODELS, TEXTS, Wrap, clip_bpe, encode, export, fresh, random_init, rows, save_tokenizer, wordpiece, write

PICTURES = MODELS / "pictures"
# The export does not support the operators of PyTorch's fast path for attention. The slow path has equal results.
torch.backends.mha.set_fastpath_enabled(False)
FILES = sorted(path.name for path in PICTURES.iterdir())


def open_clip_model(oracle):
    """A small open_clip model. The output at the end token, which has the highest id, is the embedding of a
    text. Texts are padded with zeros to a fixed length.
    """
    folder = fresh("family-open-clip")
    tokenizer = clip_bpe()
    save_tokenizer(tokenizer, folder, "clip")
    limit = 20
    vision = {"image_size": 32, "patch_size": 8, "width": 32, "layers": 2, "head_width": 16}
    text = {"context_length": limit, "vocab_size": tokenizer.get_vocab_size(), "width": 32, "heads": 2, "layers": 2}
    model = CLIP(embed_dim=20, vision_cfg=vision, text_cfg=text, quick_gelu=False).eval()
    random_init(model, 8)
    transform = open_clip.image_transform(32, is_train=False, mean=CLIP_MEAN, std=CLIP_STD)
    write(folder, "config.json", {"model_type": "clip", "projection_dim": 20, "text_config": {"max_position_embeddings": limit, "hidden_act": "gelu"}})
    write(folder, "tokenizer_config.json", {"model_max_length": limit, "pad_token": "!"})
    write(
        folder,
        "preprocessor_config.json",
        {
            "image_processor_type": "CLIPImageProcessor", "do_resize": True, "size": {"shortest_edge": 32}, "resample": 3,
            "do_center_crop": True, "crop_size": {"height": 32, "width": 32}, "do_rescale": True, "rescale_factor": 1 / 255,
            "do_normalize": True, "image_mean": CLIP_MEAN, "image_std": CLIP_STD,
        },
    )
    end = tokenizer.get_vocab_size() - 1
    assert tokenizer.token_to_id("<|endoftext|>") == end and tokenizer.token_to_id("!") == 0
    ids = [encode(tokenizer, text, limit, 1) for text in TEXTS]
    ids = torch.tensor([i + [0] * (limit - len(i)) for i in ids])
    pixels = torch.stack([transform(Image.open(PICTURES / f)) for f in FILES])
    with torch.no_grad():
        entry = {"text": rows(model.encode_text(ids)), "image": dict(zip(FILES, rows(model.encode_image(pixels))))}
    export(Wrap((model, lambda m, i: m.encode_text(i))), (ids[:2],), folder / "onnx" / "text_model.onnx", ["input_ids"], ["text_features"], {"input_ids": {0: "b"}, "text_features": {0: "b"}})
    export(Wrap((model, lambda m, p: m.encode_image(p))), (pixels[:2],), folder / "onnx" / "vision_model.onnx", ["pixel_values"], ["image_features"], {"pixel_values": {0: "b"}, "image_features": {0: "b"}})
    oracle["open-clip"] = entry


def blip_itc(oracle):
    folder = fresh("family-blip-itc")
    tokenizer = wordpiece()
    save_tokenizer(tokenizer, folder, "bert-cls")
    limit = 24
    layers = {"num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 32, "hidden_size": 16}
    config = transformers.BlipConfig(
        text_config=layers | {"vocab_size": tokenizer.get_vocab_size(), "max_position_embeddings": 32, "encoder_hidden_size": 16, "bos_token_id": 2, "eos_token_id": 3, "sep_token_id": 3, "pad_token_id": 0},
        vision_config=layers | {"image_size": 32, "patch_size": 8},
        image_text_hidden_size=12,
    )
    model = transformers.BlipForImageTextRetrieval(config).eval()
    random_init(model, 9)
    processor = BlipImageProcessorPil(size={"height": 32, "width": 32})
    said = json.loads(model.config.to_json_string())
    said["model_type"] = "blip"
    write(folder, "config.json", said)
    write(folder, "tokenizer_config.json", {"model_max_length": limit, "pad_token": "[PAD]"})
    write(folder, "preprocessor_config.json", json.loads(processor.to_json_string()))

    def text_run(m, ids, mask):
        hidden = m.text_encoder(input_ids=ids, attention_mask=mask).last_hidden_state
        return torch.nn.functional.normalize(m.text_proj(hidden[:, 0, :]), dim=-1)

    def image_run(m, pixels):
        return torch.nn.functional.normalize(m.vision_proj(m.vision_model(pixel_values=pixels).last_hidden_state[:, 0, :]), dim=-1)

    pixels = torch.cat([processor(Image.open(PICTURES / f), return_tensors="pt")["pixel_values"] for f in FILES])
    entry = {"text": [], "image": {}, "scores": []}
    with torch.no_grad():
        for text in TEXTS:
            ids = torch.tensor([encode(tokenizer, text, limit, 1)])
            entry["text"] += rows(text_run(model, ids, torch.ones_like(ids)))
            # The cosines that the whole model computes, to check how this script splits the model.
            own = model(input_ids=ids, attention_mask=torch.ones_like(ids), pixel_values=pixels, use_itm_head=False)
            entry["scores"].append([float(v) for v in own.itm_score[:, 0]])
        entry["image"] = dict(zip(FILES, rows(image_run(model, pixels))))
    ids = torch.tensor([encode(tokenizer, TEXTS[2], limit, 1)] * 2)
    axes = {n: {0: "b", 1: "n"} for n in ["input_ids", "attention_mask"]} | {"text_embeds": {0: "b"}}
    export(Wrap((model, text_run)), (ids, torch.ones_like(ids)), folder / "onnx" / "text_model.onnx", ["input_ids", "attention_mask"], ["text_embeds"], axes)
    export(Wrap((model, image_run)), (pixels[:2],), folder / "onnx" / "vision_model.onnx", ["pixel_values"], ["image_embeds"], {"pixel_values": {0: "b"}, "image_embeds": {0: "b"}})
    oracle["blip-itc"] = entry


def main():
    oracle = {
        "versions": {"torch": torch.__version__, "transformers": transformers.__version__, "open_clip": open_clip.__version__, "pillow": PIL.__version__},
        "texts": TEXTS,
    }
    open_clip_model(oracle)
    blip_itc(oracle)
    (HERE / "exports.json").write_text(json.dumps(oracle) + "\n")


if __name__ == "__main__":
    main()
