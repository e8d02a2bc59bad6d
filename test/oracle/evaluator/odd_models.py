"""Faulty models, for tests of error handling.

    python test/oracle/evaluator/odd_models.py

writes test/fixtures/models/odd-*: a table of invalid embeddings, an endless loop, an output of an unexpected
rank, a product that is rounded differently for single rows, an image encoder that returns NaN for black, and a
dynamically quantised graph.
"""

import json
import shutil
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto as T
from onnx import helper as h
from onnx import numpy_helper as n
from onnxruntime.quantization import QuantType, quantize_dynamic
from tokenizers import Tokenizer, models, pre_tokenizers

MODELS = Path(__file__).parent.parent.parent / "fixtures" / "models"
VOCABULARY = ["[UNK]", "one", "two", "three", "nan", "infinite", "zero"]
TABLE = np.array(
    [[1, 2, 3, 4], [1, 0, 0, 0], [0, 2, 0, 0], [0, 0, -3, 0], [np.nan, 0, 0, 0], [np.inf, 0, 0, 0], [0, 0, 0, 0]],
    np.float32,
)
OPSET = [h.make_opsetid("", 17)]


def folder(name, graph, vocabulary=VOCABULARY):
    path = MODELS / name
    shutil.rmtree(path, ignore_errors=True)
    (path / "onnx").mkdir(parents=True)
    t = Tokenizer(models.WordLevel({w: i for i, w in enumerate(vocabulary)}, unk_token="[UNK]"))
    t.pre_tokenizer = pre_tokenizers.Whitespace()
    if name == "odd-table":
        t.save(str(path / "tokenizer.json"))
    else:
        part = {"like": "odd-table"} | ({} if vocabulary is VOCABULARY else {"model": {"vocab": t.get_vocab()}})
        (path / "tokenizer.like.json").write_text(json.dumps(part) + "\n")
    (path / "tokenizer_config.json").write_text(json.dumps({"model_max_length": 16}) + "\n")
    (path / "config.json").write_text(json.dumps({"model_type": "odd", "hidden_size": 4}) + "\n")
    model = h.make_model(graph, opset_imports=OPSET, ir_version=9)
    onnx.checker.check_model(model)
    onnx.save(model, str(path / "onnx" / "model.onnx"))
    return path


def ids():
    return h.make_tensor_value_info("input_ids", T.INT64, ["b", "n"])


def rows():
    return h.make_tensor_value_info("last_hidden_state", T.FLOAT, ["b", "n", 4])


def table():
    return n.from_array(TABLE, "table")


def main():
    look_up = h.make_node("Gather", ["table", "input_ids"], ["last_hidden_state"])
    folder("odd-table", h.make_graph([look_up], "g", [ids()], [rows()], [table()]))

    # 2^62 iterations of work that an optimiser cannot remove.
    body = h.make_graph(
        [h.make_node("Identity", ["go"], ["go_on"]), h.make_node("Sin", ["x"], ["y"])],
        "body",
        [
            h.make_tensor_value_info("turn", T.INT64, []),
            h.make_tensor_value_info("go", T.BOOL, []),
            h.make_tensor_value_info("x", T.FLOAT, None),
        ],
        [h.make_tensor_value_info("go_on", T.BOOL, []), h.make_tensor_value_info("y", T.FLOAT, None)],
    )
    loop = [
        h.make_node("Gather", ["table", "input_ids"], ["start"]),
        h.make_node("Loop", ["turns", "yes", "start"], ["last_hidden_state"], body=body),
    ]
    constants = [table(), n.from_array(np.array(2**62, np.int64), "turns"), n.from_array(np.array(True), "yes")]
    folder("odd-endless", h.make_graph(loop, "g", [ids()], [rows()], constants))

    # The output has two axes, although the graph declares three. Their number is computed, so it is unknown before
    # the run.
    flat = [
        h.make_node("Gather", ["column", "input_ids"], ["x"]),
        h.make_node("Shape", ["x"], ["full"]),
        h.make_node("Mul", ["input_ids", "nought"], ["noughts"]),
        h.make_node("ReduceSum", ["noughts"], ["sum"], keepdims=0),
        h.make_node("Add", ["sum", "two"], ["end"]),
        h.make_node("Slice", ["full", "nought", "end"], ["short"]),
        h.make_node("Reshape", ["x", "short"], ["last_hidden_state"]),
    ]
    constants = [
        n.from_array(TABLE[:, :1], "column"),
        n.from_array(np.array([0], np.int64), "nought"),
        n.from_array(np.array([2], np.int64), "two"),
    ]
    folder("odd-rank", h.make_graph(flat, "g", [ids()], [rows()], constants))

    alone()
    dual()
    quantised()


