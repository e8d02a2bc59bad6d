"""Evaluators with known numbers, and the sample data. They need only Python's own library."""

import hashlib
import json
import os
import sys

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", "..", ".."))
SAMPLES = os.path.join(ROOT, "samples")
IMAGES = os.path.join(SAMPLES, "images")
sys.path.insert(0, os.path.join(ROOT, "python"))


def numbers(data, count=8):
    """As in test/fixtures/python/hashing.py."""
    digest = hashlib.sha256(data).digest()
    return [(digest[i] - 127.5) / 127.5 for i in range(count)]


class Towers:
    images = "raw"

    def __init__(self, info=None, salt=b""):
        self.calls = 0
        self.items = 0
        self.salt = salt
        self._info = info or {}

    def embed_images(self, images):
        self.calls += 1
        self.items += len(images)
        return [numbers(self.salt + image.data) for image in images]

    def embed_texts(self, texts):
        self.calls += 1
        self.items += len(texts)
        return [numbers(self.salt + text.encode("utf-8")) for text in texts]

    def info(self):
        return self._info


class OwnError(Exception):
    pass


class Failing(Towers):
    def __init__(self, error):
        super().__init__()
        self.error = error

    def embed_texts(self, texts):
        raise self.error


def rows(count=None):
    with open(os.path.join(SAMPLES, "captions.jsonl"), encoding="utf-8") as lines:
        return [json.loads(line) for line in lines][:count]


def whole(report):
    """The metrics over all examples, by id."""
    metrics = report.to_dict()["metrics"]
    return {metric["id"]: (metric["value"], metric["n"], metric.get("ci")) for metric in metrics if "slice" not in metric}
