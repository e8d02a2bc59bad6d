"""Makes small models for the other adapters, and their results in simple loops: python others.py OUT FIXTURES
PAIRS.json."""

import json
import shutil
import sys
from pathlib import Path

import open_clip
import torch
import transformers
import vlm
from open_clip.model import CLIP
from PIL import Image
from safetensors.torch import save_file

OUT, FIXTURES = Path(sys.argv[1]), Path(sys.argv[2])
PAIRS = json.loads(Path(sys.argv[3]).read_text())
SMALL = {"hidden_size": 64, "intermediate_size": 128, "num_hidden_layers": 2, "num_attention_heads": 4}


def tokenizer_into(folder, source, **more):
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copy(FIXTURES / source / "tokenizer.json", folder)
    said = json.loads((FIXTURES / source / "tokenizer_config.json").read_text())
    (folder / "tokenizer_config.json").write_text(json.dumps({**said, **more}))
    return len(json.loads((folder / "tokenizer.json").read_text())["model"]["vocab"])


def sentence_transformers():
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import Pooling, Transformer

    torch.manual_seed(1)
    inner = OUT / "bert"
    size = tokenizer_into(inner, "bert-cls", model_max_length=64)
    transformers.BertModel(transformers.BertConfig(**SMALL, vocab_size=size + 8)).save_pretrained(inner)
    words = Transformer(str(inner))
    SentenceTransformer(modules=[words, Pooling(64)], device="cpu").save(str(OUT / "sbert"))
    model = SentenceTransformer(str(OUT / "sbert"), device="cpu")
    rows = torch.stack([model.encode(p["text"], convert_to_tensor=True) for p in PAIRS]).double()
    rows = torch.nn.functional.normalize(rows, dim=1)
    return (rows[:-1] * rows[1:]).sum(dim=1).tolist()


def pac_s():
    """PAC-S: 2 * max(cos, 0) of the image and the text "A photo depicts " + caption."""
    torch.manual_seed(2)
    config = {
        "embed_dim": 32,
        "vision_cfg": {"image_size": 64, "patch_size": 16, "width": 64, "layers": 2, "head_width": 32},
        "text_cfg": {"context_length": 77, "vocab_size": 49408, "width": 64, "heads": 2, "layers": 2},
    }
    folder = OUT / "pac"
    folder.mkdir()
    save_file({key: tensor.contiguous() for key, tensor in CLIP(**config).state_dict().items()}, str(folder / "open_clip_model.safetensors"))
    (folder / "open_clip_config.json").write_text(json.dumps({"model_cfg": config, "preprocess_cfg": {}}))
    name = "local-dir:" + str(folder)
    model, _, transform = open_clip.create_model_and_transforms(name)
    model.eval()
    tokenize = open_clip.get_tokenizer(name)
    found = []
    with torch.inference_mode():
        for p in PAIRS:
            image = model.encode_image(transform(Image.open(p["image"])).unsqueeze(0)).double()
            text = model.encode_text(tokenize(["A photo depicts " + p["text"]])).double()
            found.append(2 * max(torch.cosine_similarity(image, text).item(), 0))
    return found


def pac_s_of_pth():
    """Like pac_s, but from a checkpoint in the form that the authors publish: a .pth with {"state_dict": …}."""
    torch.manual_seed(4)
    name = "ViT-S-32-alt"
    made = open_clip.create_model(name).state_dict()
    torch.save({"state_dict": made, "epoch": 3}, OUT / "pac.pth")
    model, _, transform = open_clip.create_model_and_transforms(name)
    model.load_state_dict(made)
    model.eval()
    tokenize = open_clip.get_tokenizer(name)
    found = []
    with torch.inference_mode():
        for p in PAIRS:
            image = model.encode_image(transform(Image.open(p["image"])).unsqueeze(0)).double()
            text = model.encode_text(tokenize(["A photo depicts " + p["text"]])).double()
            found.append(2 * max(torch.cosine_similarity(image, text).item(), 0))
    return found


