"""Makes small dual encoders with random weights from the encoders of open_clip and timm.

    python test/oracle/evaluator/openclip.py

writes test/fixtures/models/family-{eva02-clip,mobileclip-s,mobileclip-b,xlm-roberta-clip,tiny-clip,jina-clip}. The
results of open_clip, timm and transformers go to test/oracle/evaluator/openclip.json.

Texts and images go through the encoders' own forward passes. Images are preprocessed by transformers' processors with
the sizes, filters and means of the family: open_clip's own would need torchvision. jina-clip's code is only on the hub,
so its model here is built from timm's EVA02 and transformers' Jina text encoder, as its model card describes it.
"""

import json
import warnings
from functools import partial

import no_torchvision  # noqa: F401, before torchvision is imported
import open_clip
import PIL
import timm
import torch
import transformers
from families import roberta_pieces
from models import CLIP_MEAN, CLIP_STD, HERE, MODELS, TEXTS, Wrap, clip_bpe, encode, export, fresh, random_init, rows, save_tokenizer, write
from open_clip.hf_model import HFTextEncoder
from open_clip.model import CustomTextCLIP
from PIL import Image
from timm.models import eva, fastvit, register_model, vision_transformer_hybrid
from transformers.models.clip.image_processing_pil_clip import CLIPImageProcessorPil

warnings.filterwarnings("ignore")
torch.backends.mha.set_fastpath_enabled(False)
FILES = sorted(path.name for path in (MODELS / "pictures").iterdir())
SIDE = 32


@register_model
def tiny_eva02(pretrained=False, **kwargs):
    own = {
        "img_size": SIDE, "patch_size": 8, "embed_dim": 32, "depth": 2, "num_heads": 2, "qkv_fused": False,
        "mlp_ratio": 4 * 2 / 3, "swiglu_mlp": True, "scale_mlp": True, "scale_attn_inner": True, "use_rot_pos_emb": True,
        "ref_feat_shape": (4, 4),
    }
    return eva._create_eva("eva02_base_patch16_clip_224", pretrained=False, **(own | kwargs))


@register_model
def tiny_fastvit_mci(pretrained=False, **kwargs):
    kwargs.pop("img_size", None)
    own = {
        "layers": (1, 1, 1, 1), "embed_dims": (8, 16, 32, 64), "mlp_ratios": (3, 3, 3, 3),
        "se_downsamples": (False, False, True, True),
        "pos_embs": (None, None, None, partial(fastvit.RepConditionalPosEnc, spatial_shape=(7, 7))),
        "token_mixers": ("repmixer", "repmixer", "repmixer", "attention"), "lkc_use_act": True,
    }
    return fastvit._create_fastvit("fastvit_mci0", pretrained=False, **(own | kwargs))


@register_model
def tiny_vit_mci(pretrained=False, **kwargs):
    stem = vision_transformer_hybrid.ConvStem(channels=(8, 8, 32), stride=(4, 2, 2), kernel_size=(4, 2, 2), padding=0, act_layer=torch.nn.GELU)
    own = {"img_size": SIDE, "embed_dim": 32, "depth": 2, "num_heads": 2, "no_embed_class": True}
    return vision_transformer_hybrid._create_vision_transformer_hybrid(
        "vit_base_mci_224", backbone=stem, embed_args={"proj": False}, pretrained=False, **(own | kwargs)
    )


def processed(size, resample, normal):
    return CLIPImageProcessorPil(
        size={"shortest_edge": size}, crop_size={"height": size, "width": size}, resample=resample,
        do_normalize=normal, image_mean=CLIP_MEAN, image_std=CLIP_STD,
    )


def settle(model, seed):
    """Sets random weights, and random running statistics of batch normalisation, which evaluation mode uses."""
    random_init(model, seed)
    generator = torch.Generator().manual_seed(seed + 100)
    for module in model.modules():
        if isinstance(module, torch.nn.BatchNorm2d):
            module.running_mean.copy_(torch.randn(module.running_mean.shape, generator=generator) * 0.1)
            module.running_var.copy_(torch.rand(module.running_var.shape, generator=generator) + 0.5)
    return model.eval()


