"""What the adapters for local vision-language models share."""

from captious.adapters.torch_common import config_files, device_of, dtype_of, fingerprint, is_folder


class VisionLanguage:
    images = "pil"

    def __init__(self, model, device, dtype, batch):
        import torch
        import transformers

        self.torch = torch
        self.folder = model
        self.batch = batch
        self._device = device_of(device)
        self._local = is_folder(model)
        local = {"local_files_only": True} if self._local else {}
        self.model = transformers.AutoModelForImageTextToText.from_pretrained(model, dtype=dtype_of(dtype) or "auto", **local)
        self.model.to(self._device).eval()
        self.processor = transformers.AutoProcessor.from_pretrained(model, **local)
        self.processor.tokenizer.padding_side = "left"
        if not self.processor.tokenizer.pad_token:
            self.processor.tokenizer.pad_token = self.processor.tokenizer.eos_token
        self.has_template = bool(getattr(self.processor, "chat_template", None))

    def prompt(self, said):
        """The prompt up to the place where the answer begins."""
        content = [{"type": "image"}, {"type": "text", "text": said}]
        if self.has_template:
            return self.processor.apply_chat_template([{"role": "user", "content": content}], add_generation_prompt=True)
        image = getattr(self.processor, "image_token", None) or "<image>"
        return "USER: {}\n{} ASSISTANT:".format(image, said)

    def inputs(self, images, prompts):
        inputs = self.processor(images=[[image] for image in images], text=prompts, padding=True, return_tensors="pt")
        return {
            key: value.to(self._device, self.model.dtype) if value.is_floating_point() else value.to(self._device)
            for key, value in inputs.items()
        }

    def origin(self):
        said = {"device": str(self._device), "weights": config_files(self.folder) if self._local else []}
        if not self._local:
            said["fingerprint"] = fingerprint(self.model)
        return said
