"""Makes small Arrow files with PyPI's `datasets`, `pyarrow` and `polars`, and writes the values that pyarrow reads from them.

    python test/oracle/dataset/makeArrow.py [--check DIR]     writes arrow.json here, or into DIR; without --check, arrow/, too

Needs the packages datasets, polars, pyarrow and Pillow; without them it exits with 77, which means skipped.
"""

import datetime
import decimal
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
    import polars
    import pyarrow as pa
    from PIL import Image
    from pyarrow import feather, ipc
except ImportError:
    print("left out: the packages datasets, polars, pyarrow and Pillow are not installed")
    sys.exit(77)

here = Path(__file__).parent.resolve()
out = Path(sys.argv[2] if len(sys.argv) > 2 else here).resolve()
root = here / "arrow"


def png(number):
    image = Image.new("RGB", (2, 2), ((40 * number) % 256, (90 * number) % 256, 200))
    file = io.BytesIO()
    image.save(file, "PNG")
    return file.getvalue()


def saved():
    rows = {
        "image": [{"bytes": png(n), "path": f"{n}.png"} for n in range(7)],
        "caption": [[f"Square {n}.", f"A \u00e9 \U0001f600 number {n}."] for n in range(7)],
        "cocoid": [100 + n for n in range(7)],
    }
    features = datasets.Features(
        {"image": datasets.Image(), "caption": [datasets.Value("string")], "cocoid": datasets.Value("int64")}
    )
    made = datasets.Dataset.from_dict(rows, features=features)
    made.save_to_disk(root / "saved", num_shards=2)
    made.map(lambda row: {"cocoid": row["cocoid"] + 1}, cache_file_name=str(root / "saved/cache-0123456789abcdef.arrow"))
    datasets.DatasetDict({"train": made.select(range(4)), "test": made.select(range(4, 7))}).save_to_disk(root / "dict")


long = "A text that is too long for a view, and so lies elsewhere"


