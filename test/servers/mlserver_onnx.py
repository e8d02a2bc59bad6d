"""An MLServer runtime that serves an ONNX file."""

import onnxruntime
from mlserver import MLModel
from mlserver.codecs import NumpyCodec
from mlserver.types import InferenceRequest, InferenceResponse, MetadataTensor

TYPES = {"tensor(int64)": "INT64", "tensor(float)": "FP32"}


def ports(found):
    return [
        MetadataTensor(name=one.name, datatype=TYPES[one.type], shape=[size if isinstance(size, int) else -1 for size in one.shape])
        for one in found
    ]


class Onnx(MLModel):
    async def load(self) -> bool:
        self.session = onnxruntime.InferenceSession(self.settings.parameters.uri)
        self.inputs = ports(self.session.get_inputs())
        self.outputs = ports(self.session.get_outputs())
        return True

    async def predict(self, payload: InferenceRequest) -> InferenceResponse:
        feeds = {one.name: NumpyCodec.decode_input(one) for one in payload.inputs}
        names = [one.name for one in self.session.get_outputs()]
        found = self.session.run(names, feeds)
        outputs = [NumpyCodec.encode_output(name, values) for name, values in zip(names, found)]
        return InferenceResponse(model_name=self.name, model_version=self.version, outputs=outputs)
