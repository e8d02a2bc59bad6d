"""all-MiniLM-L6-v2 as an evaluator: PyTorch computes with the weights of the ONNX file that npm run test:papers downloads."""

import json
import os


class Evaluator:
    def __init__(self, folder):
        import onnx
        import torch
        import transformers
        from onnx import numpy_helper

        self._torch = torch
        self._folder = folder
        self.model = transformers.BertModel(
            transformers.BertConfig(**json.load(open(os.path.join(folder, "config.json")))), add_pooling_layer=False
        )
        graph = onnx.load(os.path.join(folder, "onnx", "model.onnx")).graph
        held = {one.name: numpy_helper.to_array(one) for one in graph.initializer}
        # The export does not name these weights, so their names come from the nodes that use them.
        for node in graph.node:
            if node.op_type == "MatMul" and node.input[1] in held and node.input[1] not in self.model.state_dict():
                name = node.name.strip("/").rsplit("/", 1)[0].replace("/", ".")
                held[name.replace("layer.layer", "layer") + ".weight"] = held[node.input[1]].T.copy()
        state = {}
        for name in self.model.state_dict():
            known = [key for key in (name, name.replace("LayerNorm.weight", "LayerNorm.gamma")) if key in held]
            if known:
                state[name] = torch.from_numpy(held[known[0]].copy())
        missing = [name for name in self.model.state_dict() if name not in state and "position_ids" not in name]
        if missing:
            raise ValueError("The file has no {}; it has {}".format(missing[:3], sorted(held)[:400:20]))
        self.model.load_state_dict(state, strict=False)
        self.model.eval()
        self._tokenizer = transformers.AutoTokenizer.from_pretrained(folder)

    def embed_texts(self, texts):
        tokens = self._tokenizer(texts, padding=True, truncation=True, max_length=512, return_tensors="pt")
        with self._torch.inference_mode():
            hidden = self.model(**tokens).last_hidden_state
        mask = tokens["attention_mask"].unsqueeze(-1)
        return (hidden * mask).sum(dim=1) / mask.sum(dim=1)

    def info(self):
        return {"name": "all-MiniLM-L6-v2 in PyTorch", "weights": [os.path.join(self._folder, "onnx", "model.onnx")]}
