"""The external files of ONNX models, by onnx's own walker and by reflection over every message.

    python test/oracle/onnx/make.py [--check DIR]

writes external.json: random models, and the locations of their external tensors. The tensors are initializers,
sparse values, attributes, and parts of subgraphs, functions and training graphs. The bytes have fields in random
order, messages in several parts, and strings that a later value replaces; protobuf reads each as the same model.
Needs onnx (made with 1.23).
"""

import base64
import json
import random
import sys
from pathlib import Path

try:
    import onnx
    from onnx import external_data_helper as walker
except ImportError:
    sys.exit(77)

COUNT = 300
MESSAGE, STRING, BYTES = 11, 9, 12
NAMES = ["w.bin", "model.onnx_data", "part/b.bin", "größe.bin", "a b.bin", "c.data", "d", "e.weights"]


def tensor(t, r, name, external=None):
    t.name, t.data_type = name, onnx.TensorProto.FLOAT
    t.dims.append(r.randint(1, 4))
    if external is None:
        t.raw_data = bytes(r.randrange(256) for _ in range(4 * t.dims[0]))
        return
    t.data_location = onnx.TensorProto.EXTERNAL
    entries = [("location", external), ("offset", str(r.randrange(64))), ("length", "16")]
    r.shuffle(entries)
    for key, value in entries[: r.randint(1, 3)] if entries[0][0] == "location" else entries:
        t.external_data.add(key=key, value=value)


def one(r):
    return r.choice(NAMES) if r.random() < 0.3 else None


def fill(graph, r, depth=0):
    """Adds tensors and nodes to a graph or a function."""
    graph.name = f"g{depth}"
    if isinstance(graph, onnx.GraphProto):
        for i in range(r.randint(0, 2)):
            tensor(graph.initializer.add(), r, f"i{i}", one(r))
        if r.random() < 0.2:
            sparse = graph.sparse_initializer.add()
            tensor(sparse.values, r, "s", one(r))
            tensor(sparse.indices, r, "at", one(r))
            sparse.dims.append(4)
        if r.random() < 0.3:
            note = graph.quantization_annotation.add(tensor_name="i0")
            note.quant_parameter_tensor_names.add(key="location", value="no file")
        graph.output.add(name="y")
    for i in range(r.randint(1, 2)):
        node = graph.node.add(op_type=r.choice(["Constant", "If", "Loop", "Scan", "Custom"]), output=[f"n{i}"])
        for _ in range(r.randint(0, 2)):
            attribute(node.attribute.add(), r, depth)


def attribute(a, r, depth):
    A = onnx.AttributeProto
    a.name = "a"
    kind = r.choice(["t", "tensors", "sparse", "sparses", "g", "graphs", "s", "ints"])
    if depth > 2 and kind in ("g", "graphs"):
        kind = "t"
    if kind == "t":
        a.type = A.TENSOR
        tensor(a.t, r, "c", one(r))
    elif kind == "tensors":
        a.type = A.TENSORS
        for _ in range(2):
            tensor(a.tensors.add(), r, "c", one(r))
    elif kind == "sparse":
        a.type = A.SPARSE_TENSOR
        tensor(a.sparse_tensor.values, r, "c", one(r))
    elif kind == "sparses":
        a.type = A.SPARSE_TENSORS
        tensor(a.sparse_tensors.add().indices, r, "c", one(r))
    elif kind == "g":
        a.type = A.GRAPH
        fill(a.g, r, depth + 1)
    elif kind == "graphs":
        a.type = A.GRAPHS
        fill(a.graphs.add(), r, depth + 1)
    elif kind == "s":
        a.type, a.s = A.STRING, b"location"
    else:
        a.type = A.INTS
        a.ints.extend([13, 14])


def model(r):
    m = onnx.ModelProto(ir_version=10, producer_name="captious")
    m.opset_import.add(domain="", version=17)
    fill(m.graph, r)
    if r.random() < 0.3:
        f = m.functions.add(domain="own")
        fill(f, r)
        if r.random() < 0.5:
            attribute(f.attribute_proto.add(), r, 2)
    if r.random() < 0.15:
        training = m.training_info.add()
        fill(training.algorithm, r)
        fill(training.initialization, r)
    if r.random() < 0.3:
        m.metadata_props.add(key="location", value="no file either")
    return m


def varint(value, r):
    out = bytearray()
    while True:
        low, value = value & 127, value >> 7
        if value == 0:
            return bytes(out + bytes([low | 128, 0]) if r.random() < 0.05 else out + bytes([low]))
        out.append(low | 128)


def block(number, body, r):
    return varint(number * 8 + 2, r) + varint(len(body), r) + body


def pieces(message, r):
    """The fields of a message as (number, bytes), with the parts of split messages after each other."""
    out = []
    for field, value in message.ListFields():
        repeated = not isinstance(value, (str, bytes, int, float)) and not hasattr(value, "DESCRIPTOR")
        for each in value if repeated else [value]:
            if field.type == MESSAGE:
                inner = pieces(each, r)
                parts = [inner]
                if not repeated and r.random() < 0.5:
                    cuts = sorted(r.randint(0, len(inner)) for _ in range(r.randint(1, 2)))
                    parts = [inner[a:b] for a, b in zip([0, *cuts], [*cuts, len(inner)])]
                out += [(field.number, block(field.number, join(part, r), r)) for part in parts]
            elif field.type in (STRING, BYTES):
                if not repeated and r.random() < 0.1:
                    out.append((field.number, block(field.number, r.choice([b"location", b"other.bin"]), r)))
                body = each.encode() if isinstance(each, str) else each
                out.append((field.number, block(field.number, body, r)))
            else:
                out.append((field.number, varint(field.number * 8, r) + varint(each, r)))
    return out


def join(fields, r):
    """Shuffles fields, but keeps the order of those with one number."""
    numbers = [number for number, _ in fields]
    r.shuffle(numbers)
    waiting = {n: iter([b for m, b in fields if m == n]) for n in numbers}
    return b"".join(next(waiting[n]) for n in numbers)


def tensors(message):
    if isinstance(message, onnx.TensorProto):
        yield message
    for field, value in message.ListFields():
        if field.type == MESSAGE:
            for each in [value] if hasattr(value, "DESCRIPTOR") else value:
                yield from tensors(each)


def locations(found):
    return sorted({e.value for t in found if walker.uses_external_data(t) for e in t.external_data if e.key == "location"})


def made():
    out = []
    for seed in range(COUNT):
        r = random.Random(seed)
        m = model(r)
        data = join(pieces(m, r), r)
        read = onnx.ModelProto.FromString(data)
        assert read == m, seed
        out.append(
            {
                "bytes": base64.b64encode(data).decode(),
                "walker": locations(walker._get_all_tensors(read)),
                "external": locations(tensors(read)),
            }
        )
    return out


if __name__ == "__main__":
    to = Path(sys.argv[2]) if sys.argv[1:2] == ["--check"] else Path(__file__).parent
    result = {"versions": {"onnx": onnx.__version__}, "models": made()}
    (to / "external.json").write_text(json.dumps(result, ensure_ascii=False, indent=1) + "\n")
