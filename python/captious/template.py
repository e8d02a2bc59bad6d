"""An evaluator for Captious.

It runs as it is, with a meaningless score. Replace the marked parts and delete what you do not need.
Try it: captious audit samples/captions.jsonl --probe lgip --evaluator python:./this_file.py
"""


class Evaluator:
    # How you receive images:
    #   "pil"    PIL.Image, in RGB (the default)
    #   "array"  numpy arrays, height x width x 3, uint8
    #   "path"   paths of files, for code that opens them itself
    #   "raw"    objects with name, width, height and data (RGB bytes), for code without an image package
    images = "raw"

    def __init__(self):
        # Load the model here, once. Arguments come from "args" of an evaluator file, or from
        # python:./this_file.py:Evaluator?device=cuda
        #
        #   import torch
        #   self.model = MyModel()
        #   self.model.load_state_dict(torch.load("weights.pt", weights_only=True))
        pass

    # A model with two towers: one row for each image and for each text, as a tensor, an array or a list.
    # Captious takes the cosine of two rows, and encodes each distinct image and text once.

    def embed_images(self, images):
        return [[sum(image.data[channel::3]) / (image.width * image.height) for channel in range(3)] for image in images]

    def embed_texts(self, texts):
        return [[float(text.count(letter)) + 0.5 for letter in "eat"] for text in texts]

    # Or: a metric that scores images and texts together. Both lists have the same length.
    #
    # def score(self, images, texts):
    #     return [0.0 for image, text in zip(images, texts)]

    # Says which texts are longer than the model can read. Reports count these texts.
    #
    # def truncated(self, texts):
    #     return [len(text.split()) > 50 for text in texts]

    def info(self):
        return {
            # Files and folders of the weights, relative to this file. [] means that the model has no weights.
            # If both "weights" and "fingerprint" are missing, no result is cached between runs.
            "weights": [],
            # "scale": {"clipped": 2.5},     the score is max(cos, 0) * 2.5
            # "range": [0, 1],               the range of scores
            # "prefix": "A photo depicts ",  put before each caption that is scored against an image
            # "batch": 32,                   items in a batch
            # "rerank": 32,                  in a search, score() reorders this many of the towers' first results
        }
