"""Scores of the tiny CLIP (test/fixtures/models/clip) as other programs compute them.

    python test/oracle/parity/parity.py

writes test/oracle/parity/parity.json: scores of the sample images, each with two captions, by transformers' CLIP and by
open_clip with the same weights, with QuickGELU and GELU, with other pooling, and with processors that resize with Pillow, with torchvision
and with torchvision without antialiasing.
"""

import json
import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "evaluator"))
import torchvision_ops  # noqa: E402, F401, before torchvision is imported
import onnx.numpy_helper  # noqa: E402
import open_clip  # noqa: E402
import PIL  # noqa: E402
import torch  # noqa: E402
import torchvision  # noqa: E402
import transformers  # noqa: E402
from open_clip.model import CLIP, CLIPTextCfg, CLIPVisionCfg  # noqa: E402
from open_clip.transform import image_transform  # noqa: E402
from PIL import Image  # noqa: E402
from tokenizers import Tokenizer  # noqa: E402
from torchvision.transforms.v2 import functional  # noqa: E402
from transformers import CLIPConfig, CLIPImageProcessor, CLIPModel  # noqa: E402
from transformers.models.clip.image_processing_pil_clip import CLIPImageProcessorPil  # noqa: E402

ROOT = HERE.parent.parent.parent
MODEL = ROOT / "test" / "fixtures" / "models" / "clip"
SAMPLES = ROOT / "samples"


def random_init(model, seed, spread=0.2):
    """The same weights as in test/oracle/evaluator/models.py."""
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for name, p in model.named_parameters():
            if p.dim() > 1:
                p.copy_(torch.randn(p.shape, generator=generator) * spread)
            elif "bias" in name:
                p.copy_(torch.randn(p.shape, generator=generator) * 0.05)
        # transformers draws this one from its global generator.
        graph = onnx.load(str(MODEL / "onnx" / "model.onnx")).graph
        stored = {tensor.name.removeprefix("model."): tensor for tensor in graph.initializer}
        name = "vision_model.embeddings.class_embedding"
        model.get_parameter(name).copy_(torch.from_numpy(onnx.numpy_helper.to_array(stored[name]).copy()))


def hub_model(image_act, text_act):
    config = json.loads((MODEL / "config.json").read_text())
    config["vision_config"]["hidden_act"] = image_act
    config["text_config"]["hidden_act"] = text_act
    config = CLIPConfig(**{key: config[key] for key in ("vision_config", "text_config", "projection_dim")})
    config._attn_implementation = "eager"
    model = CLIPModel(config).eval()
    random_init(model, 2)
    return model


def converted(hub, quick):
    """open_clip's model with the weights of transformers' model."""
    vision = CLIPVisionCfg(layers=2, width=24, head_width=12, mlp_ratio=2.0, patch_size=8, image_size=32)
    text = CLIPTextCfg(context_length=24, vocab_size=670, width=24, heads=2, layers=2, mlp_ratio=2.0)
    model = CLIP(16, vision, text, quick_gelu=quick).eval()
    state = hub.state_dict()
    own = {
        "visual.class_embedding": state["vision_model.embeddings.class_embedding"],
        "visual.positional_embedding": state["vision_model.embeddings.position_embedding.weight"],
        "visual.conv1.weight": state["vision_model.embeddings.patch_embedding.weight"],
        "visual.proj": state["visual_projection.weight"].T,
        "token_embedding.weight": state["text_model.embeddings.token_embedding.weight"],
        "positional_embedding": state["text_model.embeddings.position_embedding.weight"],
        "text_projection": state["text_projection.weight"].T,
        "logit_scale": state["logit_scale"],
    }
    norms = {
        "visual.ln_pre": "vision_model.pre_layrnorm",
        "visual.ln_post": "vision_model.post_layernorm",
        "ln_final": "text_model.final_layer_norm",
    }
    for to, tower in (("visual.transformer", "vision_model"), ("transformer", "text_model")):
        for i in range(2):
            layer, block = f"{tower}.encoder.layers.{i}", f"{to}.resblocks.{i}"
            norms |= {f"{block}.ln_{n}": f"{layer}.layer_norm{n}" for n in (1, 2)}
            norms |= {f"{block}.mlp.c_fc": f"{layer}.mlp.fc1", f"{block}.mlp.c_proj": f"{layer}.mlp.fc2"}
            norms |= {f"{block}.attn.out_proj": f"{layer}.self_attn.out_proj"}
            for part in ("weight", "bias"):
                three = [state[f"{layer}.self_attn.{p}_proj.{part}"] for p in "qkv"]
                own[f"{block}.attn.in_proj_{part}"] = torch.cat(three)
    for to, name in norms.items():
        own |= {f"{to}.{part}": state[f"{name}.{part}"] for part in ("weight", "bias")}
    model.load_state_dict(own)
    return model


def tokens(texts, length=24):
    tokenizer = Tokenizer.from_file(str(MODEL / "tokenizer.json"))
    tokenizer.enable_truncation(length)
    tokenizer.enable_padding(pad_id=669, length=length)
    encoded = tokenizer.encode_batch(texts)
    return torch.tensor([e.ids for e in encoded]), torch.tensor([e.attention_mask for e in encoded])


