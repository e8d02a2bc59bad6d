"""The adapter torchmetrics:CLIPScore?model_name_or_path=./folder, with the metric's own model and arithmetic."""

from captious.adapters.torch_common import config_files, device_of, fingerprint, is_folder, rows

KNOWN = ("CLIPScore",)


def parts_of(folder):
    import transformers

    images = transformers.AutoImageProcessor.from_pretrained(folder, local_files_only=True)
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder, local_files_only=True)
    model = transformers.CLIPModel.from_pretrained(folder, local_files_only=True)
    # torchmetrics expects tensors, but transformers 5 wraps them in objects.
    for name in ("get_image_features", "get_text_features"):
        setattr(model, name, unwrapped(getattr(model, name)))
    return model, transformers.CLIPProcessor(images, tokenizer)


def unwrapped(method):
    return lambda *args, **kwargs: rows(method(*args, **kwargs))


class Evaluator:
    images = "array"

    def __init__(self, model, model_name_or_path=None, device=None):
        import torch
        import torchmetrics.multimodal.clip_score as clip_score

        if model not in KNOWN:
            raise ValueError("Captious cannot score single pairs with {}. Choose from: {}.".format(model, ", ".join(KNOWN)))
        self._torch = torch
        self._device = device_of(device)
        self._path = model_name_or_path
        given = {"model_name_or_path": model_name_or_path} if model_name_or_path else {}
        if model_name_or_path is not None and is_folder(model_name_or_path):
            # The metric accepts names on the hub, or a function that returns a model and a processor.
            given = {"model_name_or_path": lambda: parts_of(model_name_or_path)}
        self.metric = clip_score.CLIPScore(**given).to(self._device)
        self.metric.eval()
        self._update = clip_score._clip_score_update

    def score(self, images, texts):
        pixels = [self._torch.from_numpy(image).permute(2, 0, 1).to(self._device) for image in images]
        with self._torch.inference_mode():
            scores, _ = self._update(pixels, list(texts), self.metric.model, self.metric.processor)
        return scores.clamp(min=0)

    def info(self):
        local = self._path is not None and is_folder(self._path)
        said = {
            "name": "torchmetrics CLIPScore",
            "range": [0, 100],
            "device": str(self._device),
            "weights": config_files(self._path) if local else [],
            "notes": [
                "torchmetrics' CLIPScore: max(100 * cos, 0), without the prefix and the factor of 2.5 of the paper.",
                "Trap: torchmetrics gives images to transformers' processor as tensors, and cuts captions at the model's limit.",
            ],
        }
        if not local:
            said["fingerprint"] = fingerprint(self.metric.model)
        return said