def save(oracle, name, tokenizer, processor, config, said, limit, towers, fixed=None):
    """Saves a model. `towers` are functions that embed texts and images, with their names; `fixed` is the id that pads texts."""
    folder = fresh(f"family-{name}")
    save_tokenizer(tokenizer, folder, "family-alt-clip" if name in ("xlm-roberta-clip", "jina-clip") else "clip")
    write(folder, "config.json", config)
    write(folder, "tokenizer_config.json", {"model_max_length": limit} | said)
    write(folder, "preprocessor_config.json", json.loads(processor.to_json_string()))
    texts, images = towers["text"], towers["image"]
    ids = [encode(tokenizer, text, limit, 1) for text in TEXTS]
    if fixed is not None:
        ids = [i + [fixed] * (limit - len(i)) for i in ids]
    pixels = torch.cat([processor(Image.open(MODELS / "pictures" / f), return_tensors="pt")["pixel_values"] for f in FILES])
    with torch.no_grad():
        entry = {"text": [], "image": dict(zip(FILES, rows(images(pixels))))}
        for row in ids:
            entry["text"] += rows(texts(torch.tensor([row])))
    oracle[name] = entry
    first = torch.tensor([ids[0]] * 2)
    loose = {0: "text_batch"} | ({} if fixed is not None else {1: "length"})
    named = towers["names"]
    if towers.get("whole"):
        outputs = [named["text"], named["image"], *towers["more"]]
        axes = {"input_ids": loose, "pixel_values": {0: "image_batch"}} | {o: {0: "text_batch" if "text" in o else "image_batch"} for o in outputs}
        export(Wrap((towers["model"], towers["whole"])), (first, pixels[:2]), folder / "onnx" / "model.onnx", ["input_ids", "pixel_values"], outputs, axes)
        return
    export(Wrap((towers["model"], lambda _m, i: texts(i))), (first,), folder / "onnx" / "text_model.onnx", ["input_ids"], [named["text"]], {"input_ids": loose, named["text"]: {0: "b"}})
    export(Wrap((towers["model"], lambda _m, p: images(p))), (pixels[:2],), folder / "onnx" / "vision_model.onnx", ["pixel_values"], [named["image"]], {"pixel_values": {0: "b"}, named["image"]: {0: "b"}})


def custom(vision, pool, causal=True):
    tokenizer = clip_bpe()
    text = {"context_length": 20, "vocab_size": tokenizer.get_vocab_size(), "width": 32, "heads": 2, "layers": 2, "no_causal_mask": not causal}
    vision = {"timm_model_name": vision, "timm_model_pretrained": False, "timm_pool": pool, "timm_proj": None, "timm_drop": 0.0, "image_size": SIDE}
    return tokenizer, CustomTextCLIP(embed_dim=20, vision_cfg=vision, text_cfg=text, quick_gelu=False)


NAMES = {"text": "text_embeds", "image": "image_embeds"}
CLIP_SAID = {"model_type": "clip", "projection_dim": 20, "text_config": {"max_position_embeddings": 20, "hidden_act": "gelu"}}


def of_open_clip(oracle, name, vision, pool, seed, processor, causal=True):
    tokenizer, model = custom(vision, pool, causal)
    settle(model, seed)
    towers = {"model": model, "text": model.encode_text, "image": model.encode_image, "names": NAMES}
    save(oracle, name, tokenizer, processor, CLIP_SAID, {"pad_token": "!"}, 20, towers, fixed=0)


