"""CLIPScore and PAC-S of the small CLIP under test/fixtures/models/clip, by ONNX Runtime, tokenizers and numpy.

    python test/oracle/evaluator/clipscore.py

writes test/oracle/evaluator/clipscore.json: w · max(cos(image, "A photo depicts " + caption), 0), and cosines without
the prefix.
"""

import json
import sys
from pathlib import Path

# An incompatible torchvision would break the import, and this script does not need one.
sys.modules["torchvision"] = None

import numpy as np
import onnxruntime
import PIL
import tokenizers
import transformers
from PIL import Image
from transformers.models.clip.image_processing_pil_clip import CLIPImageProcessorPil

HERE = Path(__file__).parent
MODELS = HERE.parent.parent / "fixtures" / "models"
CAPTIONS = ["A man riding a bicycle down a city street.", "a black cat", "Two dogs play with a red ball."]
FILES = ["small.png", "tall.png", "wide.png"]


def main():
    folder = MODELS / "clip"
    session = onnxruntime.InferenceSession(str(folder / "onnx" / "model.onnx"), providers=["CPUExecutionProvider"])
    tokenizer = tokenizers.Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.enable_truncation(json.loads((folder / "tokenizer_config.json").read_text())["model_max_length"])
    processor = CLIPImageProcessorPil(**json.loads((folder / "preprocessor_config.json").read_text()))
    names = [port.name for port in session.get_inputs()]
    cosines = {}
    for prefix in ["A photo depicts ", ""]:
        rows = []
        for file in FILES:
            pixels = processor(Image.open(MODELS / "pictures" / file).convert("RGB"), return_tensors="np")["pixel_values"]
            row = []
            for caption in CAPTIONS:
                ids = np.array([tokenizer.encode(prefix + caption).ids], dtype=np.int64)
                feeds = {"input_ids": ids, "pixel_values": pixels, "attention_mask": np.ones_like(ids)}
                feeds = {name: feeds[name] for name in names}
                text, image = session.run(["text_embeds", "image_embeds"], feeds)
                text, image = text[0].astype(np.float64), image[0].astype(np.float64)
                row.append(float(text @ image / np.linalg.norm(text) / np.linalg.norm(image)))
            rows.append(row)
        cosines[prefix] = np.array(rows)
    prefixed = np.maximum(cosines["A photo depicts "], 0)
    oracle = {
        "versions": {
            "onnxruntime": onnxruntime.__version__,
            "tokenizers": tokenizers.__version__,
            "transformers": transformers.__version__,
            "pillow": PIL.__version__,
        },
        "captions": CAPTIONS,
        "files": FILES,
        "clipscore": (2.5 * prefixed).tolist(),
        "pac-s": (2 * prefixed).tolist(),
        "cosine": cosines[""].tolist(),
    }
    (HERE / "clipscore.json").write_text(json.dumps(oracle) + "\n")


if __name__ == "__main__":
    main()
