"""The loops that Captious is compared with. Reads one command per line and answers with seconds: {"wall": …, "cpu": …}.

bare: the evaluator that the worker runs, without the worker, over the same batches.
loader: pairs by a DataLoader with transformers' processor and model, as a researcher would write it.
explain: texts and images with a hidden box, one at a time, with open_clip, as in a notebook.
images: images by a DataLoader with transformers' processor and model. With the argument "make", it first makes a model
with random weights.
"""

import json
import os
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "python"))

import torch


def bare(said):
    from PIL import Image

    from captious.adapters.open_clip import Evaluator

    model = Evaluator("ViT-B-32", pretrained=said["weights"])

    def run(order):
        for paths in order["images"]:
            model.embed_images([Image.open(path).convert("RGB") for path in paths]).numpy()
        for texts in order["texts"]:
            model.embed_texts(texts).numpy()

    return run


def loader(said):
    import transformers
    from PIL import Image
    from torch.utils.data import DataLoader

    model = transformers.CLIPModel.from_pretrained(said["folder"]).eval()
    images = transformers.AutoImageProcessor.from_pretrained(said["folder"])
    tokenizer = transformers.AutoTokenizer.from_pretrained(said["folder"])

    def collate(pairs):
        texts = tokenizer([text for _, text in pairs], padding=True, truncation=True, max_length=24, return_tensors="pt")
        texts.pop("token_type_ids", None)
        pixels = images(images=[Image.open(path).convert("RGB") for path, _ in pairs], return_tensors="pt")
        return {**texts, **pixels}

    def run(order):
        found = []
        with torch.inference_mode():
            for batch in DataLoader(order["pairs"], batch_size=32, collate_fn=collate):
                output = model(**batch)
                found.append((output.image_embeds * output.text_embeds).sum(dim=1))
        torch.cat(found).tolist()

    return run


def images(said):
    import transformers
    from PIL import Image
    from torch.utils.data import DataLoader

    torch.set_num_threads(said["threads"])
    if "make" in said:
        make_clip(said["folder"], said["make"])
    model = transformers.CLIPModel.from_pretrained(said["folder"]).eval()
    processor = transformers.AutoImageProcessor.from_pretrained(said["folder"])

    def collate(paths):
        return processor(images=[Image.open(path).convert("RGB") for path in paths], return_tensors="pt")

    def run(order):
        loader = DataLoader(order["paths"], batch_size=32, collate_fn=collate, num_workers=order["workers"])
        with torch.inference_mode():
            found = [model.get_image_features(**batch) for batch in loader]
        rows = torch.cat([row if torch.is_tensor(row) else row.pooler_output for row in found])
        rows.numpy().tofile(order["out"])

    return run


def explain(said):
    import numpy as np
    import open_clip
    from PIL import Image

    torch.set_num_threads(said["threads"])
    model, _, preprocess = open_clip.create_model_and_transforms("ViT-B-32", pretrained=said["weights"])
    model.eval()
    tokenizer = open_clip.get_tokenizer("ViT-B-32")

    def run(order):
        picture = Image.open(order["path"]).convert("RGB")
        scores = []
        with torch.no_grad():
            if order["texts"]:
                image = model.encode_image(preprocess(picture).unsqueeze(0), normalize=True)
            for text in order["texts"]:
                scores.append((model.encode_text(tokenizer([text]), normalize=True) @ image.T).item())
            if order["boxes"]:
                caption = model.encode_text(tokenizer([order["caption"]]), normalize=True)
            for box in order["boxes"]:
                hidden = picture.copy()
                hidden.paste((128, 128, 128), tuple(box))
                image = model.encode_image(preprocess(hidden).unsqueeze(0), normalize=True)
                scores.append((caption @ image.T).item())
        np.array(scores, "<f4").tofile(order["out"])

    return run


def make_clip(folder, tokenizer):
    """CLIP ViT-B/32 with transformers' default sizes and the tests' small tokenizer."""
    import shutil
    import transformers

    with open(os.path.join(tokenizer, "tokenizer.json"), encoding="utf-8") as file:
        pieces = json.load(file)["model"]["vocab"]
    ends = {"bos_token_id": pieces["<|startoftext|>"], "eos_token_id": pieces["<|endoftext|>"]}
    torch.manual_seed(7)
    model = transformers.CLIPModel(transformers.CLIPConfig(text_config=ends))
    model.save_pretrained(folder)
    transformers.CLIPImageProcessor().save_pretrained(folder)
    for name in ("tokenizer.json", "tokenizer_config.json"):
        shutil.copy(os.path.join(tokenizer, name), folder)


def main():
    said = json.loads(sys.argv[2])
    run = {"bare": bare, "explain": explain, "images": images, "loader": loader}[sys.argv[1]](said)
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    print("ready", file=answers, flush=True)
    for line in sys.stdin:
        wall, cpu = time.perf_counter(), time.process_time()
        run(json.loads(line))
        print(json.dumps({"wall": time.perf_counter() - wall, "cpu": time.process_time() - cpu}), file=answers, flush=True)


main()
