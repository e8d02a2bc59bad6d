"""The adapter likelihood:./folder: mean log P(caption | image) of a local vision-language model."""

import os

from captious.adapters.vision_language import VisionLanguage

#: The instruction before the caption, as in the kind "likelihood" of evaluator files.
INSTRUCTION = "Describe the image."


class Evaluator(VisionLanguage):
    def __init__(self, model, device=None, dtype=None, instruction=INSTRUCTION, batch=4):
        super().__init__(model, device, dtype, batch)
        self._instruction = instruction

    def score(self, images, texts):
        prompt = self.prompt(self._instruction)
        captions = [text.strip() for text in texts]
        # The number of tokens of an image depends on its size, so each image has its own prefix.
        before = self.processor(images=[[image] for image in images], text=[prompt] * len(images))["input_ids"]
        # A chat template ends where the answer starts. After the plain prompt, the caption needs a space before it.
        gap = "" if self.has_template else " "
        inputs = self.inputs(images, [prompt + gap + caption for caption in captions])
        with self.torch.inference_mode():
            logits = self.model(**inputs).logits.float()
        scores = []
        for row, ids, mask, prefix in zip(logits, inputs["input_ids"], inputs["attention_mask"], before):
            own = ids[mask.bool()]
            start, end = shared(list(prefix), own.tolist()), len(own)
            # Some tokenizers end every text with a special token. It is not part of the caption, so it is not scored.
            if end > start and prefix[-1] == own[-1] and int(own[-1]) in self.processor.tokenizer.all_special_ids:
                end -= 1
            if start == end:
                scores.append(float("nan"))
                continue
            found = row[mask.bool()][start - 1 : end - 1].log_softmax(dim=-1)
            scores.append(found.gather(1, own[start:end, None]).mean().item())
        return scores

    def info(self):
        return {
            "name": "likelihood ({})".format(os.path.basename(self.folder.rstrip("/\\"))),
            "batch": self.batch,
            "notes": ['The mean log-probability of the caption\'s tokens after: {}'.format(self._instruction)],
            **self.origin(),
        }


def shared(one, other):
    """The number of tokens that both lists share at their start. The prompt's last token may merge with the caption."""
    count = 0
    while count < min(len(one), len(other)) and one[count] == other[count]:
        count += 1
    return count
