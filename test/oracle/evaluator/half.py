"""Makes the small CLIP of models.py in float16, including inputs and outputs, and NumPy's conversions of numbers.

    python test/oracle/evaluator/half.py

writes test/fixtures/models/clip-two-graphs/onnx/*_fp16.onnx. The results of ONNX Runtime for Python go to
test/oracle/evaluator/half.json. Run models.py first.
"""

import hashlib
import json
import sys
from pathlib import Path

# transformers does not need torchvision here, and an incompatible one would break its imports.
sys.modules["torchvision"] = None

import numpy as np
import onnx
import onnxruntime
from onnxruntime.transformers.float16 import convert_float_to_float16
from PIL import Image

from models import CLIP_MEAN, CLIP_STD, preprocess

HERE = Path(__file__).parent
MODELS = HERE.parent.parent / "fixtures" / "models"
FOLDER = MODELS / "clip-two-graphs" / "onnx"


def main():
    reference = json.loads((HERE / "models.json").read_text())["clip-two-graphs"]
    session = {}
    for name in ["text_model", "vision_model"]:
        model = convert_float_to_float16(onnx.load(FOLDER / f"{name}.onnx"), keep_io_types=False)
        onnx.checker.check_model(model)
        path = FOLDER / f"{name}_fp16.onnx"
        onnx.save(model, path)
        session[name] = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    text = []
    for ids in reference["ids"]:
        feeds = {"input_ids": np.array([ids] * 2), "attention_mask": np.ones((2, len(ids)), dtype=np.int64)}
        text.append([float(v) for v in session["text_model"].run(["text_embeds"], feeds)[0][0]])
    image = {}
    for file in sorted(path.name for path in (MODELS / "pictures").iterdir()):
        pixels = preprocess(Image.open(MODELS / "pictures" / file), 32, Image.BICUBIC, 32, CLIP_MEAN, CLIP_STD)
        pixels = np.concatenate([pixels.numpy()] * 2).astype(np.float16)
        row = session["vision_model"].run(["image_embeds"], {"pixel_values": pixels})[0]
        assert row.dtype == np.float16
        image[file] = [float(v) for v in row[0]]

    halves = np.arange(65536, dtype=np.uint16).view(np.float16)
    halves = halves[~np.isnan(halves)]
    floats = np.concatenate([
        np.random.default_rng(7).standard_normal(20000) * 10.0 ** np.repeat(np.arange(-9, 6), 20000)[:20000],
        np.random.default_rng(8).standard_normal(20000) * 1e-6,
        # The midpoints between adjacent half-precision numbers. Rounding must choose the even neighbour.
        (halves[:-1].astype(np.float64) + halves[1:].astype(np.float64)) / 2,
        [0.0, -0.0, 65504, 65519.996, 65520, -65520, 1e10, np.inf, -np.inf, 2.0**-24, 2.0**-25, 2.0**-25 * 1.0001],
    ])
    floats = floats[np.isfinite(floats)].astype(np.float32)
    with np.errstate(over="ignore"):
        narrowed = floats.astype(np.float16)
    sample = np.linspace(0, len(floats) - 1, 4000).astype(int)
    oracle = {
        "versions": {"numpy": np.__version__, "onnx": onnx.__version__, "onnxruntime": onnxruntime.__version__},
        "text": text,
        "image": image,
        "everyHalfAsFloat": hashlib.sha256(halves.astype("<f4").tobytes()).hexdigest(),
        "floats": [int(v) for v in floats[sample].view(np.uint32)],
        "halves": [int(v) for v in narrowed[sample].view(np.uint16)],
    }
    (HERE / "half.json").write_text(json.dumps(oracle) + "\n")


if __name__ == "__main__":
    main()
