"""Makes small PyTorch weight files. In a file with all tensors of a model, the tensors share a single stored number.

    python test/oracle/evaluator/checkpoints.py

writes test/fixtures/checkpoints.
"""

import logging
from pathlib import Path

import architectures  # noqa: F401, sets up torchvision
import open_clip
import torch
from safetensors.torch import save_file

OUT = Path(__file__).resolve().parents[2] / "fixtures" / "checkpoints"


def weights(name):
    with torch.device("meta"):
        state = open_clip.create_model(name, device="meta", pretrained_hf=False).state_dict()
    one = torch.zeros(())
    return {key: one.expand(tensor.shape) for key, tensor in state.items()}


class Tower(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = torch.nn.Conv2d(3, 4, 2)
        self.proj = torch.nn.Parameter(torch.zeros(5, 6))

    def forward(self, x):
        return self.conv1(x)


class Whole(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.visual = Tower()
        self.register_buffer("context_length", torch.tensor(77))

    def forward(self, x):
        return self.visual(x)


if __name__ == "__main__":
    logging.disable(logging.WARNING)
    OUT.mkdir(parents=True, exist_ok=True)
    torch.save(weights("ViT-B-32"), OUT / "plain.pt")
    wrapped = {"module." + key: tensor for key, tensor in weights("ViT-B-16-SigLIP").items()}
    torch.save({"epoch": 3, "name": "run", "state_dict": wrapped, "optimizer": {"lr": 1e-3, "steps": 2**40}}, OUT / "training.pt")
    tiny = {"visual.conv1.weight": torch.zeros(2, 3, 4, 4), "token_embedding.weight": torch.zeros(9, 2), "logit_scale": torch.zeros(())}
    torch.save(tiny, OUT / "unknown.pt")
    torch.save({"fc.weight": torch.zeros(3, 2)}, OUT / "other.pth")
    torch.save(tiny, OUT / "old.pt", _use_new_zipfile_serialization=False)
    save_file(tiny, str(OUT / "unknown.safetensors"))
    torch.jit.save(torch.jit.trace(Whole().eval(), torch.zeros(1, 3, 4, 4)), OUT / "script.pt")
