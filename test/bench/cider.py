"""CIDEr of captions against references with pycocoevalcap: cider.py CANDIDATES REFERENCES, both {id: caption or list}."""

import json
import sys
import time

from pycocoevalcap.cider.cider import Cider
from pycocoevalcap.tokenizer.ptbtokenizer import PTBTokenizer

candidates, references = (json.load(open(path)) for path in sys.argv[1:])
since = time.perf_counter()
tokenizer = PTBTokenizer()
hypotheses = tokenizer.tokenize({i: [{"caption": one}] for i, one in candidates.items()})
truths = tokenizer.tokenize({i: [{"caption": one} for one in references[i]] for i in candidates})
score, each = Cider().compute_score(truths, hypotheses)
seconds = time.perf_counter() - since
print(json.dumps({"seconds": seconds, "score": float(score), "each": [float(one) for one in each]}))
