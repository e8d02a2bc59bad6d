"""NVIDIA's Triton, from the package PyTriton, with ONNX files: python triton_onnx.py PORT GRPC METRICS NAME=FILE…"""

import sys

import numpy
import onnxruntime
from pytriton.decorators import batch
from pytriton.model_config import ModelConfig, Tensor
from pytriton.triton import Triton, TritonConfig

TYPES = {"tensor(int64)": numpy.int64, "tensor(float)": numpy.float32}


def ports(found):
    """Describes inputs or outputs without their first axis, the batch."""
    return [
        Tensor(name=one.name, dtype=TYPES[one.type], shape=[size if isinstance(size, int) else -1 for size in one.shape[1:]])
        for one in found
    ]


def bind(triton, name, file):
    session = onnxruntime.InferenceSession(file)
    names = [one.name for one in session.get_outputs()]

    @batch
    def infer(**inputs):
        return dict(zip(names, session.run(names, inputs)))

    triton.bind(
        model_name=name,
        infer_func=infer,
        inputs=ports(session.get_inputs()),
        outputs=ports(session.get_outputs()),
        config=ModelConfig(max_batch_size=64),
    )


if __name__ == "__main__":
    port, grpc, metrics = map(int, sys.argv[1:4])
    config = TritonConfig(http_address="127.0.0.1", http_port=port, grpc_address="127.0.0.1", grpc_port=grpc, metrics_port=metrics)
    with Triton(config=config) as triton:
        for said in sys.argv[4:]:
            bind(triton, *said.split("=", 1))
        triton.serve()
