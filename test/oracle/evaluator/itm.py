"""Makes small models with random weights that score an image and a caption together, exported to ONNX.

    python test/oracle/evaluator/itm.py

writes test/fixtures/models/itm-* and test/oracle/evaluator/itm.json: BLIP-ITM, ViLT and LXMERT as transformers computes
them, and a UMIC-like model (one encoder over tokens and regions, after UNITER). Region features are in .npy files.
"""

import json
import sys
import warnings
from pathlib import Path

# An incompatible torchvision would break the import, and this script does not need one.
sys.modules["torchvision"] = None

import numpy as np
import PIL
import torch
import transformers
from models import HERE, TEXTS, Wrap, encode, export, fresh, random_init, save_tokenizer, write
from PIL import Image
from tokenizers import Tokenizer
from transformers.models.blip.image_processing_pil_blip import BlipImageProcessorPil
from transformers.models.vit.image_processing_pil_vit import ViTImageProcessorPil

warnings.filterwarnings("ignore")
PICTURES = HERE.parent.parent / "fixtures" / "models" / "pictures"
LAYERS = {"num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 32, "hidden_size": 16}
LIMIT = 28
FILES = ["small.png", "tall.png", "wide.png"]


def kept_words():
    """Reads the word pieces of the BERT model "bert-cls", because a newly trained tokenizer would have others."""
    return Tokenizer.from_file(str(PICTURES.parent / "bert-cls" / "tokenizer.json"))


def folder_for(name, tokenizer, config, processor=None):
    folder = fresh(name)
    save_tokenizer(tokenizer, folder, "bert-cls")
    write(folder, "config.json", config)
    write(folder, "tokenizer_config.json", {"model_max_length": LIMIT, "pad_token": "[PAD]"})
    if processor is not None:
        write(folder, "preprocessor_config.json", json.loads(processor.to_json_string()))
    return folder


def said(model, architecture):
    return json.loads(model.config.to_json_string()) | {"model_type": model.config.model_type, "architectures": [architecture]}


def axes(inputs, output):
    free = {"pixel_values": {0: "batch"}, output: {0: "batch"}}
    return {name: free.get(name, {0: "batch", 1: "length"}) for name in [*inputs, output]}


def table(score, tokenizer):
    """For each text, the scores with all images."""
    with torch.no_grad():
        return [[score(file, torch.tensor([encode(tokenizer, text, LIMIT, 1)])) for file in FILES] for text in TEXTS]


def blip(oracle):
    words = kept_words()
    config = transformers.BlipConfig(
        text_config=LAYERS | {"vocab_size": words.get_vocab_size(), "max_position_embeddings": 32, "encoder_hidden_size": 16},
        vision_config=LAYERS | {"image_size": 32, "patch_size": 16},
        image_text_hidden_size=12,
    )
    model = transformers.BlipForImageTextRetrieval(config).eval()
    random_init(model, 11, 0.4)
    processor = BlipImageProcessorPil(size={"height": 32, "width": 32})
    folder = folder_for("itm-blip", words, said(model, "BlipForImageTextRetrieval"), processor)
    pixels = {f: processor(Image.open(PICTURES / f), return_tensors="pt")["pixel_values"] for f in FILES}

    def run(m, ids, mask, picture):
        return m(input_ids=ids, attention_mask=mask, pixel_values=picture).itm_score

    ids = torch.tensor([encode(words, TEXTS[0], LIMIT, 1)] * 2)
    inputs = ["input_ids", "attention_mask", "pixel_values"]
    args = (ids, torch.ones_like(ids), torch.cat([pixels["wide.png"]] * 2))
    export(Wrap((model, run)), args, folder / "onnx" / "model.onnx", inputs, ["itm_score"], axes(inputs, "itm_score"))
    oracle["itm-blip"] = table(
        lambda file, ids: float(run(model, ids, torch.ones_like(ids), pixels[file]).double().softmax(-1)[0, 1]), words
    )


def vilt(oracle):
    words = kept_words()
    config = transformers.ViltConfig(
        **LAYERS, vocab_size=words.get_vocab_size(), max_position_embeddings=32, image_size=32, patch_size=16
    )
    model = transformers.ViltForImageAndTextRetrieval(config).eval()
    random_init(model, 12, 0.4)
    processor = ViTImageProcessorPil(size={"height": 32, "width": 32})
    folder = folder_for("itm-vilt", words, said(model, "ViltForImageAndTextRetrieval"), processor)
    pixels = {f: processor(Image.open(PICTURES / f), return_tensors="pt")["pixel_values"] for f in FILES}

    def run(m, ids, mask, types, picture):
        """Keeps the patches in order. The model itself shuffles them at random, which would change scores."""
        e = m.vilt.embeddings
        patches = e.patch_embeddings(picture).flatten(2).transpose(1, 2) + e.position_embeddings[:, 1:]
        first = (e.cls_token + e.position_embeddings[:, :1]).expand(picture.shape[0], -1, -1)
        image = torch.cat([first, patches], dim=1)
        seen = torch.ones(image.shape[:2], dtype=torch.long)
        return m(input_ids=ids, attention_mask=mask, token_type_ids=types, image_embeds=image, pixel_mask=seen).logits

    def reference(ids, picture):
        torch.manual_seed(0)
        return model(input_ids=ids, attention_mask=torch.ones_like(ids), pixel_values=picture).logits

    ids = torch.tensor([encode(words, TEXTS[0], LIMIT, 1)] * 2)
    inputs = ["input_ids", "attention_mask", "token_type_ids", "pixel_values"]
    args = (ids, torch.ones_like(ids), torch.zeros_like(ids), torch.cat([pixels["wide.png"]] * 2))
    export(Wrap((model, run)), args, folder / "onnx" / "model.onnx", inputs, ["logits"], axes(inputs, "logits"))
    oracle["itm-vilt"] = table(lambda file, ids: float(reference(ids, pixels[file])[0, 0]), words)


class Umic(torch.nn.Module):
    """UNITER's embeddings of tokens and of regions (from their features and positions), one encoder for both, and a head with one output."""

    def __init__(self, vocabulary, features):
        super().__init__()
        config = transformers.BertConfig(**LAYERS, vocab_size=vocabulary, max_position_embeddings=32)
        config._attn_implementation = "eager"
        width = config.hidden_size
        self.config = config
        self.words = torch.nn.Embedding(vocabulary, width)
        self.positions = torch.nn.Embedding(32, width)
        self.types = torch.nn.Embedding(2, width)
        self.text_norm = torch.nn.LayerNorm(width)
        self.feature = torch.nn.Linear(features, width)
        self.feature_norm = torch.nn.LayerNorm(width)
        self.place = torch.nn.Linear(7, width)
        self.place_norm = torch.nn.LayerNorm(width)
        self.image_norm = torch.nn.LayerNorm(width)
        self.encoder = transformers.models.bert.modeling_bert.BertEncoder(config)
        self.pool = torch.nn.Linear(width, width)
        self.rank = torch.nn.Linear(width, 1)

    def forward(self, input_ids, position_ids, img_feat, img_pos_feat, attention_mask):
        text = self.text_norm(self.words(input_ids) + self.positions(position_ids) + self.types.weight[0])
        image = self.feature_norm(self.feature(img_feat)) + self.place_norm(self.place(img_pos_feat))
        image = self.image_norm(image + self.types.weight[1])
        hidden = torch.cat([text, image], dim=1)
        mask = (1.0 - attention_mask[:, None, None, :].float()) * -10000.0
        hidden = self.encoder(hidden, attention_mask=mask).last_hidden_state
        return self.rank(torch.tanh(self.pool(hidden[:, 0])))


def umic(oracle):
    words = kept_words()
    model = Umic(words.get_vocab_size(), 10).eval()
    random_init(model, 13, 0.4)
    config = {"model_type": "uniter", "hidden_size": 16, "max_position_embeddings": 32, "img_dim": 10}
    folder = folder_for("itm-umic", words, config)
    generator = np.random.default_rng(14)
    regions = {}
    for file, count in zip(FILES, [3, 5, 4]):
        corners = np.sort(generator.random((count, 2, 2)), axis=1).reshape(count, 4)
        sizes = corners[:, 2:] - corners[:, :2]
        boxes = np.concatenate([corners, sizes, sizes[:, :1] * sizes[:, 1:]], axis=1).astype(np.float32)
        features = generator.standard_normal((count, 10)).astype(np.float32)
        regions[file] = (torch.from_numpy(features)[None], torch.from_numpy(boxes)[None])
        target = folder / "features"
        target.mkdir(exist_ok=True)
        np.save(target / f"{Path(file).stem}.npy", features)
        np.save(target / f"{Path(file).stem}.boxes.npy", boxes)

    def given(ids, file):
        features, boxes = regions[file]
        rows = ids.shape[0]
        places = torch.arange(ids.shape[1]).expand(rows, -1)
        mask = torch.ones(rows, ids.shape[1] + features.shape[1], dtype=torch.long)
        return ids, places, features.expand(rows, -1, -1), boxes.expand(rows, -1, -1), mask

    ids = torch.tensor([encode(words, TEXTS[0], LIMIT, 1)] * 2)
    inputs = ["input_ids", "position_ids", "img_feat", "img_pos_feat", "attention_mask"]
    free = {n: {0: "batch", 1: "length"} for n in ["input_ids", "position_ids"]}
    free |= {n: {0: "batch", 1: "regions"} for n in ["img_feat", "img_pos_feat"]}
    free |= {"attention_mask": {0: "batch", 1: "length_and_regions"}, "logits": {0: "batch"}}
    export(model, given(ids, "wide.png"), folder / "onnx" / "model.onnx", inputs, ["logits"], free)
    oracle["itm-umic"] = table(lambda file, ids: float(model(*given(ids, file)).double().sigmoid()[0, 0]), words)


def lxmert(oracle):
    """LXMERT, computed by transformers: regions as boxes with four coordinates, and two streams with cross-attention."""
    words = kept_words()
    config = transformers.LxmertConfig(
        vocab_size=words.get_vocab_size(), hidden_size=16, num_attention_heads=2, intermediate_size=32,
        max_position_embeddings=32, l_layers=1, x_layers=1, r_layers=1, visual_feat_dim=10, visual_pos_dim=4,
        num_qa_labels=2, num_object_labels=2, num_attr_labels=2, task_obj_predict=False, task_qa=False, task_mask_lm=False,
    )
    model = transformers.LxmertForPreTraining(config).eval()
    random_init(model, 15, 0.4)
    folder = folder_for("itm-lxmert", words, said(model, "LxmertForPreTraining"))
    generator = np.random.default_rng(16)
    regions = {}
    (folder / "features").mkdir()
    for file, count in zip(FILES, [4, 2, 6]):
        features = generator.standard_normal((count, 10))
        boxes = np.sort(generator.random((count, 2, 2)), axis=1).reshape(count, 4)
        # The arrays have other precisions than float32, because detectors write such files.
        features, boxes = features.astype(np.float16), boxes.astype(np.float64)
        regions[file] = [torch.from_numpy(part.astype(np.float32))[None] for part in (features, boxes)]
        np.save(folder / "features" / f"{Path(file).stem}.npy", features)
        np.save(folder / "features" / f"{Path(file).stem}.boxes.npy", boxes)

    def run(m, ids, mask, types, features, boxes):
        out = m(input_ids=ids, attention_mask=mask, token_type_ids=types, visual_feats=features, visual_pos=boxes)
        return out.cross_relationship_score

    ids = torch.tensor([encode(words, TEXTS[0], LIMIT, 1)] * 2)
    inputs = ["input_ids", "attention_mask", "token_type_ids", "visual_feats", "visual_pos"]
    features, boxes = (part.expand(2, -1, -1) for part in regions["wide.png"])
    free = {n: {0: "batch", 1: "length"} for n in inputs[:3]} | {n: {0: "batch", 1: "regions"} for n in inputs[3:]}
    free |= {"cross_relationship_score": {0: "batch"}}
    args = (ids, torch.ones_like(ids), torch.zeros_like(ids), features, boxes)
    export(Wrap((model, run)), args, folder / "onnx" / "model.onnx", inputs, ["cross_relationship_score"], free)
    oracle["itm-lxmert"] = table(
        lambda file, ids: float(
            run(model, ids, torch.ones_like(ids), torch.zeros_like(ids), *regions[file]).double().softmax(-1)[0, 1]
        ),
        words,
    )


def main():
    oracle = {
        "versions": {"torch": torch.__version__, "transformers": transformers.__version__, "pillow": PIL.__version__},
        "texts": TEXTS,
        "files": FILES,
    }
    blip(oracle)
    vilt(oracle)
    umic(oracle)
    lxmert(oracle)
    (HERE / "itm.json").write_text(json.dumps(oracle) + "\n")


if __name__ == "__main__":
    main()
