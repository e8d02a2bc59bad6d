"""Results of Pillow, NumPy and SciPy on small images and outlines: writes pictures.json, or into --check DIR."""

import base64
import json
import sys
from pathlib import Path

import numpy as np
import PIL
import scipy
from PIL import Image
from scipy import ndimage

rng = np.random.default_rng(7)


def packed(array):
    return base64.b64encode(np.ascontiguousarray(array, dtype=np.uint8).tobytes()).decode()


def noise(width, height):
    return rng.integers(0, 256, size=(height, width, 3), dtype=np.uint8)


def photo_like(width, height):
    y, x = np.mgrid[0:height, 0:width]
    channels = [
        128 + 90 * np.sin(x / 3) * np.cos(y / 5),
        40 + 150 * ((x - width / 2) ** 2 + (y - height / 2) ** 2 < (height / 3) ** 2),
        255 * x / width,
    ]
    return np.clip(np.round(np.stack(channels, axis=-1)), 0, 255).astype(np.uint8)


def rotated(picture, degrees):
    height, width, _ = picture.shape
    angle = np.deg2rad(degrees)
    # Maps the output's (row, column) to the input's. A positive angle is counter-clockwise on screen.
    matrix = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    centre = np.array([(height - 1) / 2, (width - 1) / 2])
    offset = centre - matrix @ centre
    channels = [
        ndimage.affine_transform(picture[..., c].astype(float), matrix, offset, order=1, mode="reflect")
        for c in range(3)
    ]
    return np.clip(np.round(np.stack(channels, axis=-1)), 0, 255)


