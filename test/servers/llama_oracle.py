"""P("Yes") by llama.cpp's own functions, without its server: python llama_oracle.py FOLDER REQUESTS.jsonl…

The requests are those of `captious requests`. Prints a JSON object that maps each question to its probability.
"""

import base64
import ctypes
import json
import os
import sys

import llama_cpp
import numpy
from llama_cpp import mtmd_cpp as mtmd

# The prompt of LLaVA 1.5, with Vicuna's system message.
SYSTEM = "A chat between a curious human and an artificial intelligence assistant. The assistant gives helpful, detailed, and polite answers to the human's questions."


def prompt_of(question):
    return f"{SYSTEM}USER: {mtmd.mtmd_default_marker().decode()}{question}ASSISTANT: ".encode()


class Model:
    def __init__(self, folder):
        self.llama = llama_cpp.Llama(os.path.join(folder, "model.gguf"), n_ctx=4096, n_threads=1, n_threads_batch=1, verbose=False)
        params = mtmd.mtmd_context_params_default()
        params.print_timings = False
        params.n_threads = 1
        params.flash_attn_type = llama_cpp.LLAMA_FLASH_ATTN_TYPE_DISABLED
        self.vision = mtmd.mtmd_init_from_file(os.path.join(folder, "mmproj.gguf").encode(), self.llama.model, params)
        self.yes = [token for token in range(self.llama.n_vocab()) if self.piece(token).strip() == b"Yes"]
        assert len(self.yes) == 2, "with and without a space before it"

    def piece(self, token):
        return self.llama.detokenize([token], prev_tokens=[])

    def probability(self, question, image):
        buffer = (ctypes.c_uint8 * len(image)).from_buffer_copy(image)
        bitmap = mtmd.mtmd_helper_bitmap_init_from_buf(self.vision, buffer, len(image), False)
        chunks = mtmd.mtmd_input_chunks_init()
        said = mtmd.mtmd_input_text()
        said.text = prompt_of(question)
        said.text_len = len(prompt_of(question))
        said.add_special = said.parse_special = True
        bitmaps = (mtmd.mtmd_bitmap_p_ctypes * 1)(bitmap)
        assert mtmd.mtmd_tokenize(self.vision, chunks, ctypes.byref(said), bitmaps, 1) == 0
        context = self.llama.ctx
        llama_cpp.llama_memory_clear(llama_cpp.llama_get_memory(context), True)
        past = llama_cpp.llama_pos(0)
        assert mtmd.mtmd_helper_eval_chunks(self.vision, context, chunks, 0, 0, 512, True, ctypes.byref(past)) == 0
        logits = llama_cpp.llama_get_logits_ith(context, -1)
        scores = numpy.ctypeslib.as_array(logits, (self.llama.n_vocab(),)).astype(numpy.float64)
        mtmd.mtmd_input_chunks_free(chunks)
        mtmd.mtmd_bitmap_free(bitmap)
        odds = numpy.exp(scores - scores.max())
        return float(odds[self.yes].sum() / odds.sum())


if __name__ == "__main__":
    model = Model(sys.argv[1])
    found = {}
    for file in sys.argv[2:]:
        for line in open(file, encoding="utf-8"):
            parts = {part["type"]: part for part in json.loads(line)["body"]["messages"][-1]["content"]}
            image = base64.b64decode(parts["image_url"]["image_url"]["url"].split(",", 1)[1])
            value = model.probability(parts["text"]["text"], image)
            # The result has one value per question, so equal questions must have equal values.
            assert found.setdefault(parts["text"]["text"], value) == value
    json.dump(found, sys.stdout)
