"""The adapter sentence-transformers:./folder, for texts, and for images if the model is one of the library's CLIP models."""

import os

from captious.adapters.torch_common import config_files, device_of, fingerprint, is_folder


class Evaluator:
    images = "pil"

    def __init__(self, model, device=None, **options):
        from sentence_transformers import SentenceTransformer

        self._folder = model
        self._local = is_folder(model)
        local = {"local_files_only": True} if self._local else {}
        self.model = SentenceTransformer(model, device=str(device_of(device)), **local, **options)
        self.model.eval()
        if type(self.model[0]).__name__ == "CLIPModel":
            self.embed_images = self._encode

    def _encode(self, items):
        return self.model.encode(list(items), batch_size=len(items), convert_to_tensor=True, show_progress_bar=False)

    def embed_texts(self, texts):
        return self._encode(texts)

    def truncated(self, texts):
        longest = self.model.max_seq_length
        if longest is None:
            return [False] * len(texts)
        return [len(ids) > longest for ids in self.model.tokenizer(list(texts), truncation=False)["input_ids"]]

    def info(self):
        said = {
            "name": os.path.basename(self._folder.rstrip("/\\")) if self._local else self._folder,
            "device": str(self.model.device),
            "weights": config_files(self._folder) if self._local else [],
        }
        if not self._local:
            said["fingerprint"] = fingerprint(self.model)
        return said
