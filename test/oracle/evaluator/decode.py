"""Makes images of every supported kind, and the pixels that Pillow decodes.

    python test/oracle/evaluator/decode.py

writes test/fixtures/pictures/* and test/oracle/evaluator/decode.json.
"""

import hashlib
import json
import shutil
from pathlib import Path

import numpy as np
import PIL
from PIL import Image, ImageCms, ImageOps, features

HERE = Path(__file__).parent
PICTURES = HERE.parent.parent / "fixtures" / "pictures"


def main():
    shutil.rmtree(PICTURES, ignore_errors=True)
    PICTURES.mkdir(parents=True)
    noise = np.random.default_rng(1).integers(-8, 9, (33, 50, 3))
    y, x = np.mgrid[0:33, 0:50]
    a = np.stack([x * 5 % 256, y * 255 // 32, (x * 3 + y * 2) % 256], -1)
    a[8:20, 12:24] = [250, 30, 200]
    a = np.clip(a + noise, 0, 255).astype(np.uint8)
    image = Image.fromarray(a)
    veiled = image.copy()
    veiled.putalpha(Image.fromarray((x * 5 % 256).astype(np.uint8)))
    few = image.quantize(32)

    def save(picture, name, **how):
        picture.save(PICTURES / name, **how)

    save(image, "quality75.jpg", quality=75)
    save(image, "full-colour.jpg", quality=90, subsampling=0)
    save(image, "half-colour.jpg", quality=85, subsampling=1)
    save(image, "progressive.jpg", quality=85, progressive=True)
    save(image.convert("L"), "grey.jpg")
    save(image.convert("CMYK"), "inks.jpg")
    save(image.convert("CMYK"), "inks.tif")
    for orientation in range(2, 9):
        exif = Image.Exif()
        exif[0x112] = orientation
        save(image, f"turned{orientation}.jpg", quality=85, exif=exif)
    save(image, "colour.png")
    save(image, "profile.png", icc_profile=ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes())
    save(veiled, "veiled.png")
    save(veiled.convert("LA"), "veiled-grey.png")
    save(image.convert("1"), "two-tone.png")
    save(few, "palette.png")
    save(few, "palette-hole.png", transparency=3)
    save(image, "lossy.webp", quality=85)
    save(veiled, "lossless.webp", lossless=True)
    save(few, "still.gif")
    save(few, "moving.gif", save_all=True, append_images=[few.transpose(Image.ROTATE_180)])
    save(image, "plain.tiff")
    save(image, "packed.tif", compression="tiff_lzw")
    save(image, "lossy.avif", quality=90, subsampling="4:4:4")

    oracle = {"versions": {"pillow": PIL.__version__, "avif": features.version("avif"), "jpeg": features.version("libjpeg_turbo")}, "pictures": {}}
    for path in sorted(PICTURES.iterdir()):
        pixels = np.asarray(ImageOps.exif_transpose(Image.open(path)).convert("RGB"))
        oracle["pictures"][path.name] = {
            "width": pixels.shape[1],
            "height": pixels.shape[0],
            "mean": [float(v) for v in pixels.reshape(-1, 3).mean(0)],
            "sha256": hashlib.sha256(pixels.tobytes()).hexdigest(),
        }

    # Pillow clips 16-bit values at 255. The expected result is the upper byte of each value.
    deep = (a[:, :, 0].astype(np.uint16) * 257 + 3).clip(0, 65535)
    Image.fromarray(deep).save(PICTURES / "deep.png")
    oracle["deep"] = hashlib.sha256(np.repeat(deep >> 8, 3).astype(np.uint8).tobytes()).hexdigest()

    whole = (PICTURES / "full-colour.jpg").read_bytes()
    (PICTURES / "broken-off.jpg").write_bytes(whole[: len(whole) // 2])
    (PICTURES / "text.jpg").write_text("This is no picture.\n")
    (PICTURES / "drawing.svg").write_text('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>\n')
    (PICTURES / "drawing.png").write_text((PICTURES / "drawing.svg").read_text())
    # A file of about 50 kilobytes with 20,000 by 20,000 pixels.
    Image.new("1", (20000, 20000)).save(PICTURES / "vast.png", optimize=True)
    save(image, "bitmap.bmp")
    (HERE / "decode.json").write_text(json.dumps(oracle, indent=1) + "\n")


if __name__ == "__main__":
    main()
