"""The adapter vqascore:./folder: P("Yes") of a local vision-language model asked whether the image shows the caption."""

import os

from captious.adapters.vision_language import VisionLanguage

#: The question and answer of VQAScore (Lin et al., 2024).
QUESTION = 'Does this figure show "{}"? Please answer yes or no.'
ANSWER = "Yes"


def tokens_reading(tokenizer, answer):
    """The tokens whose text is the answer, with or without a space, as an endpoint's answers are counted."""
    found = [token for token in range(len(tokenizer)) if tokenizer.decode([token]).strip() == answer]
    if not found:
        raise ValueError('the tokenizer has no token for the answer "{}"; choose a shorter word'.format(answer))
    return found


class Evaluator(VisionLanguage):
    def __init__(self, model, device=None, dtype=None, question=QUESTION, answer=ANSWER, batch=4):
        super().__init__(model, device, dtype, batch)
        self._question = question
        self._answer = answer
        self._targets = tokens_reading(self.processor.tokenizer, answer)

    def score(self, images, texts):
        inputs = self.inputs(images, [self.prompt(self._question.format(text)) for text in texts])
        with self.torch.inference_mode():
            logits = self.model(**inputs).logits[:, -1].float()
        return logits.softmax(dim=-1)[:, self._targets].sum(dim=-1)

    def info(self):
        return {
            "name": "VQAScore ({})".format(os.path.basename(self.folder.rstrip("/\\"))),
            "range": [0, 1],
            "batch": self.batch,
            "notes": ['P("{}") as the first token of the answer to: {}'.format(self._answer, self._question.format("caption"))],
            **self.origin(),
        }
