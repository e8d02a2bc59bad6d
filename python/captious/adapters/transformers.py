"""The adapter transformers:./folder, for dual encoders such as CLIP and SigLIP, and for image-text matching by BLIP and ViLT."""

import inspect
import os

from captious.adapters.torch_common import config_files, device_of, dtype_of, fingerprint, is_folder, rows

#: Models that score a pair, by the class name in config.json.
HEADS = ("BlipForImageTextRetrieval", "ViltForImageAndTextRetrieval")


class Evaluator:
    images = "pil"

    def __init__(self, model, device=None, dtype=None, processor=None, prefix="", **options):
        import torch
        import transformers

        self._torch = torch
        self._device = device_of(device)
        self._folder = model
        self._local = is_folder(model)
        local = {"local_files_only": True} if self._local else {}
        config = transformers.AutoConfig.from_pretrained(model, **local)
        kind = (config.architectures or [""])[0]
        load = getattr(transformers, kind) if kind in HEADS else transformers.AutoModel
        self.model = load.from_pretrained(model, dtype=dtype_of(dtype) or torch.float32, **local, **options)
        self.model.to(self._device).eval()
        self._config = self.model.config
        self._prefix = prefix
        self._tokenizer = transformers.AutoTokenizer.from_pretrained(model, **local)
        backend = {"backend": processor} if processor else {}
        try:
            self._images = transformers.AutoImageProcessor.from_pretrained(model, **local, **backend)
        except (OSError, ValueError):
            self._images = None
        self._accepted = set(inspect.signature(self.model.forward).parameters)
        self._offer(kind)

    def _offer(self, kind):
        """Adds the methods that this model supports: scores of pairs, or embeddings of texts and images."""
        if kind in HEADS:
            self.score = self._score
            return
        if hasattr(self.model, "get_text_features"):
            self.embed_texts = self._text_features
        if hasattr(self.model, "get_image_features") and self._images is not None:
            self.embed_images = self._image_features
        if not hasattr(self.model, "get_text_features"):
            raise ValueError(
                "{} has neither towers (get_text_features, get_image_features) nor a known head ({}). "
                "Write an evaluator of your own: docs/python.md.".format(type(self.model).__name__, ", ".join(HEADS))
            )

    def _longest(self):
        text = getattr(self._config, "text_config", self._config)
        known = getattr(text, "max_position_embeddings", None)
        return min(known or 512, self._tokenizer.model_max_length)

    def _tokens(self, texts):
        # SigLIP attends to its padding, so every text is padded to the full length.
        padding = "max_length" if self._config.model_type.startswith("siglip") else True
        found = self._tokenizer(texts, padding=padding, truncation=True, max_length=self._longest(), return_tensors="pt")
        return {key: value.to(self._device) for key, value in found.items() if key in self._accepted}

    def _pixels(self, images):
        found = self._images(images=images, return_tensors="pt")
        return {
            key: value.to(self._device, self.model.dtype) if value.is_floating_point() else value.to(self._device)
            for key, value in found.items()
            if hasattr(value, "is_floating_point")
        }

    def _text_features(self, texts):
        with self._torch.inference_mode():
            return rows(self.model.get_text_features(**self._tokens(texts)))

    def _image_features(self, images):
        with self._torch.inference_mode():
            return rows(self.model.get_image_features(**self._pixels(images)))

    def _score(self, images, texts):
        with self._torch.inference_mode():
            output = self.model(**self._tokens(texts), **self._pixels(images))
        head = output.itm_score if hasattr(output, "itm_score") else output.logits
        head = head.float()
        return head[:, 0].sigmoid() if head.shape[1] == 1 else head.softmax(dim=1)[:, 1]

    def truncated(self, texts):
        lengths = [len(ids) for ids in self._tokenizer(texts, truncation=False)["input_ids"]]
        return [length > self._longest() for length in lengths]

    def info(self):
        said = {
            "name": os.path.basename(self._folder.rstrip("/\\")) if self._local else self._folder,
            "prefix": self._prefix,
            "device": str(self._device),
            "weights": config_files(self._folder) if self._local else [],
            "notes": self._notes(),
        }
        if not self._local:
            said["fingerprint"] = fingerprint(self.model)
        bias, factor = getattr(self.model, "logit_bias", None), getattr(self.model, "logit_scale", None)
        if bias is not None and factor is not None:
            said["scale"] = {"sigmoid": [float(factor.detach().exp()), float(bias.detach())]}
        if hasattr(self, "score"):
            said["range"] = [0, 1]
        return said

    def backend(self):
        """The library that resizes images."""
        if self._images is None:
            return None
        return getattr(self._images, "backend", None) or ("torchvision" if type(self._images).__name__.endswith("Fast") else "pil")

    def _notes(self):
        notes = []
        if self._config.model_type.startswith("siglip") and "attention_mask" in self._tokens(["a"]):
            notes.append(
                "Trap: this tokenizer masks the padding of texts, and SigLIP was trained without a mask. "
                'Its own tokenizers have "model_input_names": ["input_ids"] in tokenizer_config.json.'
            )
        if self._images is not None:
            name, backend = type(self._images).__name__, self.backend()
            notes.append("The image processor is transformers' {}, which resizes with {}.".format(name, backend))
            if backend == "torchvision":
                notes.append(
                    "Trap: torchvision resizes images otherwise than Pillow, with which most models were trained: scores differ "
                    "by up to 0.002. ?processor=pil follows Pillow."
                )
            if getattr(self._images, "do_normalize", True) is False:
                notes.append("Trap: the image processor does not normalise pixels by mean and standard deviation.")
        return notes
