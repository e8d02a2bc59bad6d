"""Writes all-MiniLM-L6-v2 as a graph whose output is a centred unit embedding."""

import numpy as np
import onnx
from onnx import TensorProto, numpy_helper

from graph import Graph

LAYERS, HEADS, WIDTH = 6, 12, 384
HEAD_WIDTH = WIDTH // HEADS


def read_weights(path):
    """
    The export loses the names of matrices ("onnx::MatMul_787"), so they are recovered from the bias added to each
    product, which keeps its name.
    """
    graph = onnx.load(path).graph
    arrays = {tensor.name: numpy_helper.to_array(tensor) for tensor in graph.initializer}
    weights = {name: array for name, array in arrays.items() if not name.startswith("onnx::")}
    product_of = {node.output[0]: node.input[1] for node in graph.node if node.op_type == "MatMul"}
    for node in graph.node:
        if node.op_type != "Add":
            continue
        bias = next((name for name in node.input if name.endswith(".bias")), None)
        matrix = next((product_of[name] for name in node.input if name in product_of), None)
        if bias and matrix in arrays:
            weights[bias.replace(".bias", ".weight")] = arrays[matrix]
    return weights


def write_text_tower(weights, centre, path):
    g = Graph(
        "text_model",
        [
            (name, TensorProto.INT64, ["batch", "length"])
            for name in ("input_ids", "attention_mask", "token_type_ids")
        ],
    )

    def float32(value):
        return g.constant(value, np.float32)

    def int64(value):
        return g.constant(value, np.int64)

    def layer_norm(x, name):
        scale = g.weight(f"{name}.weight", weights[f"{name}.weight"])
        bias = g.weight(f"{name}.bias", weights[f"{name}.bias"])
        return g.node("LayerNormalization", x, scale, bias, axis=-1, epsilon=1e-12)

    def linear(x, name):
        matrix = g.weight(f"{name}.weight", weights[f"{name}.weight"])
        bias = g.weight(f"{name}.bias", weights[f"{name}.bias"])
        return g.node("Add", g.node("MatMul", x, matrix), bias)

    def unit(x):
        return g.node("Div", x, g.node("ReduceL2", x, int64([-1]), keepdims=1))

    # Half of the model is its vocabulary, stored as 8-bit rows with one scale per row. Only the rows in use are
    # converted to float32.
    words = weights["embeddings.word_embeddings.weight"].astype(np.float64)
    scales = np.abs(words).max(1) / 127
    table = g.exact("words.int8", np.rint(words / scales[:, None]).astype(np.int8))
    row_scales = g.exact("words.scales", scales.astype(np.float32)[:, None])
    x = g.node(
        "Mul",
        g.node("Cast", g.node("Gather", table, "input_ids"), to=TensorProto.FLOAT),
        g.node("Gather", row_scales, "input_ids"),
    )
    length = g.node("Shape", "input_ids", start=1, end=2)
    positions = g.node(
        "Slice",
        g.weight("positions", weights["embeddings.position_embeddings.weight"]),
        int64([0]),
        length,
        int64([0]),
    )
    kinds = g.weight("kinds", weights["embeddings.token_type_embeddings.weight"])
    x = g.node("Add", g.node("Add", x, g.node("Gather", kinds, "token_type_ids")), positions)
    x = layer_norm(x, "embeddings.LayerNorm")

    mask = g.node("Cast", "attention_mask", to=TensorProto.FLOAT)
    hidden = g.node("Mul", g.node("Sub", float32(1), mask), float32(-1e9))
    hidden = g.node("Unsqueeze", hidden, int64([1, 2]))

    for i in range(LAYERS):
        at = f"encoder.layer.{i}"

        def heads(name):
            split = g.node("Reshape", linear(x, f"{at}.attention.self.{name}"), int64([0, 0, HEADS, HEAD_WIDTH]))
            return g.node("Transpose", split, perm=[0, 2, 3, 1] if name == "key" else [0, 2, 1, 3])

        scores = g.node("MatMul", heads("query"), heads("key"))
        scores = g.node("Add", g.node("Mul", scores, float32(HEAD_WIDTH**-0.5)), hidden)
        mixed = g.node("MatMul", g.node("Softmax", scores, axis=-1), heads("value"))
        mixed = g.node("Reshape", g.node("Transpose", mixed, perm=[0, 2, 1, 3]), int64([0, 0, WIDTH]))
        x = g.node("Add", linear(mixed, f"{at}.attention.output.dense"), x)
        x = layer_norm(x, f"{at}.attention.output.LayerNorm")
        wide = g.node("Gelu", linear(x, f"{at}.intermediate.dense"))
        x = g.node("Add", linear(wide, f"{at}.output.dense"), x)
        x = layer_norm(x, f"{at}.output.LayerNorm")

    # The mean over tokens as a product of a row and a matrix per text, because a sum over an axis uses another order for
    # a batch with a single text.
    total = g.node("Squeeze", g.node("MatMul", g.node("Unsqueeze", mask, int64([1])), x), int64([1]))
    count = g.node("ReduceSum", mask, int64([1]), keepdims=1)
    sentence = unit(g.node("Div", total, count))
    centred = g.node("Sub", sentence, g.exact("centre", np.asarray(centre, np.float32)))
    g.node("Div", centred, g.node("ReduceL2", centred, int64([-1]), keepdims=1), name="text_embeds")
    g.finish(path, [("text_embeds", ["batch", WIDTH])], "all-MiniLM-L6-v2, mean pooled, centred")
