"""The adapter vqascore:./folder: P("Yes") of a local vision-language model asked whether the image shows the caption."""

import os

from captious.adapters.torch_common import config_files, device_of, dtype_of, fingerprint, is_folder

#: The question and answer of VQAScore (Lin et al., 2024).
QUESTION = 'Does this figure show "{}"? Please answer yes or no.'
ANSWER = "Yes"


class Evaluator:
    images = "pil"

    def __init__(self, model, device=None, dtype=None, question=QUESTION, answer=ANSWER, batch=4):
        import torch
        import transformers

        self._torch = torch
        self._device = device_of(device)
        self._folder = model
        self._local = is_folder(model)
        local = {"local_files_only": True} if self._local else {}
        self.model = transformers.AutoModelForImageTextToText.from_pretrained(model, dtype=dtype_of(dtype) or "auto", **local)
        self.model.to(self._device).eval()
        self._processor = transformers.AutoProcessor.from_pretrained(model, **local)
        self._processor.tokenizer.padding_side = "left"
        if not self._processor.tokenizer.pad_token:
            self._processor.tokenizer.pad_token = self._processor.tokenizer.eos_token
        self._question = question
        self._answer = answer
        self._batch = batch
        self._target = self._processor.tokenizer(answer, add_special_tokens=False)["input_ids"][0]

    def _prompt(self, text):
        question = self._question.format(text)
        content = [{"type": "image"}, {"type": "text", "text": question}]
        if getattr(self._processor, "chat_template", None):
            return self._processor.apply_chat_template([{"role": "user", "content": content}], add_generation_prompt=True)
        image = getattr(self._processor, "image_token", None) or "<image>"
        return "USER: {}\n{} ASSISTANT:".format(image, question)

    def score(self, images, texts):
        prompts = [self._prompt(text) for text in texts]
        inputs = self._processor(images=[[image] for image in images], text=prompts, padding=True, return_tensors="pt")
        inputs = {
            key: value.to(self._device, self.model.dtype) if value.is_floating_point() else value.to(self._device)
            for key, value in inputs.items()
        }
        with self._torch.inference_mode():
            logits = self.model(**inputs).logits[:, -1].float()
        return logits.softmax(dim=-1)[:, self._target]

    def info(self):
        said = {
            "name": "VQAScore ({})".format(os.path.basename(self._folder.rstrip("/\\"))),
            "range": [0, 1],
            "batch": self._batch,
            "device": str(self._device),
            "weights": config_files(self._folder) if self._local else [],
            "notes": ['P("{}") as the first token of the answer to: {}'.format(self._answer, self._question.format("caption"))],
        }
        if not self._local:
            said["fingerprint"] = fingerprint(self.model)
        return said