def types():
    """Every type, with missing values, in batches of three rows."""
    n = 8
    some = lambda values: [None if i % 4 == 3 else value for i, value in enumerate(values)]
    day = datetime.date(2026, 2, 27)
    at = datetime.datetime(2026, 2, 27, 12, 30, 15)
    dense = pa.UnionArray.from_dense(
        pa.array([i % 2 for i in range(n)], pa.int8()),
        pa.array([i // 2 for i in range(n)], pa.int32()),
        [pa.array(range(4), pa.int64()), pa.array(list("abcd"))],
    )
    runs = pa.RunEndEncodedArray.from_arrays(pa.array([3, n], pa.int32()), pa.array(["x", "y"]))
    columns = {
        "image": pa.array(some([{"bytes": png(i), "path": f"{i}.png"} for i in range(n)]), pa.struct([("bytes", pa.binary()), ("path", pa.string())])),
        "union": dense,
        "caption": pa.array([f"Caption {i}: {long[: 7 * i]}" for i in range(n)], pa.large_string()),
        "note": pa.array(some([f"{long[: 9 * i]}" for i in range(n)]), pa.string_view()),
        "blob": pa.array(some([png(i) if i % 3 else b"short" for i in range(n)]), pa.binary_view()),
        "big": pa.array(some([png(i) for i in range(n)]), pa.large_binary()),
        "runs": runs,
        "kind": pa.array(some(["dog", "cat", "dog", "x", "cat", "dog", "bird", "x"])).dictionary_encode(),
        "tags": pa.array(some([[f"t{j}" for j in range(i % 3)] for i in range(n)]), pa.list_(pa.string())),
        "many": pa.array(some([[i, None] for i in range(n)]), pa.large_list(pa.int16())),
        "view": pa.array(some([[i] * (i % 3) for i in range(n)]), pa.list_view(pa.int32())),
        "vector": pa.array(some([[i, i / 2, -i] for i in range(n)]), pa.list_(pa.float32(), 3)),
        "map": pa.array(some([[(f"k{i}", i)] for i in range(n)]), pa.map_(pa.string(), pa.uint8())),
        "loud": pa.array(some([i % 2 == 0 for i in range(n)])),
        "half": pa.array(some([0.0, 1.5, -2.25, 0, 65504.0, 6e-8, float("inf"), 0]), pa.float16()),
        "double": pa.array(some([i / 7 for i in range(n)])),
        "small": pa.array(some([-i for i in range(n)]), pa.int8()),
        "large": pa.array(some([2**63 + i for i in range(n)]), pa.uint64()),
        "decimal": pa.array(some([decimal.Decimal(i) / 4 - 1 for i in range(n)]), pa.decimal128(9, 2)),
        "day": pa.array(some([day + datetime.timedelta(days=i) for i in range(n)]), pa.date32()),
        "at": pa.array(some([at + datetime.timedelta(hours=i) for i in range(n)]), pa.timestamp("us")),
        "lasts": pa.array(some(range(n)), pa.duration("s")),
        "fixed": pa.array(some([bytes([i] * 3) for i in range(n)]), pa.binary(3)),
        "none": pa.nulls(n),
    }
    return pa.table(columns)


def write(name, table, make, rows=3, **options):
    with pa.OSFile(str(root / name), "wb") as sink, make(sink, table.schema, options=ipc.IpcWriteOptions(**options)) as writer:
        writer.write_table(table, max_chunksize=rows)


def dictionaries():
    """A stream whose dictionary grows, and one whose dictionary is replaced."""
    for name, deltas in (("growing.arrow", True), ("replaced.arrow", False)):
        kind = pa.dictionary(pa.int8(), pa.string())
        schema = pa.schema([("image", pa.string()), ("caption", pa.string()), ("kind", kind)])
        options = ipc.IpcWriteOptions(emit_dictionary_deltas=deltas)
        with pa.OSFile(str(root / name), "wb") as sink, ipc.new_stream(sink, schema, options=options) as writer:
            words = ["dog", "cat"]
            for i in range(3):
                if i > 0:
                    words = words + [f"new{i}"] if deltas else [f"new{i}", f"dog{i}"]
                own = pa.DictionaryArray.from_arrays(pa.array([0, len(words) - 1], pa.int8()), pa.array(words))
                writer.write_batch(pa.record_batch([[f"{i}.jpg"] * 2, [f"Caption {i}.", "Other."], own], schema=schema))


def make():
    shutil.rmtree(root, ignore_errors=True)
    root.mkdir()
    saved()
    write("stream.arrow", types(), ipc.new_stream)
    write("file.arrow", types(), ipc.new_file)
    write("legacy.arrow", types().drop_columns(["note", "blob", "view", "union", "runs"]), ipc.new_stream, use_legacy_format=True)
    dictionaries()
    plain = types().select(["image", "caption", "tags", "kind"])
    feather.write_feather(plain, root / "plain.feather", compression="uncompressed")
    feather.write_feather(plain, root / "packed.feather", compression="lz4")
    frame = polars.from_arrow(plain.drop_columns(["image"])).with_columns(polars.lit("1.jpg").alias("image"))
    frame.write_ipc(root / "polars.arrow")
    frame.write_ipc_stream(root / "polarsStream.arrow")


def plain(value):
    if isinstance(value, bytes):
        return {"sha256": hashlib.sha256(value).hexdigest()}
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, tuple):
        return dict(zip(("key", "value"), map(plain, value)))
    if isinstance(value, list):
        return [plain(item) for item in value]
    if isinstance(value, (datetime.datetime, datetime.date)):
        moment = value if isinstance(value, datetime.datetime) else datetime.datetime(value.year, value.month, value.day)
        return moment.isoformat(timespec="milliseconds") + "Z"
    if isinstance(value, datetime.timedelta):
        return int(value.total_seconds())
    if isinstance(value, decimal.Decimal):
        return float(value)
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) > 2**53:
        return str(value)
    if value == float("inf"):
        return "Infinity"
    return value


def rows(path):
    with pa.memory_map(str(path)) as source:
        start = source.read(6)
        source.seek(0)
        table = (ipc.open_file if start == b"ARROW1" else ipc.open_stream)(source).read_all()
    return [{name: plain(value) for name, value in row.items()} for row in table.to_pylist()]


if len(sys.argv) < 3:
    make()
files = sorted(path.relative_to(root).as_posix() for path in root.rglob("*") if path.suffix in (".arrow", ".feather"))
read = {name: rows(root / name) for name in files if "cache-" not in name}
(out / "arrow.json").write_text(json.dumps(read, indent=1, allow_nan=False) + "\n")