def alone():
    """A model that ends in a product with computed weights, which the runtime rounds differently for a single row."""
    words = ["[UNK]", "a", "cat", "dog", "red", "bus", "sky", "man"]
    random = np.random.default_rng(0)
    nodes = [
        h.make_node("Gather", ["words", "input_ids"], ["x"]),
        h.make_node("ReduceMean", ["x"], ["mean"], axes=[1], keepdims=0),
        h.make_node("Mul", ["input_ids", "nought"], ["noughts"]),
        h.make_node("ReduceSum", ["noughts"], ["sum"], keepdims=0),
        h.make_node("Cast", ["sum"], ["zero"], to=T.FLOAT),
        h.make_node("Add", ["weights", "zero"], ["computed"]),
        h.make_node("MatMul", ["mean", "computed"], ["sentence_embedding"]),
    ]
    constants = [
        n.from_array(random.standard_normal((len(words), 64)).astype(np.float32), "words"),
        n.from_array(random.standard_normal((64, 32)).astype(np.float32), "weights"),
        n.from_array(np.array([0], np.int64), "nought"),
    ]
    output = h.make_tensor_value_info("sentence_embedding", T.FLOAT, ["b", 32])
    folder("odd-alone", h.make_graph(nodes, "g", [ids()], [output], constants), words)


def dual():
    """Embeds texts and images in four numbers. A black image becomes 0 / 0."""
    pixels = h.make_tensor_value_info("pixel_values", T.FLOAT, ["p", 3, 8, 8])
    nodes = [
        h.make_node("Gather", ["table", "input_ids"], ["x"]),
        h.make_node("ReduceMean", ["x"], ["text_embeds"], axes=[1], keepdims=0),
        h.make_node("ReduceMean", ["pixel_values"], ["means"], axes=[2, 3], keepdims=0),
        h.make_node("ReduceSum", ["means", "last"], ["sum"], keepdims=1),
        h.make_node("Concat", ["means", "sum"], ["four"], axis=1),
        h.make_node("Div", ["four", "sum"], ["image_embeds"]),
    ]
    outputs = [
        h.make_tensor_value_info("text_embeds", T.FLOAT, ["b", 4]),
        h.make_tensor_value_info("image_embeds", T.FLOAT, ["p", 4]),
    ]
    last = n.from_array(np.array([1], np.int64), "last")
    path = folder("odd-dual", h.make_graph(nodes, "g", [ids(), pixels], outputs, [table(), last]))
    said = {
        "do_resize": True,
        "size": {"height": 8, "width": 8},
        "resample": 3,
        "do_rescale": True,
        "rescale_factor": 1 / 255,
        "do_normalize": False,
    }
    (path / "preprocessor_config.json").write_text(json.dumps(said, indent=1) + "\n")


def quantised():
    source = MODELS / "bert-cls"
    path = MODELS / "odd-int8"
    shutil.rmtree(path, ignore_errors=True)
    shutil.copytree(source, path)
    quantize_dynamic(str(source / "onnx" / "model.onnx"), str(path / "onnx" / "model_int8.onnx"), weight_type=QuantType.QInt8)
    (path / "onnx" / "model.onnx").unlink()
    (path / "tokenizer.json").unlink()
    (path / "tokenizer.like.json").write_text(json.dumps({"like": "bert-cls"}) + "\n")


if __name__ == "__main__":
    main()
