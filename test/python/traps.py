"""Models with the mistakes that adapters report: python traps.py OUT FIXTURES."""

import json
import shutil
import sys
from pathlib import Path

import open_clip
import torch
import transformers

OUT, FIXTURES = Path(sys.argv[1]), Path(sys.argv[2])
SMALL = {"hidden_size": 64, "intermediate_size": 128, "num_hidden_layers": 2, "num_attention_heads": 4}


class Part(torch.nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x


def script():
    """A TorchScript archive in OpenAI's published form, which contains further numbers besides the weights."""
    torch.manual_seed(1)
    whole = Part()
    held = open_clip.create_model("ViT-S-32-alt").state_dict()
    numbers = {"input_resolution": 224, "context_length": 77, "vocab_size": 49408}
    for name, tensor in {**held, **{key: torch.tensor(value) for key, value in numbers.items()}}.items():
        *path, last = name.split(".")
        part = whole
        for key in path:
            if key not in part._modules:
                part.add_module(key, Part())
            part = part._modules[key]
        part.register_buffer(last, tensor)
    torch.jit.script(whole).save(str(OUT / "script.pt"))


def clip(name, **processing):
    torch.manual_seed(2)
    folder = OUT / name
    folder.mkdir()
    for file in ("tokenizer.json", "tokenizer_config.json"):
        shutil.copy(FIXTURES / "clip" / file, folder)
    size = len(json.loads((folder / "tokenizer.json").read_text())["model"]["vocab"])
    config = transformers.CLIPConfig(
        text_config={**SMALL, "vocab_size": size + 64, "max_position_embeddings": 77},
        vision_config={**SMALL, "image_size": 64, "patch_size": 16},
        projection_dim=32,
    )
    transformers.CLIPModel(config).save_pretrained(folder)
    sizes = {"size": {"shortest_edge": 64}, "crop_size": {"height": 64, "width": 64}}
    transformers.CLIPImageProcessor(**sizes, **processing).save_pretrained(folder)


script()
clip("whole")
clip("unnormalised", do_normalize=False)
