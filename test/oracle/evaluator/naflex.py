"""Makes a small SigLIP 2 for images of any shape (NaFlex) with random weights, in one graph as on the hub.

    python test/oracle/evaluator/naflex.py

writes test/fixtures/models/family-siglip2-naflex. The results of transformers' own model and image processor on CPU
torch go to test/oracle/evaluator/naflex.json. The graph differs from the model in one place: transformers resizes the
position table image by image, in a loop that exports cannot follow, so the graph does it by a matrix product. This
script also compares the graph's results with the model's.
"""

import json
import sys

sys.modules["torchvision"] = None

import numpy as np
import onnxruntime
import PIL
import torch
import transformers
from PIL import Image
from transformers.models.siglip2.image_processing_pil_siglip2 import (
    Siglip2ImageProcessorPil,
    get_image_size_for_max_num_patches,
)
from transformers.models.siglip2.modeling_siglip2 import Siglip2VisionEmbeddings

from models import HERE, MODELS, TEXTS, Wrap, encode, export, fresh, random_init, rows, save_tokenizer, unigram, write

PICTURES = MODELS / "pictures"
LAYERS = {"num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 32, "hidden_size": 16}
LIMIT, PAD, SIDE, MOST, GRID = 16, 1, 8, 20, 4


def positions(table, shapes, max_length):
    """Resizes the position table to each image, like torch's interpolate with antialiasing. One row for each patch."""
    height, width = shapes[:, :1], shapes[:, 1:]
    n = torch.arange(max_length)[None]
    n = torch.where(n < height * width, n, torch.zeros_like(n))

    def weights(at, size):
        scale = GRID / size.to(torch.float32)
        reach = torch.clamp(scale, min=1.0)
        centre = (at.to(torch.float32) + 0.5) * scale
        far = (torch.arange(GRID)[None, None].to(torch.float32) + 0.5 - centre[..., None]) / reach[..., None]
        w = torch.clamp(1 - far.abs(), min=0.0)
        return w / w.sum(-1, keepdim=True)

    down = weights(torch.div(n, width, rounding_mode="floor"), height)
    across = weights(n % width, width)
    return torch.einsum("bni,bnj,ijd->bnd", down, across, table)


def main():
    folder = fresh("family-siglip2-naflex")
    tokenizer = unigram()
    save_tokenizer(tokenizer, folder, "siglip")
    config = transformers.Siglip2Config(
        text_config=LAYERS | {"vocab_size": tokenizer.get_vocab_size(), "max_position_embeddings": LIMIT, "pad_token_id": PAD, "bos_token_id": None, "eos_token_id": 1, "projection_size": 16},
        vision_config=LAYERS | {"patch_size": SIDE, "num_patches": GRID * GRID},
        attn_implementation="eager",
    )
    model = transformers.Siglip2Model(config).eval()
    random_init(model, 6)
    with torch.no_grad():
        model.logit_scale.fill_(np.log(15.0))
        model.logit_bias.fill_(-2.5)
    said = json.loads(model.config.to_json_string())
    said["model_type"] = "siglip2"
    processor = Siglip2ImageProcessorPil(patch_size=SIDE, max_num_patches=MOST)
    write(folder, "config.json", said)
    write(folder, "tokenizer_config.json", {"model_max_length": LIMIT, "pad_token": "</s>"})
    write(folder, "preprocessor_config.json", json.loads(processor.to_json_string()))

    def run(m, ids, pixels, mask, shapes):
        out = m(input_ids=ids, pixel_values=pixels, pixel_attention_mask=mask, spatial_shapes=shapes)
        return out.logits_per_image, out.text_embeds, out.image_embeds

    files = sorted(path.name for path in PICTURES.iterdir())
    made = [processor(Image.open(PICTURES / f), return_tensors="pt") for f in files]
    pixels = torch.cat([m["pixel_values"] for m in made])
    masks = torch.cat([m["pixel_attention_mask"] for m in made])
    shapes = torch.cat([m["spatial_shapes"] for m in made])
    ids = [encode(tokenizer, text, LIMIT, 1) for text in TEXTS]
    ids = torch.tensor([i + [PAD] * (LIMIT - len(i)) for i in ids])
    with torch.no_grad():
        logits, text, image = run(model, ids, pixels, masks, shapes)
        own = Siglip2VisionEmbeddings.resize_positional_embeddings
        table = model.vision_model.embeddings.position_embedding.weight.reshape(GRID, GRID, -1)
        drift = (own(table, shapes, MOST) - positions(table, shapes, MOST)).abs().max().item()
    assert drift < 1e-6, drift
    Siglip2VisionEmbeddings.resize_positional_embeddings = staticmethod(lambda t, s, max_length: positions(t, s, max_length))
    names = ["input_ids", "pixel_values", "pixel_attention_mask", "spatial_shapes"]
    outputs = ["logits_per_image", "text_embeds", "image_embeds"]
    axes = {n: {0: "image_batch"} for n in names} | {"input_ids": {0: "text_batch"}}
    axes |= {"logits_per_image": {0: "image_batch", 1: "text_batch"}, "text_embeds": {0: "text_batch"}, "image_embeds": {0: "image_batch"}}
    export(Wrap((model, run)), (ids[:2], pixels, masks, shapes), folder / "onnx" / "model.onnx", names, outputs, axes)
    session = onnxruntime.InferenceSession(str(folder / "onnx" / "model.onnx"))
    wanted = {i.name: i.type for i in session.get_inputs()}
    assert set(wanted) == set(names), wanted
    feeds = dict(zip(names, [t.numpy() for t in (ids, pixels, masks, shapes)]))
    for got, true in zip(session.run(outputs, feeds), (logits, text, image)):
        assert np.abs(got - true.numpy()).max() < 2e-5, np.abs(got - true.numpy()).max()

    sizes = []
    rng = np.random.default_rng(3)
    for _ in range(400):
        h, w, side, most = int(rng.integers(1, 3000)), int(rng.integers(1, 3000)), int(rng.choice([8, 14, 16])), int(rng.choice([20, 64, 256, 1024]))
        sizes.append([h, w, side, most, *get_image_size_for_max_num_patches(h, w, side, most)])
    oracle = {
        "versions": {"torch": torch.__version__, "transformers": transformers.__version__, "pillow": PIL.__version__},
        "texts": TEXTS,
        "text": rows(text),
        "image": dict(zip(files, rows(image))),
        "shapes": dict(zip(files, shapes.tolist())),
        "logits": [[float(v) for v in row] for row in logits.T],
        "sizes": sizes,
    }
    (HERE / "naflex.json").write_text(json.dumps(oracle) + "\n")


if __name__ == "__main__":
    main()