def same_way_as_pillow(picture, degrees):
    """Compares with Pillow's rotation, except at the borders, where Pillow does not mirror the image."""
    theirs = np.asarray(Image.fromarray(picture).rotate(degrees, Image.Resampling.BILINEAR)).astype(float)
    height, width, _ = picture.shape
    middle = (slice(height // 4, -height // 4), slice(width // 4, -width // 4))
    return np.abs(theirs - rotated(picture, degrees))[middle].mean() < 2


def blurred(picture, sigma):
    channels = [
        ndimage.gaussian_filter(picture[..., c].astype(float), sigma, mode="reflect", truncate=4.0) for c in range(3)
    ]
    return np.clip(np.round(np.stack(channels, axis=-1)), 0, 255)


def inside(polygon, width, height):
    """The even-odd rule for each pixel alone, not row by row: counts the crossings to the right of its centre."""
    xs, ys = np.asarray(polygon[0::2]), np.asarray(polygon[1::2])
    px, py = np.meshgrid(np.arange(width) + 0.5, np.arange(height) + 0.5)
    odd = np.zeros((height, width), dtype=bool)
    for i in range(len(xs)):
        x0, y0, x1, y1 = xs[i], ys[i], xs[(i + 1) % len(xs)], ys[(i + 1) % len(ys)]
        crosses = (y0 <= py) != (y1 <= py)
        if y0 == y1:
            continue
        at = x0 + (py - y0) / (y1 - y0) * (x1 - x0)
        odd ^= crosses & (px < at)
    return odd


def runs_of(mask):
    """COCO's run lengths down the columns, beginning with pixels outside the object."""
    flat = mask.flatten(order="F").astype(int)
    counts, value, length = [], 0, 0
    for pixel in flat:
        if pixel != value:
            counts.append(length)
            value, length = pixel, 0
        length += 1
    counts.append(length)
    return counts


def packed_runs(counts):
    """Run lengths in COCO's text form."""
    out = []
    for i, count in enumerate(counts):
        value = count - counts[i - 2] if i > 2 else count
        while True:
            bits = value & 31
            value >>= 5
            more = value != -1 if bits & 16 else value != 0
            out.append(chr(bits + (32 if more else 0) + 48))
            if not more:
                break
    return "".join(out)


def disc(mask, radius):
    if not mask.any():
        return np.zeros_like(mask)
    return ndimage.distance_transform_edt(~mask) <= radius


def energy(picture):
    values = picture.astype(float) / 255
    total = np.zeros(picture.shape[:2])
    for c in range(3):
        across = ndimage.sobel(values[..., c], axis=1, mode="nearest")
        down = ndimage.sobel(values[..., c], axis=0, mode="nearest")
        total += np.hypot(across, down)
    return total / 3


def surroundings(picture, hole):
    """The spread of the colours within ten pixels of a hole, around the plane that fits them best."""
    ys, xs = np.nonzero(disc(hole, 10) & ~hole)
    plane = np.column_stack([np.ones(len(xs)), xs, ys])
    values = picture[ys, xs].astype(float) / 255
    rest = values - plane @ np.linalg.lstsq(plane, values, rcond=None)[0]
    return float(np.sqrt((rest**2).mean()))


def seams(before, after, source, target):
    away = ~disc(source | target, 8)
    background = None
    if away.any():
        background = float((np.abs(before.astype(float) - after.astype(float)).sum(axis=2) / 255)[away].mean())
    rings = [disc(mask, 5) & ~disc(mask, 2) for mask in (source, target)]
    if not all(ring.any() for ring in rings):
        return {"background": background, "seam": None}
    was, now = energy(before)[rings[0]].mean(), energy(after)[rings[1]].mean()
    return {"background": background, "seam": float(now / was) if was else None}


def main():
    pictures = []
    for name, picture in {
        "noise": noise(23, 17),
        "smooth": photo_like(41, 30),
        "tall": noise(5, 19),
        "one column": noise(1, 8),
        "one pixel": noise(1, 1),
    }.items():
        height, width, _ = picture.shape
        if name == "smooth":
            assert all(same_way_as_pillow(picture, d) for d in (-10, -5, 5, 10))
        image = Image.fromarray(picture)
        pictures.append(
            {
                "name": name,
                "width": width,
                "height": height,
                "data": packed(picture),
                "hflip": packed(np.asarray(image.transpose(Image.Transpose.FLIP_LEFT_RIGHT))),
                "vflip": packed(np.asarray(image.transpose(Image.Transpose.FLIP_TOP_BOTTOM))),
                "rotate": {str(d): packed(rotated(picture, d)) for d in (-10, -5, 5, 10)},
                "blur": {str(s): packed(blurred(picture, s)) for s in (1, 2)},
            }
        )

    outlines = []
    shapes = {
        "triangle": [[2.3, 1.7, 25.1, 8.2, 7.6, 19.9]],
        "concave": [[3.0, 3.0, 28.0, 3.0, 28.0, 20.0, 15.5, 8.25, 3.0, 20.0]],
        "two pieces": [[1.2, 1.1, 9.7, 2.2, 5.5, 11.4], [18.0, 9.0, 29.9, 9.0, 29.9, 21.5, 18.0, 21.5]],
        "sticks out": [[-5.0, -4.0, 12.5, 6.5, 35.0, 2.0, 14.0, 30.0]],
        "crosses itself": [[2.0, 2.0, 27.3, 20.4, 27.3, 2.6, 2.0, 19.0]],
        "nothing": [[4.1, 4.1, 4.2, 4.1, 4.2, 4.2]],
    }
    width, height = 31, 23
    for name, polygons in shapes.items():
        mask = np.zeros((height, width), dtype=bool)
        for polygon in polygons:
            mask |= inside(polygon, width, height)
        counts = runs_of(mask)
        outlines.append(
            {
                "name": name,
                "width": width,
                "height": height,
                "polygons": polygons,
                "counts": counts,
                "packed": packed_runs(counts),
                "mask": packed(mask),
            }
        )
    wide = rng.random((70, 90)) < 0.97
    wide[5:60, 8:82] = True
    counts = runs_of(wide)
    outlines.append(
        {"name": "long runs", "width": 90, "height": 70, "counts": counts, "packed": packed_runs(counts), "mask": packed(wide)}
    )

    distances = []
    for density in (0.02, 0.3, 0.9):
        mask = rng.random((19, 27)) < density
        mask[3, 4] = True
        distances.append(
            {
                "width": 27,
                "height": 19,
                "mask": packed(mask),
                "squared": [int(round(d * d)) for d in ndimage.distance_transform_edt(~mask).flatten()],
            }
        )

    moved = []
    before = photo_like(60, 48)
    for dx, dy in ((0, 0), (20, 9), (-14, 12), (25, -3)):
        source = inside([18.0, 16.0, 30.5, 15.0, 33.0, 27.0, 19.5, 28.5], 60, 48)
        target = np.zeros_like(source)
        ys, xs = np.nonzero(source)
        keep = (xs + dx >= 0) & (xs + dx < 60) & (ys + dy >= 0) & (ys + dy < 48)
        target[ys[keep] + dy, xs[keep] + dx] = True
        after = before.copy()
        after[ys[keep] + dy, xs[keep] + dx] = before[ys[keep], xs[keep]]
        after[0, 0] = 255 - after[0, 0]
        moved.append(
            {
                "dx": dx,
                "dy": dy,
                "width": 60,
                "height": 48,
                "source": packed(source),
                "before": packed(before),
                "after": packed(after),
                **seams(before, after, source, target),
                "surroundings": surroundings(before, source),
            }
        )

    folder = Path(sys.argv[sys.argv.index("--check") + 1]) if "--check" in sys.argv else Path(__file__).parent
    (folder / "pictures.json").write_text(
        json.dumps(
            {
                "versions": {"numpy": np.__version__, "scipy": scipy.__version__, "pillow": PIL.__version__},
                "pictures": pictures,
                "outlines": outlines,
                "distances": distances,
                "moved": moved,
            },
        )
        + "\n"
    )


main()
