"""Makes small Parquet files with PyPI's `pyarrow`, `polars` and `datasets`, and writes the values that pyarrow and polars read from them.

    python test/oracle/dataset/makeParquet.py [--check DIR]     writes parquet.json here, or into DIR; without --check, parquet/, too

Needs the packages datasets, polars and pyarrow; without them it exits with 77, which means skipped.
"""

import datetime
import decimal
import hashlib
import json
import os
import shutil
import sys
from pathlib import Path

os.environ["HF_HUB_OFFLINE"] = "1"
os.environ["HF_DATASETS_DISABLE_PROGRESS_BARS"] = "1"

try:
    import datasets
    import polars
    import pyarrow as pa
    import pyarrow.parquet as pq
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

here = Path(__file__).parent.resolve()
out = Path(sys.argv[2] if len(sys.argv) > 2 else here).resolve()
root = here / "parquet"
n = 8


def some(values):
    return [None if i % 4 == 3 else value for i, value in enumerate(values)]


def table():
    day = datetime.date(2026, 2, 27)
    at = datetime.datetime(2026, 2, 27, 12, 30, 15)
    return pa.table({
        "image": pa.array(some([{"bytes": bytes([137, i, 255 - i]) * 9, "path": f"{i}.png"} for i in range(n)]), pa.struct([("bytes", pa.binary()), ("path", pa.string())])),
        "caption": pa.array([f"Caption {i}: é \U0001f600 {'long ' * i}" for i in range(n)], pa.large_string()),
        "kind": pa.array(some(["dog", "cat", "dog", "x", "cat", "dog", "bird", "x"])).dictionary_encode(),
        "tags": pa.array(some([[f"t{j}" for j in range(i % 3)] for i in range(n)]), pa.list_(pa.string())),
        "many": pa.array(some([[i, None] for i in range(n)]), pa.large_list(pa.int16())),
        "vector": pa.array([[i, i / 2, -i] for i in range(n)], pa.list_(pa.float32(), 3)),
        "loud": pa.array(some([i % 2 == 0 for i in range(n)])),
        "double": pa.array(some([i / 7 for i in range(n)])),
        "small": pa.array(some([-i for i in range(n)]), pa.int8()),
        "large": pa.array(some([2**40 + i for i in range(n)]), pa.int64()),
        "decimal": pa.array(some([decimal.Decimal(i) / 4 - 1 for i in range(n)]), pa.decimal128(9, 2)),
        "day": pa.array(some([day + datetime.timedelta(days=i) for i in range(n)]), pa.date32()),
        "at": pa.array(some([at + datetime.timedelta(hours=i) for i in range(n)]), pa.timestamp("us")),
        "none": pa.nulls(n),
    })


def make():
    shutil.rmtree(root, ignore_errors=True)
    root.mkdir()
    whole = table()
    for packing in ("none", "snappy", "gzip", "brotli", "zstd", "lz4"):
        pq.write_table(whole, root / f"{packing}.parquet", compression=packing, row_group_size=3)
    pq.write_table(whole, root / "pages.parquet", data_page_version="2.0", data_page_size=64, write_page_index=True, use_dictionary=False)
    deltas = whole.select(["image", "caption", "small", "large", "tags"])
    encodings = {"caption": "DELTA_LENGTH_BYTE_ARRAY", "small": "DELTA_BINARY_PACKED", "large": "DELTA_BINARY_PACKED", "tags.list.element": "DELTA_BYTE_ARRAY"}
    pq.write_table(deltas, root / "deltas.parquet", use_dictionary=False, column_encoding=encodings)
    frame = polars.from_arrow(whole.drop_columns(["none", "decimal"]))
    frame.write_parquet(root / "polars.parquet", row_group_size=4)
    datasets.Dataset(whole.drop_columns(["decimal", "kind"])).to_parquet(str(root / "datasets.parquet"))


def plain(value):
    if isinstance(value, bytes):
        return {"sha256": hashlib.sha256(value).hexdigest()}
    if isinstance(value, dict):
        return {key: plain(own) for key, own in value.items()}
    if isinstance(value, list):
        return [plain(own) for own in value]
    if isinstance(value, (datetime.datetime, datetime.date)):
        moment = value if isinstance(value, datetime.datetime) else datetime.datetime(value.year, value.month, value.day)
        return moment.isoformat(timespec="milliseconds") + "Z"
    return float(value) if isinstance(value, decimal.Decimal) else value


def rows(path):
    # Not the partitions that pyarrow finds in paths.
    read = pq.ParquetFile(path).read().to_pylist()
    frame = polars.read_parquet(path, columns=["caption", "small", "tags"] if "small" in read[0] else ["caption"]).to_dicts()
    assert frame == [{key: row[key] for key in frame[0]} for row in read], path
    return [plain(row) for row in read]


if len(sys.argv) < 3:
    make()
found = {path.name: rows(path) for path in sorted(root.glob("*.parquet"))}
versions = {module.__name__: module.__version__ for module in (datasets, polars, pa)}
(out / "parquet.json").write_text(json.dumps({"versions": versions, "files": found}, indent=1, allow_nan=False) + "\n")