def with_hub(model, images, texts):
    ids, mask = tokens(texts)
    image = model.visual_projection(model.vision_model(pixel_values=images).pooler_output)
    text = model.text_projection(model.text_model(input_ids=ids, attention_mask=mask).pooler_output)
    return torch.nn.functional.cosine_similarity(image.double(), text.double()).tolist()


def with_pooling(model, images, texts, of_image, of_text):
    """Other tokens than the class token and the end token. `of_text` gets the tokens of one text without padding."""
    ids, mask = tokens(texts)
    patches = model.vision_model(pixel_values=images).last_hidden_state
    image = model.visual_projection(model.vision_model.post_layernorm(of_image(patches)))
    states = model.text_model(input_ids=ids, attention_mask=mask).last_hidden_state
    text = model.text_projection(torch.stack([of_text(row[own == 1]) for row, own in zip(states, mask)]))
    return torch.nn.functional.cosine_similarity(image.double(), text.double()).tolist()


def with_open_clip(model, images, texts):
    ids, mask = tokens(texts)
    # open_clip pads with 0. It finds the end of a text by its largest id.
    image, text = model.encode_image(images), model.encode_text(ids * mask)
    return torch.nn.functional.cosine_similarity(image.double(), text.double()).tolist()


def unfiltered(config):
    """torchvision's resize of uint8 tensors without antialiasing."""

    def prepare(image):
        tensor = functional.pil_to_tensor(image)
        height, width = tensor.shape[1:]
        side = 32 / min(height, width)
        size = [int(height * side + 1e-9), int(width * side + 1e-9)]
        small = functional.resize(tensor, size, interpolation=functional.InterpolationMode.BICUBIC, antialias=False)
        top, left = ((length - 32) // 2 for length in size)
        small = small[:, top : top + 32, left : left + 32].float() / 255
        mean, std = (torch.tensor(config[key]).view(3, 1, 1) for key in ("image_mean", "image_std"))
        return (small - mean) / std

    return prepare


def main():
    rows = {}
    for line in (SAMPLES / "captions.jsonl").read_text().splitlines():
        row = json.loads(line)
        rows.setdefault(row["image"], []).append(row["caption"])
    pairs = [(name, text) for name, texts in rows.items() for text in texts[:2]]
    pictures = {name: Image.open(SAMPLES / "images" / name).convert("RGB") for name in rows}
    texts = [text for _, text in pairs]

    def pixels(prepare):
        made = {name: prepare(image) for name, image in pictures.items()}
        return torch.stack([made[name] for name, _ in pairs])

    config = json.loads((MODEL / "preprocessor_config.json").read_text())
    config.pop("image_processor_type")
    # The default class of transformers 5 uses torchvision, and the other one Pillow.
    slow, fast = CLIPImageProcessorPil(**config), CLIPImageProcessor(**config)
    by = lambda processor: lambda image: torch.as_tensor(processor(image, return_tensors="pt").pixel_values[0])  # noqa: E731
    pillow, torch_resized = pixels(by(slow)), pixels(by(fast))
    aliased = pixels(unfiltered(config))
    mean, std = config["image_mean"], config["image_std"]
    prepared = pixels(image_transform(32, is_train=False, mean=mean, std=std, interpolation="bicubic"))
    with torch.no_grad():
        quick = hub_model("quick_gelu", "quick_gelu")
        scores = {
            "same": with_hub(quick, pillow, texts),
            "gelu": with_hub(hub_model("gelu", "gelu"), pillow, texts),
            "gelu of images": with_hub(hub_model("gelu", "quick_gelu"), pillow, texts),
            "tanh of texts": with_hub(hub_model("quick_gelu", "gelu_pytorch_tanh"), pillow, texts),
            "fast processor": with_hub(quick, torch_resized, texts),
            "no antialiasing": with_hub(quick, aliased, texts),
            "mean of text tokens": with_pooling(quick, pillow, texts, lambda all: all[:, 0], lambda own: own.mean(0)),
            "maximum of text tokens": with_pooling(quick, pillow, texts, lambda all: all[:, 0], lambda own: own.amax(0)),
            "mean of patches": with_pooling(quick, pillow, texts, lambda all: all[:, 1:].mean(1), lambda own: own[-1]),
            "means": with_pooling(quick, pillow, texts, lambda all: all.mean(1), lambda own: own.mean(0)),
            "open_clip": with_open_clip(converted(quick, True), pillow, texts),
            "open_clip with gelu": with_open_clip(converted(quick, False), pillow, texts),
            "open_clip and its processor": with_open_clip(converted(quick, True), prepared, texts),
            "open_clip with gelu and its processor": with_open_clip(converted(quick, False), prepared, texts),
        }
    modules = [torch, torchvision, transformers, open_clip, PIL]
    out = {
        "versions": {module.__name__: module.__version__ for module in modules},
        "pairs": pairs,
        "scores": {name: [round(score, 9) for score in own] for name, own in scores.items()},
    }
    (HERE / "parity.json").write_text(json.dumps(out) + "\n")


main()
