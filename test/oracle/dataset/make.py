"""Makes small folders in the layouts of the Hugging Face hub, and writes what PyPI's `datasets` reads from them.

    python test/oracle/dataset/make.py [--check DIR]     writes layouts.json here, or into DIR; without --check, layouts/, too

Needs the packages datasets and Pillow; without them it exits with 77, which means skipped.
"""

import csv
import hashlib
import io
import json
import os
import shutil
import sys
from pathlib import Path

os.environ["HF_HUB_OFFLINE"] = "1"
os.environ["HF_DATASETS_DISABLE_PROGRESS_BARS"] = "1"

try:
    import datasets
    from PIL import Image
except ImportError:
    print("left out: the packages datasets and Pillow are not installed")
    sys.exit(77)

here = Path(sys.argv[2] if len(sys.argv) > 2 else Path(__file__).parent).resolve()
root = here / "layouts"


def png(number):
    image = Image.new("RGB", (2, 2), ((40 * number) % 256, (90 * number) % 256, 200))
    out = io.BytesIO()
    image.save(out, "PNG")
    return out.getvalue()


def put(path, content):
    path = root / path
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())


def table(path, numbers):
    out = io.StringIO()
    rows = csv.writer(out, lineterminator="\n")
    rows.writerow(["id", "image", "caption"])
    rows.writerows([f"n{n}", f"{n}.png", f'Square {n}, the "small" one.'] for n in numbers)
    put(path, out.getvalue())


def lines(path, numbers, image="image", folder=""):
    rows = [{"id": f"n{n}", image: f"{folder}{n}.png", "caption": f"Square {n}."} for n in numbers]
    put(path, "".join(json.dumps(row) + "\n" for row in rows))


def make():
    shutil.rmtree(root, ignore_errors=True)
    # A card with two configurations: lists of splits with globs, and one path.
    put(
        "card/README.md",
        "---\nlicense: mit\nconfigs:\n- config_name: squares\n  default: true\n  data_files:\n  - split: train\n    path: squares/tr-*.csv\n"
        "  - split: held_out\n    path:\n    - squares/held.csv\n    - squares/more/*.csv\n- config_name: tables\n  data_files: tables/*.csv\n---\n# Squares\n",
    )
    table("card/squares/tr-2.csv", [3])
    table("card/squares/tr-1.csv", [1, 2])
    table("card/squares/held.csv", [4])
    table("card/squares/more/x.csv", [5, 6])
    table("card/ignored.csv", [9])
    table("card/tables/a.csv", [7, 8])
    # A card with a folder for each configuration and no files.
    put("dirs/README.md", "---\nconfigs:\n- config_name: one\n  data_dir: one\n- config_name: two\n  data_dir: two\n---\n")
    table("dirs/one/train.csv", [1])
    table("dirs/one/test.csv", [2])
    table("dirs/two/x.csv", [3, 4])
    # Names: shards with images inside, files, folders.
    features = datasets.Features({"id": datasets.Value("string"), "image": datasets.Image(), "caption": datasets.Value("string")})
    for split, shards in {"train": [[1, 2], [3]], "extra": [[4]]}.items():
        for i, numbers in enumerate(shards):
            rows = [{"id": f"n{n}", "image": {"bytes": png(n), "path": None}, "caption": f"Square {n}."} for n in numbers]
            path = root / f"shards/data/{split}-{i:05d}-of-{len(shards):05d}.parquet"
            path.parent.mkdir(parents=True, exist_ok=True)
            datasets.Dataset.from_list(rows, features=features).to_parquet(str(path))
    table("files/train.csv", [1, 2])
    table("files/my_val-set.csv", [3])
    table("files/testing.csv", [4])
    lines("folders/training/a.jsonl", [1])
    lines("folders/training/deep/b.jsonl", [2])
    lines("folders/dev2017/c.jsonl", [3])
    table("whole/b.csv", [2])
    table("whole/a.csv", [1])
    # ImageFolder: metadata next to the images, and above them.
    for split, numbers in {"train": [1, 2], "test": [3]}.items():
        for n in numbers:
            put(f"imagefolder/{split}/{n}.png", png(n))
        rows = "".join(f"{n}.png,n{n},Square {n}.\n" for n in numbers)
        put(f"imagefolder/{split}/metadata.csv", "file_name,id,caption\n" + rows)
    for n in [1, 2]:
        put(f"metadata/images/{n}.png", png(n))
    lines("metadata/metadata.jsonl", [1, 2], "file_name", "images/")


def read(folder, config, split):
    kind = "imagefolder" if folder in ("imagefolder", "metadata") else str(root / folder)
    given = {"data_dir": str(root / folder)} if kind == "imagefolder" else {}
    data = datasets.load_dataset(kind, config, split=split, cache_dir=str(root / "cache"), **given)
    if isinstance(data.features["image"], datasets.Image):
        data = data.cast_column("image", datasets.Image(decode=False))
    return [
        {
            "id": row["id"],
            "caption": row["caption"],
            **({"image": row["image"]} if isinstance(row["image"], str) else {"sha256": digest(row["image"])}),
        }
        for row in data
    ]


def digest(image):
    content = image["bytes"] if image["bytes"] is not None else Path(image["path"]).read_bytes()
    return hashlib.sha256(content).hexdigest()


def expected():
    asked = {
        "card": {None: ["train", "held_out"], "tables": ["train"]},
        "dirs": {"one": ["train", "test"], "two": ["train"]},
        "shards": {None: ["train", "extra"]},
        "files": {None: ["train", "validation", "test"]},
        "folders": {None: ["train", "validation"]},
        "whole": {None: ["train"]},
        "imagefolder": {None: ["train", "test"]},
        "metadata": {None: ["train"]},
    }
    out = []
    for folder, configs in asked.items():
        for config, splits in configs.items():
            names = datasets.load_dataset_builder(
                *(["imagefolder"] if folder in ("imagefolder", "metadata") else [str(root / folder)]),
                **({"data_dir": str(root / folder)} if folder in ("imagefolder", "metadata") else {"name": config}),
                cache_dir=str(root / "cache"),
            )
            assert set(names.config.data_files) == set(splits), (folder, config, names.config.data_files)
            for split in splits:
                rows = read(folder, config, split)
                out.append({"folder": folder, **({} if config is None else {"config": config}), "split": split, "rows": rows})
    return out


make()
found = {"datasets": datasets.__version__, "readings": expected()}
shutil.rmtree(root / "cache", ignore_errors=True)
(here / "layouts.json").write_text(json.dumps(found, indent=1) + "\n")
