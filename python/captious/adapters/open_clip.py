"""The adapter open_clip:MODEL?pretrained=./weights.pt, with the library's own tokenizer and preprocessing."""

import os

from captious.adapters.open_clip_text import TextTower
from captious.adapters.torch_common import device_of, fingerprint, is_folder
from captious.guard import loaded_scripts

#: Keys that occur only in OpenAI's own checkpoints.
OPENAI_KEYS = frozenset(("input_resolution", "context_length", "vocab_size"))


class Evaluator:
    images = "pil"

    def __init__(self, model, pretrained=None, device=None, precision="fp32", prefix="", **options):
        import open_clip
        import torch

        self._torch = torch
        self._device = device_of(device)
        local = is_folder(model)
        name = "local-dir:" + model if local else model
        self._files = [model] if local else []
        if pretrained is not None and os.path.isfile(str(pretrained)):
            self._files.append(str(pretrained))
        elif not pretrained and not local and not name.startswith("hf-hub:"):
            raise ValueError(
                "The weights are missing. Use open_clip:{0}?pretrained=./weights.pt for a file, or open_clip:{0}?pretrained=TAG. Tags: {1}.".format(
                    model, ", ".join(open_clip.list_pretrained_tags_by_model(model)) or "(no published weights)"
                )
            )
        self.model, _, self._preprocess = open_clip.create_model_and_transforms(
            name, pretrained=pretrained, precision=precision, device=self._device, **options
        )
        self.model.eval()
        self._dtype = next(self.model.parameters()).dtype
        self._tokenize = open_clip.get_tokenizer(name)
        self._text = TextTower(self.model)
        self._cuts = self._cut_is_exact()
        self._prefix = prefix
        self._title = os.path.basename(model.rstrip("/")) if local else model
        self._pretrained = pretrained

    def embed_images(self, images):
        pixels = self._torch.stack([self._preprocess(image) for image in images])
        with self._torch.inference_mode():
            return self.model.encode_image(pixels.to(self._device, self._dtype))

    def embed_texts(self, texts):
        with self._torch.inference_mode():
            ids = self._tokenize(texts)
            if self._cuts:
                return self._text.encode(self._text.cut(ids).to(self._device))
            return self.model.encode_text(ids.to(self._device))

    def _cut_is_exact(self):
        """Whether cut batches give the same embeddings as the library's own encoding, apart from rounding."""
        if not self._text.is_free:
            return False
        with self._torch.inference_mode():
            ids = self._tokenize(["a dog", "two small dogs and a red ball lie on the green grass"]).to(self._device)
            whole, cut = self.model.encode_text(ids).float(), self._text.encode(self._text.cut(ids)).float()
        exact = 1e-5 if self._dtype == self._torch.float32 else 2e-2
        return bool(((whole - cut).norm(dim=1) <= exact * whole.norm(dim=1)).all())

    def truncated(self, texts):
        return [self._length(text) > self._longest() for text in texts]

    def _longest(self):
        return getattr(self._tokenize, "context_length", None) or self.model.context_length

    def _length(self, text):
        inner = getattr(self._tokenize, "tokenizer", None)
        if inner is not None:
            clean = getattr(self._tokenize, "clean_fn", None)
            return len(inner(clean(text) if clean else text, truncation=False)["input_ids"])
        return len(self._tokenize.encode(text)) + 2

    def info(self):
        said = {
            "name": self._title if self._pretrained is None else "{} ({})".format(self._title, os.path.basename(str(self._pretrained))),
            "prefix": self._prefix,
            "device": str(self._device),
            "notes": self._notes(),
        }
        bias, factor = getattr(self.model, "logit_bias", None), getattr(self.model, "logit_scale", None)
        if bias is not None and factor is not None:
            said["scale"] = {"sigmoid": [float(factor.detach().exp()), float(bias.detach())]}
        if self._files:
            said["weights"] = self._files
        else:
            said["weights"] = []
            said["fingerprint"] = fingerprint(self.model)
        return said

    def _notes(self):
        quick = any(type(module).__name__ == "QuickGELU" for module in self.model.modules())
        activation = "QuickGELU" if quick else "GELU"
        notes = ["open_clip's own preprocessing and tokenizer ran; the activation is {}.".format(activation)]
        if self._cuts:
            notes.append("Each batch of texts ends at its last end token: in a causal text tower, later tokens have no effect.")
        if not quick and self._from_openai():
            notes.append(
                "Trap: OpenAI's weights were trained with QuickGELU, and {0} computes with GELU. "
                "Name {0}-quickgelu, or add force_quick_gelu=true.".format(self._title)
            )
        if not any(type(step).__name__ == "Normalize" for step in getattr(self._preprocess, "transforms", [])):
            notes.append("Trap: the preprocessing does not normalise pixels by mean and standard deviation.")
        return notes

    def _from_openai(self):
        if self._pretrained == "openai":
            return True
        if not (self._files and str(self._files[-1]).endswith((".pt", ".pth"))):
            return False
        path = str(self._files[-1])
        # OpenAI's checkpoints are TorchScript archives.
        if os.path.abspath(path) in loaded_scripts:
            return True
        try:
            held = self._torch.load(path, map_location="cpu", weights_only=True, mmap=True)
        except Exception:
            return False
        held = held.get("state_dict", held) if isinstance(held, dict) else {}
        return OPENAI_KEYS <= set(held)
