"""Runs both encoders in Python, on one thread, with the preprocessing in preprocessor_config.json."""

import numpy as np
import onnxruntime
from PIL import Image, ImageOps
from tokenizers import Tokenizer

from vision_tower import SIDE


def open_session(path, threads=1):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])


class TextTower:
    def __init__(self, graph, tokenizer, threads=1):
        self.session = open_session(graph, threads)
        self.tokenizer = Tokenizer.from_file(str(tokenizer))
        self.tokenizer.enable_truncation(256)

    def embed(self, texts, batch=32):
        rows = [encoding.ids for encoding in self.tokenizer.encode_batch(list(texts))]
        by_length = {}
        for at, row in enumerate(rows):
            by_length.setdefault(len(row), []).append(at)
        out = np.zeros((len(rows), 384), np.float32)
        for members in by_length.values():
            for start in range(0, len(members), batch):
                part = members[start : start + batch]
                ids = np.array([rows[at] for at in part], np.int64)
                feeds = {
                    "input_ids": ids,
                    "attention_mask": np.ones_like(ids),
                    "token_type_ids": np.zeros_like(ids),
                }
                out[part] = self.session.run(["text_embeds"], feeds)[0]
        return out


def pixels(path):
    with Image.open(path) as image:
        picture = ImageOps.exif_transpose(image).convert("RGB").resize((SIDE, SIDE), Image.Resampling.BICUBIC)
    values = (np.asarray(picture, np.float32) * np.float32(1 / 255) - np.float32(127 / 255)) / np.float32(128 / 255)
    return values.transpose(2, 0, 1)


class ImageTower:
    def __init__(self, graph, threads=1):
        self.session = open_session(graph, threads)

    def run(self, paths, outputs):
        made = [self.session.run(outputs, {"pixel_values": pixels(path)[None]}) for path in paths]
        return [np.concatenate(parts) for parts in zip(*made)]