def xlm_roberta(oracle):
    pieces = roberta_pieces()
    layers = {"num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 32, "hidden_size": 16}
    config = transformers.XLMRobertaConfig(**layers, vocab_size=pieces.get_vocab_size(), max_position_embeddings=34, pad_token_id=1, bos_token_id=0, eos_token_id=2)
    model = CustomTextCLIP(
        embed_dim=20,
        vision_cfg={"image_size": SIDE, "patch_size": 8, "width": 32, "layers": 2, "head_width": 16},
        text_cfg={"context_length": 20, "vocab_size": 20, "width": 32, "heads": 2, "layers": 1},
    )
    # With only a name and no configuration, the class would search the hub.
    model.text = HFTextEncoder("xlm-roberta-base", output_dim=20, config=config, pooler_type="mean_pooler", proj_type="mlp", pretrained=False)
    settle(model, 23)
    towers = {"model": model, "text": model.encode_text, "image": model.encode_image, "names": {"text": "text_features", "image": "image_features"}}
    said = {"model_type": "clip", "projection_dim": 20, "text_config": {"model_type": "xlm-roberta"}}
    save(oracle, "xlm-roberta-clip", pieces, processed(SIDE, 3, True), said, {"pad_token": "<pad>"}, 20, towers)


def tiny_clip(oracle):
    """TinyCLIP in transformers' form: CLIP whose encoders differ in width and depth."""
    tokenizer = clip_bpe()
    end = tokenizer.token_to_id("<|endoftext|>")
    config = transformers.CLIPConfig(
        text_config={"vocab_size": tokenizer.get_vocab_size(), "hidden_size": 16, "intermediate_size": 64, "num_hidden_layers": 1, "num_attention_heads": 2, "max_position_embeddings": 20, "eos_token_id": end, "bos_token_id": end - 1, "pad_token_id": end, "hidden_act": "quick_gelu"},
        vision_config={"image_size": SIDE, "patch_size": 16, "hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 3, "num_attention_heads": 4, "hidden_act": "quick_gelu"},
        projection_dim=24,
    )
    model = settle(transformers.CLIPModel(config), 24)

    def text(ids):
        out = model.text_model(input_ids=ids, attention_mask=torch.ones_like(ids))
        return model.text_projection(out.pooler_output)

    def image(pixels):
        return model.visual_projection(model.vision_model(pixel_values=pixels).pooler_output)

    said = json.loads(model.config.to_json_string()) | {"model_type": "clip"}
    towers = {"model": model, "text": text, "image": image, "names": NAMES}
    save(oracle, "tiny-clip", tokenizer, processed(SIDE, 3, True), said, {"pad_token": "<|endoftext|>"}, 20, towers)


def jina_clip(oracle):
    pieces = roberta_pieces()
    layers = {"num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 32, "hidden_size": 16}
    text = settle(transformers.JinaEmbeddingsV3Model(transformers.JinaEmbeddingsV3Config(**layers, vocab_size=pieces.get_vocab_size(), max_position_embeddings=64, pad_token_id=1, bos_token_id=0, eos_token_id=2)), 25)
    vision = settle(timm.create_model("tiny_eva02", num_classes=0), 26)
    bridge = settle(torch.nn.Linear(32, 16, bias=False), 27)
    model = torch.nn.ModuleDict({"text": text, "vision": vision, "bridge": bridge})

    def text_run(ids):
        mask = (ids != 1).long()
        hidden = text(input_ids=ids, attention_mask=mask).last_hidden_state
        return (hidden * mask.unsqueeze(-1)).sum(1) / mask.sum(1, keepdim=True)

    def image_run(pixels):
        return bridge(vision(pixels))

    def whole(_m, ids, pixels):
        a, b = text_run(ids), image_run(pixels)
        unit = torch.nn.functional.normalize
        return a, b, unit(a, dim=-1), unit(b, dim=-1)

    towers = {
        "model": model, "text": text_run, "image": image_run, "whole": whole,
        "names": {"text": "text_embeddings", "image": "image_embeddings"},
        "more": ["l2norm_text_embeddings", "l2norm_image_embeddings"],
    }
    said = {"model_type": "jina_clip", "projection_dim": 16}
    save(oracle, "jina-clip", pieces, processed(SIDE, 3, True), said, {"pad_token": "<pad>"}, 20, towers)


def main():
    oracle = {
        "versions": {"torch": torch.__version__, "transformers": transformers.__version__, "open_clip": open_clip.__version__, "timm": timm.__version__, "pillow": PIL.__version__},
        "texts": TEXTS,
    }
    of_open_clip(oracle, "eva02-clip", "tiny_eva02", "token", 20, processed(SIDE, 3, True))
    # Apple's MobileCLIP models resize images bilinearly and do not normalise colours.
    of_open_clip(oracle, "mobileclip-s", "tiny_fastvit_mci", "avg", 21, processed(SIDE, 2, False), causal=False)
    of_open_clip(oracle, "mobileclip-b", "tiny_vit_mci", "token", 22, processed(SIDE, 2, False))
    xlm_roberta(oracle)
    tiny_clip(oracle)
    jina_clip(oracle)
    (HERE / "openclip.json").write_text(json.dumps(oracle) + "\n")


if __name__ == "__main__":
    main()
