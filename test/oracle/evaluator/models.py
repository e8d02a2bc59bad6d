"""Makes small models with random weights, exported to ONNX in the layout of the Hugging Face hub.

    python test/oracle/evaluator/models.py

writes test/fixtures/models/*. The results of transformers on CPU torch go to test/oracle/evaluator/models.json.
"""

import json
import shutil
import warnings
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import PIL
import tokenizers
import torch
import transformers
from PIL import Image
from tokenizers import Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers
from transformers import (
    BertConfig,
    BertModel,
    CLIPConfig,
    CLIPModel,
    SiglipConfig,
    SiglipModel,
)

warnings.filterwarnings("ignore")
HERE = Path(__file__).parent
MODELS = HERE.parent.parent / "fixtures" / "models"

CORPUS = [
    "A man riding a bicycle down a city street.",
    "Two dogs play with a red ball on the green grass.",
    "A white bus with red stripes drives in the slow lane on the freeway.",
    "A picture of an animal is on a pole and next to it is a yellow taxi.",
    "Three women sit at a table with plates of food and glasses of wine.",
    "A black cat sleeps on a blue sofa near the window.",
    "The child holds an umbrella in the rain while people walk by.",
    "An old train stands at the station under a cloudy sky.",
    "A kitchen with a stove, a sink and wooden cabinets.",
    "Several boats float on the calm water of the harbor.",
]

TEXTS = [
    "A man riding a bicycle down a city street.",
    "Two dogs play with a red ball.",
    "a black cat",
    "A BLACK   Cat",
    "café — naïve “quotes” 1,234 😀 עברית 日本語",
    "",
    "A picture of an animal is on a pole and next to it is a yellow taxi, and three women sit at a table with plates "
    "of food and glasses of wine while an old train stands at the station under a cloudy sky.",
]


def write(folder, name, value):
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value, indent=1) + "\n")


def fresh(name):
    folder = MODELS / name
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "onnx").mkdir(parents=True)
    return folder


def wordpiece():
    t = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    t.normalizer = normalizers.BertNormalizer(lowercase=True)
    t.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    t.train_from_iterator(
        CORPUS,
        trainers.WordPieceTrainer(
            vocab_size=300, special_tokens=["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"], show_progress=False
        ),
    )
    t.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    t.decoder = decoders.WordPiece()
    return t


def clip_bpe():
    """CLIP's byte-pair encoding. The vocabulary has each byte, each byte at the end of a word, and a few merges."""
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    split = Regex(r"'s|'t|'re|'ve|'m|'ll|'d|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+")

    def dress(t):
        t.normalizer = normalizers.Sequence(
            [normalizers.NFC(), normalizers.Replace(Regex(r"\s+"), " "), normalizers.Lowercase()]
        )
        t.pre_tokenizer = pre_tokenizers.Sequence(
            [
                pre_tokenizers.Split(split, behavior="removed", invert=True),
                pre_tokenizers.ByteLevel(add_prefix_space=False),
            ]
        )
        return t

    draft = dress(Tokenizer(models.BPE(end_of_word_suffix="</w>")))
    draft.train_from_iterator(
        CORPUS, trainers.BpeTrainer(vocab_size=200, end_of_word_suffix="</w>", show_progress=False)
    )
    merges = [tuple(m) for m in json.loads(draft.to_str())["model"]["merges"]]
    vocab = alphabet + [a + "</w>" for a in alphabet] + ["".join(m) for m in merges]
    vocab = list(dict.fromkeys(vocab)) + ["<|startoftext|>", "<|endoftext|>"]
    ids = {token: i for i, token in enumerate(vocab)}
    t = dress(
        Tokenizer(models.BPE(ids, merges, unk_token="<|endoftext|>", continuing_subword_prefix="", end_of_word_suffix="</w>"))
    )
    t.add_special_tokens(["<|startoftext|>", "<|endoftext|>"])
    t.post_processor = processors.RobertaProcessing(
        ("<|endoftext|>", ids["<|endoftext|>"]),
        ("<|startoftext|>", ids["<|startoftext|>"]),
        trim_offsets=False,
        add_prefix_space=False,
    )
    t.decoder = decoders.ByteLevel()
    return t


