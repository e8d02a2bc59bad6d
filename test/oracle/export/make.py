"""Reads the tables that Captious wrote here (write.ts) with pyarrow, polars, datasets and webdataset, which must agree.

    python test/oracle/export/make.py [--check DIR]     writes read.json here, or into DIR

Needs the packages datasets, polars, pyarrow, webdataset and Pillow; without them it exits with 77, which means skipped.
"""
import hashlib
import io
import json
import os
import sys
import tempfile
from pathlib import Path

os.environ["HF_HUB_OFFLINE"] = "1"
os.environ["HF_DATASETS_DISABLE_PROGRESS_BARS"] = "1"

try:
    import datasets
    import polars
    import pyarrow
    import pyarrow.ipc
    import pyarrow.parquet
    import webdataset
    from PIL import Image
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

here = Path(__file__).parent
cache = tempfile.mkdtemp()


def plain(value):
    if isinstance(value, bytes):
        return hashlib.sha256(value).hexdigest()
    if isinstance(value, dict):
        return {key: plain(own) for key, own in value.items()}
    if isinstance(value, list):
        return [plain(own) for own in value]
    return value


def loaded(kind, **files):
    return datasets.load_dataset(kind, cache_dir=cache, **files)


def hf(kind, ending):
    table = loaded(kind, data_files=str(here / f"table.{ending}"))["train"]
    assert isinstance(table.features["image"], datasets.Image), table.features
    pictures = [row["image"] and row["image"].size for row in table]
    assert {size for size in pictures if size is not None} == {(1, 1)}, pictures
    return plain(list(table.cast_column("image", datasets.Image(decode=False))))


parquet = pyarrow.parquet.read_table(here / "table.parquet")
stream = pyarrow.ipc.open_stream((here / "table.arrow").read_bytes()).read_all()
stream.validate(full=True)
for name in parquet.column_names:
    assert parquet.schema.field(name).type.id == stream.schema.field(name).type.id, name
readings = {
    "pyarrow, Parquet": plain(parquet.to_pylist()),
    "pyarrow, Arrow": plain(stream.to_pylist()),
    "polars, Parquet": plain(polars.read_parquet(here / "table.parquet").to_dicts()),
    "polars, Arrow": plain(polars.read_ipc_stream(here / "table.arrow").to_dicts()),
    "datasets, Parquet": hf("parquet", "parquet"),
    "datasets, Arrow": hf("arrow", "arrow"),
    "datasets, opened": plain(
        list(datasets.Dataset.from_file(str(here / "table.arrow")).cast_column("image", datasets.Image(decode=False)))
    ),
}
rows = readings["pyarrow, Parquet"]
for name, other in readings.items():
    # polars has a struct of nulls where others have null.
    other = [{**row, "image": row["image"] if row["image"] and any(v is not None for v in row["image"].values()) else None} for row in other]
    assert other == rows, name
samples = list(webdataset.WebDataset(str(here / "table.tar"), shardshuffle=False))
assert len(samples) == len(rows)
for sample, row in zip(samples, rows):
    own = json.loads(sample["json"])
    image = own["image"] and {"bytes": hashlib.sha256(sample["png"]).hexdigest(), "path": own["image"]["path"]}
    assert {**own, "image": image} == row, (own, row)
full = loaded("webdataset", data_files=str(here / "full.tar"))["train"].cast_column("png", datasets.Image(decode=False))
for sample, row in zip(full, [row for row in rows if row["image"]], strict=True):
    image = {"bytes": hashlib.sha256(sample["png"]["bytes"]).hexdigest(), "path": sample["json"]["image"]["path"]}
    assert {**sample["json"], "image": image} == row, (sample["json"], row)
assert stream.schema.metadata[b"note"].decode() == parquet.schema.metadata[b"note"].decode() == "é"

folders = {}
for name, given in {"results": {}, "results/visla": {}}.items():
    data = loaded("parquet", data_dir=str(here / name))
    assert list(data) == ["train"], data
    folders[name] = list(data["train"])
folders["card"] = list(loaded(str(here / "results"), name="visla")["train"])
assert folders["card"] == folders["results"] == folders["results/visla"]

out = Path(sys.argv[2] if len(sys.argv) > 2 else here)
versions = {module.__name__: module.__version__ for module in (datasets, polars, pyarrow, webdataset)}
(out / "read.json").write_text(json.dumps({"versions": versions, "rows": rows, "results": folders["results"]}, indent=1, ensure_ascii=False) + "\n")