def vilt():
    torch.manual_seed(5)
    folder = OUT / "vilt"
    size = tokenizer_into(folder, "bert-cls", model_max_length=40)
    config = transformers.ViltConfig(**SMALL, vocab_size=size + 8, image_size=64, patch_size=16)
    images = transformers.ViltImageProcessor(size={"shortest_edge": 64}, size_divisor=16)
    made = transformers.ViltForImageAndTextRetrieval(config)
    torch.nn.init.normal_(made.rank_output.weight)
    made.save_pretrained(folder)
    images.save_pretrained(folder)
    model = transformers.ViltForImageAndTextRetrieval.from_pretrained(folder).eval()
    processor = transformers.AutoImageProcessor.from_pretrained(folder)
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    found = []
    with torch.inference_mode():
        for p in PAIRS:
            inputs = {**tokenizer([p["text"]], truncation=True, max_length=40, return_tensors="pt"), **processor(images=[Image.open(p["image"]).convert("RGB")], return_tensors="pt")}
            found.append(model(**inputs).logits[0, 0].double().sigmoid().item())
    return found


def auto_model():
    """Chinese-CLIP, a dual encoder of a family that the adapter does not know."""
    torch.manual_seed(6)
    folder = OUT / "chinese-clip"
    size = tokenizer_into(folder, "bert-cls", model_max_length=52)
    config = transformers.ChineseCLIPConfig(
        text_config={**SMALL, "vocab_size": size + 8}, vision_config={**SMALL, "image_size": 64, "patch_size": 16}, projection_dim=32
    )
    transformers.ChineseCLIPModel(config).save_pretrained(folder)
    transformers.ChineseCLIPImageProcessor(size={"height": 64, "width": 64}, crop_size={"height": 64, "width": 64}).save_pretrained(folder)
    model = transformers.AutoModel.from_pretrained(folder).eval()
    processor = transformers.AutoImageProcessor.from_pretrained(folder)
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    found = []
    with torch.inference_mode():
        for p in PAIRS:
            pixels = processor(images=Image.open(p["image"]).convert("RGB"), return_tensors="pt")
            image = model.get_image_features(**pixels).pooler_output.double()
            text = model.get_text_features(**tokenizer([p["text"]], truncation=True, max_length=52, return_tensors="pt")).pooler_output.double()
            found.append(torch.cosine_similarity(image, text).item())
    return found


def vision_language():
    """Scores each pair alone: P(Yes), and mean log P(caption)."""
    folder = OUT / "vlm"
    vlm.save(folder, [p["text"] for p in PAIRS])
    model = transformers.LlavaForConditionalGeneration.from_pretrained(folder).eval()
    processor = transformers.AutoProcessor.from_pretrained(folder)
    tokenizer = processor.tokenizer
    # "Yes" counts with and without a space before it.
    reads_yes = [i for i in range(len(processor.tokenizer)) if processor.tokenizer.decode([i]).strip() == "Yes"]
    assert len(reads_yes) == 2, reads_yes
    found = {"vqascore": [], "likelihood": []}
    with torch.inference_mode():
        for p in PAIRS:
            image = Image.open(p["image"]).convert("RGB")
            prompt = 'USER: <image>\nDoes this figure show "{}"? Please answer yes or no. ASSISTANT:'.format(p["text"])
            inputs = processor(images=image, text=prompt, return_tensors="pt")
            last = model(**inputs).logits[0, -1].double().softmax(dim=-1)
            found["vqascore"].append(last[reads_yes].sum().item())
            inputs = processor(images=image, text="USER: <image>\nDescribe the image. ASSISTANT:", return_tensors="pt")
            caption = tokenizer(" " + p["text"], return_tensors="pt")["input_ids"]
            ids = torch.cat([inputs["input_ids"], caption], dim=1)
            logits = model(input_ids=ids, pixel_values=inputs["pixel_values"]).logits[0].double().log_softmax(dim=-1)
            places = range(inputs["input_ids"].shape[1], ids.shape[1])
            found["likelihood"].append(sum(logits[i - 1, ids[0, i]].item() for i in places) / len(places))
    return found


EXPECTED = {
    "sentence-transformers": sentence_transformers(),
    "pac-s": pac_s(),
    "pac-s of a .pth": pac_s_of_pth(),
    **vision_language(),
    "vilt": vilt(),
    "chinese-clip": auto_model(),
}
(OUT / "expected.json").write_text(json.dumps(EXPECTED))