def unigram():
    """SigLIP's tokenizer: sentence pieces of lower-case text without punctuation. The end token is also the padding."""
    t = Tokenizer(models.Unigram())
    t.normalizer = normalizers.Sequence(
        [
            normalizers.NFKC(),
            normalizers.Lowercase(),
            normalizers.Replace(Regex(r"[!\"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~]"), ""),
            normalizers.Replace(Regex(r"\s+"), " "),
            normalizers.Strip(),
        ]
    )
    t.pre_tokenizer = pre_tokenizers.Metaspace(replacement="▁", prepend_scheme="always")
    t.train_from_iterator(
        CORPUS,
        trainers.UnigramTrainer(
            vocab_size=200, special_tokens=["<pad>", "</s>", "<unk>"], unk_token="<unk>", show_progress=False
        ),
    )
    t.post_processor = processors.TemplateProcessing(single="$A </s>", special_tokens=[("</s>", 1)])
    t.decoder = decoders.Metaspace()
    return t


def export(module, args, path, inputs, outputs, dynamic):
    with torch.no_grad():
        torch.onnx.export(
            module.eval(),
            args,
            str(path),
            input_names=inputs,
            output_names=outputs,
            dynamic_axes=dynamic,
            opset_version=17,
            dynamo=False,
        )
    onnx.checker.check_model(str(path))


class Wrap(torch.nn.Module):
    def __init__(self, run):
        super().__init__()
        self.run = run[1]
        self.model = run[0]

    def forward(self, *args):
        return self.run(self.model, *args)


def rows(tensor):
    return [[float(np.float32(v)) for v in row] for row in tensor.detach().numpy()]


def random_init(model, seed, spread=0.2):
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for name, p in model.named_parameters():
            if p.dim() > 1:
                p.copy_(torch.randn(p.shape, generator=generator) * spread)
            elif "bias" in name:
                p.copy_(torch.randn(p.shape, generator=generator) * 0.05)


def save_tokenizer(tokenizer, folder, like):
    """Saves only what differs from the tokenizer of the folder `like`. test/prepare.mjs writes the whole file."""
    own, base = json.loads(tokenizer.to_str()), json.loads((MODELS / like / "tokenizer.json").read_text())
    part = {"like": like} | {key: value for key, value in own.items() if key != "model" and value != base[key]}
    model = {key: value for key, value in own["model"].items() if value != base["model"][key]}
    text = json.dumps(part | ({"model": model} if model else {}), ensure_ascii=False)
    (folder / "tokenizer.like.json").write_text(text + "\n")


def encode(tokenizer, text, limit, ends):
    ids = tokenizer.encode(text).ids
    return ids if len(ids) <= limit else ids[: limit - ends] + ids[len(ids) - ends :]


