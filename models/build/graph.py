"""Writes ONNX graphs whose weights are stored in fewer bits and converted to float32 when a session loads."""

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

OPSET = 20
IR_VERSION = 9


class Graph:
    def __init__(self, name, inputs):
        self.name = name
        self.inputs = inputs
        self.nodes = []
        self.initializers = []
        self.constants = {}

    def node(self, kind, *inputs, name=None, outputs=1, **attributes):
        """Adds a node; returns the name of its output, or a list of names for several."""
        name = name or f"{kind}_{len(self.nodes)}"
        made = [name] if outputs == 1 else [f"{name}.{i}" for i in range(outputs)]
        self.nodes.append(helper.make_node(kind, list(inputs), made, name=name, **attributes))
        return made[0] if outputs == 1 else made

    def exact(self, name, array):
        """A tensor stored without conversion."""
        self.initializers.append(numpy_helper.from_array(np.ascontiguousarray(array), name))
        return name

    def constant(self, value, dtype):
        """A small constant, stored once however often it is used."""
        array = np.asarray(value, dtype)
        key = (array.dtype.str, array.shape, array.tobytes())
        if key not in self.constants:
            self.constants[key] = self.exact(f"constant_{len(self.constants)}", array)
        return self.constants[key]

    def weight(self, name, array):
        """
        A weight stored as float16 and cast to float32. The cast depends on a constant only, so ONNX Runtime computes it
        once, when the session loads; the model itself computes in float32.
        """
        half = np.asarray(array, np.float16)
        assert np.isfinite(half).all(), f"{name} does not fit float16"
        return self.node("Cast", self.exact(f"{name}.f16", half), name=name, to=TensorProto.FLOAT)

    def finish(self, path, outputs, description):
        graph = helper.make_graph(
            self.nodes,
            self.name,
            [helper.make_tensor_value_info(n, t, s) for n, t, s in self.inputs],
            [helper.make_tensor_value_info(n, TensorProto.FLOAT, s) for n, s in outputs],
            self.initializers,
            doc_string=description,
        )
        model = helper.make_model(
            graph,
            opset_imports=[helper.make_opsetid("", OPSET)],
            ir_version=IR_VERSION,
            producer_name="captious",
        )
        onnx.checker.check_model(model, full_check=True)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(model.SerializeToString(deterministic=True))
