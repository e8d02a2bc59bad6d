"""The results of two published evaluations for one checkpoint: SugarCrepe's main_eval.py and CLIP_benchmark's retrieval.

python peers.py OUT COCO SUGARCREPE [CHECKOUT]: writes OUT/model (open_clip, random weights), the SugarCrepe files below OUT with the
images that COCO/images has, and OUT/expected.json. CHECKOUT is a clone of github.com/RAIVNLab/sugar-crepe.
"""

import importlib.util
import json
import sys
from pathlib import Path

import open_clip
import torch
from clip_benchmark.metrics.zeroshot_retrieval import evaluate
from open_clip.model import CLIP
from PIL import Image
from safetensors.torch import save_file

OUT, COCO, SUGARCREPE = (Path(arg) for arg in sys.argv[1:4])
CONFIG = {
    "embed_dim": 64,
    "vision_cfg": {"image_size": 64, "patch_size": 8, "width": 64, "layers": 2, "head_width": 32},
    "text_cfg": {"context_length": 77, "vocab_size": 49408, "width": 64, "heads": 2, "layers": 2},
}


def checkpoint():
    torch.manual_seed(11)
    model = CLIP(**CONFIG)
    for parameter in model.parameters():
        if parameter.dim() > 1:
            torch.nn.init.normal_(parameter, std=0.1)
    folder = OUT / "model"
    folder.mkdir(parents=True)
    save_file({key: tensor.contiguous() for key, tensor in model.state_dict().items()}, str(folder / "open_clip_model.safetensors"))
    config = {"model_cfg": CONFIG, "preprocess_cfg": {"interpolation": "bicubic", "resize_mode": "shortest"}}
    (folder / "open_clip_config.json").write_text(json.dumps(config))
    name = "local-dir:" + str(folder)
    model, _, transform = open_clip.create_model_and_transforms(name)
    return model.eval(), transform, open_clip.get_tokenizer(name)


def sugarcrepe(model, transform, tokenizer):
    found, images = {}, COCO / "images"
    for path in sorted(SUGARCREPE.glob("*.json")):
        entries = json.loads(path.read_text())
        found[path.stem] = {key: entry for key, entry in entries.items() if (images / entry["filename"]).exists()}
        (OUT / path.name).write_text(json.dumps(found[path.stem]))
    if len(sys.argv) < 5:
        return None
    spec = importlib.util.spec_from_file_location("main_eval", Path(sys.argv[4]) / "main_eval.py")
    theirs = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(theirs)
    return theirs.evaluate(str(images), found, model, tokenizer, transform, "cpu")


def retrieval(model, transform, tokenizer):
    said = json.loads((COCO / "captions.json").read_text())
    captions = {image["id"]: [] for image in said["images"]}
    for annotation in said["annotations"]:
        captions[annotation["image_id"]].append(annotation["caption"])
    pixels = lambda image: transform(Image.open(COCO / "images" / image["file_name"]))  # noqa: E731
    parts = [said["images"][at : at + 32] for at in range(0, len(said["images"]), 32)]
    loader = [(torch.stack([pixels(image) for image in part]), [captions[image["id"]] for image in part]) for part in parts]
    return evaluate(model, loader, tokenizer, "cpu", amp=False, recall_k_list=[1, 5, 10])


MODEL = checkpoint()
(OUT / "expected.json").write_text(json.dumps({"sugarcrepe": sugarcrepe(*MODEL), "retrieval": retrieval(*MODEL)}))