def pictures():
    """Images that are the same in each run: gradients with a bright box, saved as PNG next to the models."""
    made = {}
    folder = MODELS / "pictures"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for name, (w, h) in {"wide.png": (61, 40), "tall.png": (37, 70), "small.png": (20, 14)}.items():
        y, x = np.mgrid[0:h, 0:w]
        a = np.stack([x * 255 // w, y * 255 // h, (x * 7 + y * 13) % 256], -1).astype(np.uint8)
        a[h // 4 : h // 2, w // 3 : w // 2] = [250, 30, 200]
        Image.fromarray(a).save(folder / name)
        made[name] = Image.fromarray(a)
    return made


def preprocess(image, size, filter, crop, mean, std):
    """Reimplements the hub's image processors with Pillow: resize, crop, scale, normalise."""
    if crop:
        w, h = image.size
        short, long = size, int(size * max(w, h) / min(w, h))
        image = image.resize((short, long) if w <= h else (long, short), filter)
        w, h = image.size
        left, top = (w - crop) // 2, (h - crop) // 2
        image = image.crop((left, top, left + crop, top + crop))
    else:
        image = image.resize((size, size), filter)
    a = np.asarray(image).astype(np.float64) / 255
    a = (a - np.array(mean)) / np.array(std)
    return torch.tensor(a.transpose(2, 0, 1).astype(np.float32))[None]


def bert(oracle):
    folder = fresh("bert-cls")
    t = wordpiece()
    t.save(str(folder / "tokenizer.json"))
    config = BertConfig(
        vocab_size=t.get_vocab_size(),
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=4,
        intermediate_size=64,
        max_position_embeddings=40,
        attn_implementation="eager",
    )
    model = BertModel(config, add_pooling_layer=False).eval()
    random_init(model, 1)
    write(folder, "config.json", json.loads(config.to_json_string()) | {"model_type": "bert"})
    write(folder, "tokenizer_config.json", {"model_max_length": 40, "tokenizer_class": "BertTokenizer", "pad_token": "[PAD]"})
    write(
        folder,
        "modules.json",
        [
            {"idx": 0, "name": "0", "path": "", "type": "sentence_transformers.models.Transformer"},
            {"idx": 1, "name": "1", "path": "1_Pooling", "type": "sentence_transformers.models.Pooling"},
            {"idx": 2, "name": "2", "path": "2_Normalize", "type": "sentence_transformers.models.Normalize"},
        ],
    )
    write(folder, "1_Pooling/config.json", {"word_embedding_dimension": 32, "pooling_mode_cls_token": True, "pooling_mode_mean_tokens": False})
    write(folder, "sentence_bert_config.json", {"max_seq_length": 32, "do_lower_case": False})
    run = lambda m, i, a, k: m(input_ids=i, attention_mask=a, token_type_ids=k).last_hidden_state
    ids = torch.tensor([[2, 10, 11, 3], [2, 12, 13, 3]])
    axes = {n: {0: "batch_size", 1: "sequence_length"} for n in ["input_ids", "attention_mask", "token_type_ids", "last_hidden_state"]}
    export(
        Wrap((model, run)),
        (ids, torch.ones_like(ids), torch.zeros_like(ids)),
        folder / "onnx" / "model.onnx",
        ["input_ids", "attention_mask", "token_type_ids"],
        ["last_hidden_state"],
        axes,
    )
    entry = {"ids": [], "cls": [], "mean": [], "max": [], "last": []}
    for text in TEXTS:
        i = torch.tensor([encode(t, text, 32, 1)])
        h = run(model, i, torch.ones_like(i), torch.zeros_like(i))[0]
        entry["ids"].append(i[0].tolist())
        entry["cls"] += rows(torch.nn.functional.normalize(h[:1]))
        entry["mean"] += rows(torch.nn.functional.normalize(h.mean(0, keepdim=True)))
        entry["max"] += rows(torch.nn.functional.normalize(h.max(0, keepdim=True).values))
        entry["last"] += rows(torch.nn.functional.normalize(h[-1:]))
    oracle["bert-cls"] = entry


CLIP_MEAN = [0.48145466, 0.4578275, 0.40821073]
CLIP_STD = [0.26862954, 0.26130258, 0.27577711]


def clip(oracle, images):
    t = clip_bpe()
    eos = t.token_to_id("<|endoftext|>")
    for name, activation in [("clip", "quick_gelu"), ("clip-two-graphs", "gelu")]:
        folder = fresh(name)
        if name == "clip":
            t.save(str(folder / "tokenizer.json"))
        else:
            save_tokenizer(t, folder, "clip")
        shared = {"hidden_act": activation, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 48}
        config = CLIPConfig(
            text_config=shared
            | {
                "vocab_size": t.get_vocab_size(),
                "hidden_size": 24,
                "max_position_embeddings": 24,
                "eos_token_id": eos,
                "bos_token_id": t.token_to_id("<|startoftext|>"),
                "pad_token_id": eos,
            },
            vision_config=shared | {"hidden_size": 24, "image_size": 32, "patch_size": 8},
            projection_dim=16,
            attn_implementation="eager",
        )
        model = CLIPModel(config).eval()
        random_init(model, 2)
        said = json.loads(config.to_json_string())
        said["model_type"] = "clip"
        write(folder, "config.json", said)
        write(folder, "tokenizer_config.json", {"model_max_length": 24, "tokenizer_class": "CLIPTokenizer", "pad_token": "<|endoftext|>"})
        write(
            folder,
            "preprocessor_config.json",
            {
                "image_processor_type": "CLIPImageProcessor",
                "do_resize": True,
                "size": {"shortest_edge": 32},
                "resample": 3,
                "do_center_crop": True,
                "crop_size": {"height": 32, "width": 32},
                "do_rescale": True,
                "rescale_factor": 1 / 255,
                "do_normalize": True,
                "image_mean": CLIP_MEAN,
                "image_std": CLIP_STD,
            },
        )

        def text_run(m, i, a):
            out = m.text_model(input_ids=i, attention_mask=a)
            return m.text_projection(out.pooler_output)

        def image_run(m, p):
            return m.visual_projection(m.vision_model(pixel_values=p).pooler_output)

        ids = torch.tensor([[eos - 1, 5, 6, eos], [eos - 1, 7, 8, eos]])
        pixels = torch.zeros(2, 3, 32, 32)
        text_axes = {"input_ids": {0: "text_batch", 1: "length"}, "attention_mask": {0: "text_batch", 1: "length"}, "text_embeds": {0: "text_batch"}}
        image_axes = {"pixel_values": {0: "image_batch"}, "image_embeds": {0: "image_batch"}}
        if name == "clip":
            both = lambda m, i, p, a: (text_run(m, i, a), image_run(m, p))
            export(
                Wrap((model, both)),
                (ids, pixels, torch.ones_like(ids)),
                folder / "onnx" / "model.onnx",
                ["input_ids", "pixel_values", "attention_mask"],
                ["text_embeds", "image_embeds"],
                text_axes | image_axes,
            )
        else:
            export(Wrap((model, text_run)), (ids, torch.ones_like(ids)), folder / "onnx" / "text_model.onnx", ["input_ids", "attention_mask"], ["text_embeds"], text_axes)
            export(Wrap((model, image_run)), (pixels,), folder / "onnx" / "vision_model.onnx", ["pixel_values"], ["image_embeds"], image_axes)
        entry = {"ids": [], "text": [], "image": {}}
        for text in TEXTS:
            i = torch.tensor([encode(t, text, 24, 1)])
            entry["ids"].append(i[0].tolist())
            # Calls the reference with texts that are padded to the full length with the end token.
            padded = torch.nn.functional.pad(i, (0, 24 - i.shape[1]), value=eos)
            mask = torch.nn.functional.pad(torch.ones_like(i), (0, 24 - i.shape[1]))
            entry["text"] += rows(text_run(model, padded, mask))
        for file, image in images.items():
            pixels = preprocess(image, 32, Image.BICUBIC, 32, CLIP_MEAN, CLIP_STD)
            entry["image"][file] = rows(image_run(model, pixels))[0]
        oracle[name] = entry


def siglip(oracle, images):
    folder = fresh("siglip")
    t = unigram()
    t.save(str(folder / "tokenizer.json"))
    shared = {"num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 48, "hidden_size": 24}
    config = SiglipConfig(
        text_config=shared | {"vocab_size": t.get_vocab_size(), "max_position_embeddings": 20, "pad_token_id": 1, "bos_token_id": None, "eos_token_id": 1, "projection_size": 24},
        vision_config=shared | {"image_size": 32, "patch_size": 8},
        attn_implementation="eager",
    )
    model = SiglipModel(config).eval()
    random_init(model, 3)
    said = json.loads(config.to_json_string())
    said["model_type"] = "siglip"
    write(folder, "config.json", said)
    write(folder, "tokenizer_config.json", {"model_max_length": 20, "tokenizer_class": "SiglipTokenizer", "pad_token": "</s>"})
    write(
        folder,
        "preprocessor_config.json",
        {
            "image_processor_type": "SiglipImageProcessor",
            "do_resize": True,
            "size": {"height": 32, "width": 32},
            "resample": 2,
            "do_rescale": True,
            "rescale_factor": 1 / 255,
            "do_normalize": True,
            "image_mean": [0.5, 0.5, 0.5],
            "image_std": [0.5, 0.5, 0.5],
        },
    )
    text_run = lambda m, i: m.text_model(input_ids=i).pooler_output
    image_run = lambda m, p: m.vision_model(pixel_values=p).pooler_output
    ids = torch.full((2, 20), 1)
    export(Wrap((model, text_run)), (ids,), folder / "onnx" / "text_model.onnx", ["input_ids"], ["pooler_output"], {"input_ids": {0: "b", 1: "n"}, "pooler_output": {0: "b"}})
    export(Wrap((model, image_run)), (torch.zeros(2, 3, 32, 32),), folder / "onnx" / "vision_model.onnx", ["pixel_values"], ["pooler_output"], {"pixel_values": {0: "b"}, "pooler_output": {0: "b"}})
    entry = {"ids": [], "text": [], "image": {}}
    for text in TEXTS:
        i = encode(t, text, 20, 1)
        entry["ids"].append(i)
        entry["text"] += rows(text_run(model, torch.tensor([i + [1] * (20 - len(i))])))
    for file, image in images.items():
        entry["image"][file] = rows(image_run(model, preprocess(image, 32, Image.BILINEAR, None, [0.5] * 3, [0.5] * 3)))[0]
    oracle["siglip"] = entry


def main():
    oracle = {
        "versions": {
            "torch": torch.__version__,
            "transformers": transformers.__version__,
            "tokenizers": tokenizers.__version__,
            "onnx": onnx.__version__,
            "onnxruntime": onnxruntime.__version__,
            "pillow": PIL.__version__,
        },
        "texts": TEXTS,
    }
    images = pictures()
    bert(oracle)
    clip(oracle, images)
    siglip(oracle, images)
    (HERE / "models.json").write_text(json.dumps(oracle, ensure_ascii=True) + "\n")


if __name__ == "__main__":
    main()
