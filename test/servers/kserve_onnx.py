"""KServe's server with ONNX files: python kserve_onnx.py PORT NAME=FILE…"""

import sys

import onnxruntime
from kserve import InferOutput, InferRequest, InferResponse, Model, ModelServer
from kserve.utils.utils import generate_uuid

TYPES = {"tensor(int64)": "INT64", "tensor(float)": "FP32"}


def ports(found):
    return [
        {"name": one.name, "datatype": TYPES[one.type], "shape": [size if isinstance(size, int) else -1 for size in one.shape]}
        for one in found
    ]


class Onnx(Model):
    def __init__(self, name, file):
        super().__init__(name)
        self.session = onnxruntime.InferenceSession(file)
        self.ready = True

    def get_input_types(self):
        return ports(self.session.get_inputs())

    def get_output_types(self):
        return ports(self.session.get_outputs())

    def predict(self, payload: InferRequest, headers=None, response_headers=None) -> InferResponse:
        names = [one.name for one in self.session.get_outputs()]
        found = self.session.run(names, {one.name: one.as_numpy() for one in payload.inputs})
        outputs = []
        for name, values in zip(names, found):
            output = InferOutput(name, list(values.shape), "FP32")
            output.set_data_from_numpy(values, binary_data=False)
            outputs.append(output)
        return InferResponse(response_id=generate_uuid(), model_name=self.name, infer_outputs=outputs)


if __name__ == "__main__":
    models = [Onnx(*said.split("=", 1)) for said in sys.argv[2:]]
    ModelServer(http_port=int(sys.argv[1]), enable_grpc=False, workers=1).start(models)
