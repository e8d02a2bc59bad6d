"""Writes EfficientNet-Lite2 as a graph whose output lies in the text encoder's space (ConSE with a linear correction)."""

import numpy as np
from onnx import TensorProto

from graph import Graph

SIDE = 288
EPSILON = 1e-3
# Kernel, stride and repetitions of each stage. Widths follow from the weights.
STAGES = [(3, 1, 1), (3, 2, 3), (5, 2, 3), (3, 2, 4), (5, 1, 4), (5, 2, 5), (3, 1, 1)]


def fold(weights, convolution, norm):
    """Merges a convolution and the following batch normalisation into one convolution with a bias."""
    spread = np.sqrt(weights[f"{norm}.running_var"].astype(np.float64) + EPSILON)
    factor = weights[f"{norm}.weight"] / spread
    kernel = weights[f"{convolution}.weight"] * factor[:, None, None, None]
    return kernel, weights[f"{norm}.bias"] - weights[f"{norm}.running_mean"] * factor


def classifier(g, weights):
    """Adds the network; returns its pooled features, (batch, 1280, 1, 1)."""

    def convolve(x, convolution, norm, kernel=1, stride=1, groups=1, clip=True):
        matrix, bias = fold(weights, convolution, norm)
        # TensorFlow pads strided convolutions of even sides only at the end.
        before = (kernel - stride) // 2
        after = kernel - stride - before
        x = g.node(
            "Conv",
            x,
            g.weight(f"{convolution}.weight", matrix),
            g.weight(f"{convolution}.bias", bias),
            kernel_shape=[kernel, kernel],
            strides=[stride, stride],
            pads=[before, before, after, after],
            group=groups,
        )
        if not clip:
            return x
        return g.node("Clip", x, g.constant(0, np.float32), g.constant(6, np.float32))

    x = convolve("pixel_values", "_conv_stem", "_bn0", kernel=3, stride=2)
    block = 0
    for kernel, first_stride, repeats in STAGES:
        for turn in range(repeats):
            at = f"_blocks.{block}"
            stride = first_stride if turn == 0 else 1
            before = x
            if f"{at}._expand_conv.weight" in weights:
                x = convolve(x, f"{at}._expand_conv", f"{at}._bn0")
            width = weights[f"{at}._depthwise_conv.weight"].shape[0]
            x = convolve(x, f"{at}._depthwise_conv", f"{at}._bn1", kernel, stride, groups=width)
            x = convolve(x, f"{at}._project_conv", f"{at}._bn2", clip=False)
            if turn > 0:
                x = g.node("Add", x, before)
            block += 1
    assert f"_blocks.{block}._project_conv.weight" not in weights, "more blocks than stages say"
    x = convolve(x, "_conv_head", "_bn1")
    return g.node("GlobalAveragePool", x)


def dense(g, x, name, matrix, bias=None):
    """
    A linear layer as a convolution over one pixel, which ONNX Runtime computes image by image, so that unlike those of a
    matrix product, its sums do not depend on the batch size.
    """
    inputs = [x, g.weight(f"{name}.weight", matrix[:, :, None, None])]
    if bias is not None:
        inputs.append(g.exact(f"{name}.bias", np.asarray(bias, np.float32)))
    return g.node("Conv", *inputs, kernel_shape=[1, 1])


def unit(g, x):
    return g.node("Div", x, g.node("ReduceL2", x, g.constant([1], np.int64), keepdims=1))


def write_vision_tower(weights, temperature, classes, path, correction=None):
    """
    `classes`: 1,000 rows, the points of the classes in the text space. With a `correction` (matrix and bias on unit
    features), the output is `image_embeds`. Without it there are two outputs to fit the correction on: `features` and the
    uncorrected `image_embeds`.
    """
    g = Graph("vision_model", [("pixel_values", TensorProto.FLOAT, ["batch", 3, SIDE, SIDE])])
    pooled = classifier(g, weights)
    logits = dense(
        g, pooled, "classifier", weights["_fc.weight"].astype(np.float64) / temperature, weights["_fc.bias"] / temperature
    )
    chances = g.node("Softmax", logits, axis=1)
    point = unit(g, dense(g, chances, "classes", np.asarray(classes).T))
    features = unit(g, pooled)
    width = np.asarray(classes).shape[1]
    outputs = [("image_embeds", ["batch", width])]
    if correction is not None:
        matrix, bias = correction
        point = unit(g, g.node("Add", point, dense(g, features, "correction", matrix, bias)))
    else:
        g.node("Flatten", features, name="features")
        outputs.append(("features", ["batch", weights["_fc.weight"].shape[1]]))
    g.node("Flatten", point, name="image_embeds")
    g.finish(path, outputs, "EfficientNet-Lite2 on ImageNet, then its classes' place among sentences")
