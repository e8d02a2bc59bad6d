"""Results of Pillow's Image.resize on images computed by a formula, as hashes and a few samples.

    python test/oracle/evaluator/resample.py
"""

import hashlib
import json
from pathlib import Path

import numpy as np
import PIL
from PIL import Image

FILTERS = {
    "nearest": Image.NEAREST,
    "lanczos": Image.LANCZOS,
    "bilinear": Image.BILINEAR,
    "bicubic": Image.BICUBIC,
    "box": Image.BOX,
    "hamming": Image.HAMMING,
}
SIZES = [
    ((640, 480), (299, 224)),
    ((480, 640), (224, 298)),
    ((500, 333), (384, 384)),
    ((37, 70), (32, 32)),
    ((61, 40), (48, 32)),
    ((20, 14), (45, 32)),
    ((3, 500), (224, 224)),
    ((1, 1), (7, 5)),
    ((224, 100), (224, 224)),
    ((100, 224), (224, 224)),
    ((1023, 17), (224, 3)),
]


def picture(width, height):
    """Noise that any language can compute: a multiplicative congruential sequence, one step per byte."""
    count = width * height * 3
    out = np.empty(count, np.uint8)
    state = 12345 + width * 1000 + height
    for i in range(count):
        state = state * 16807 % 2147483647
        out[i] = state >> 8 & 255
    # Replaces the right half with a smooth pattern, so that both rounding and clipping occur.
    a = out.reshape(height, width, 3).copy()
    y, x = np.mgrid[0:height, 0:width]
    smooth = (x * 3 + y * 5) // 2 % 256
    a[:, width // 2 :] = smooth[:, width // 2 :, None]
    return a


def main():
    cases = []
    for (w, h), (tw, th) in SIZES:
        source = picture(w, h)
        for name, number in FILTERS.items():
            made = np.asarray(Image.fromarray(source).resize((tw, th), number))
            flat = made.reshape(-1)
            at = [int(i) for i in np.linspace(0, flat.size - 1, 8).astype(int)]
            cases.append(
                {
                    "from": [w, h],
                    "to": [tw, th],
                    "filter": name,
                    "sha256": hashlib.sha256(made.tobytes()).hexdigest(),
                    "samples": [[i, int(flat[i])] for i in at],
                }
            )
    path = Path(__file__).parent / "resample.json"
    path.write_text(json.dumps({"versions": {"pillow": PIL.__version__, "numpy": np.__version__}, "cases": cases}) + "\n")


if __name__ == "__main__":
    main()
