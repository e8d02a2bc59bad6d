"""CIDEr of captions against references with pycocoevalcap: cider.py CANDIDATES REFERENCES, both {id: caption or list}."""

import json
import sys

from pycocoevalcap.cider.cider import Cider
from pycocoevalcap.tokenizer.ptbtokenizer import PTBTokenizer

candidates, references = (json.load(open(path)) for path in sys.argv[1:])
boxed = lambda table, own: {i: [{"caption": one} for one in own(table[i])] for i in candidates}
tokenizer = PTBTokenizer()
hypotheses = tokenizer.tokenize(boxed(candidates, lambda one: [one]))
truths = tokenizer.tokenize(boxed(references, list))
score, each = Cider().compute_score(truths, hypotheses)
print(json.dumps({"score": float(score), "each": [float(one) for one in each]}))
