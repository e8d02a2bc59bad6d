"""Scores and tokens of pycocoevalcap 1.2 (BLEU, ROUGE-L, CIDEr, Stanford's PTB tokenizer), kept for the tests.

Needs Java, and in addition to requirements.txt: pip install pycocoevalcap
  .venv/bin/python test/oracle/overlap/pycocoevalcap_scores.py SAMPLES_CAPTIONS COCO_CAPTIONS CLIPSCORE_EXAMPLE
writes scores.json, tokens.json and oddTokens.json in this folder. With --fuzz N SEED it prints N fuzzed captions and
their tokens as JSON lines instead, which compareTokens.ts compares.
"""

import json
import random
import sys
from pathlib import Path

from pycocoevalcap.bleu.bleu_scorer import BleuScorer
from pycocoevalcap.cider.cider_scorer import CiderScorer
from pycocoevalcap.rouge.rouge import Rouge
from pycocoevalcap.tokenizer.ptbtokenizer import PTBTokenizer

HERE = Path(__file__).parent
METRICS = ["bleu-1", "bleu-2", "bleu-3", "bleu-4", "rouge-l", "cider"]


def tokenize(lists):
    boxed = {i: [{"caption": one} for one in captions] for i, captions in enumerate(lists)}
    tokens = PTBTokenizer().tokenize(boxed)
    return [tokens[i] for i in range(len(lists))]


def scores(candidates, references):
    """Scores of tokenised candidates against their references: of the whole corpus, and of every caption."""
    bleu, cider, rouge = BleuScorer(n=4), CiderScorer(n=4, sigma=6.0), Rouge()
    for candidate, own in zip(candidates, references):
        bleu += (candidate, own)
        cider += (candidate, own)
    corpus, each = bleu.compute_score(option="closest", verbose=0)
    mean_cider, every_cider = cider.compute_score()
    every_rouge = [rouge.calc_score([c], own) for c, own in zip(candidates, references)]
    mean_rouge = sum(every_rouge) / len(every_rouge)
    columns = [*each, every_rouge, [float(x) for x in every_cider]]
    return {
        "corpus": dict(zip(METRICS, [*map(float, corpus), mean_rouge, float(mean_cider)])),
        "each": {m: [float(f"{x:.9g}") for x in column] for m, column in zip(METRICS, columns)},
    }


def captions_of(path):
    """The captions of each image, in the order of the file."""
    out = {}
    for one in json.loads(Path(path).read_text())["annotations"]:
        out.setdefault(one["image_id"], []).append(one["caption"])
    return list(out.values())


def leave_one_out(images):
    tokens = tokenize(images)
    candidates = [own[i] for own in tokens for i in range(len(own))]
    references = [own[:i] + own[i + 1 :] for own in tokens for i in range(len(own))]
    return scores(candidates, references)


def example(folder):
    read = lambda name: json.loads((Path(folder) / f"{name}.json").read_text())
    refs = read("refs")
    tokens = tokenize([refs[image] for image in refs])
    out = {}
    for name in ["good_captions", "bad_captions"]:
        captions = read(name)
        candidates = [one[0] for one in tokenize([[captions[image]] for image in refs])]
        out[name] = scores(candidates, tokens)
    return out


PIECES = (HERE / "fragments.txt").read_text().split()
ENDINGS = list(".,!?\":;)-%/") + ["'s", "n't", "...", "’s", "”", "'ll", "'re", "s'"]
STARTS = list("\"'(#@$-*[&~`") + ["“", "‘"]
SEAMS = list("-/&.,_'+=:") + ["–", "—"]


def fuzzed(captions, count, seed):
    """Captions with one to four random changes: odd words, punctuation, joined words, capitals, numbers."""
    draw = random.Random(seed)
    for _ in range(count):
        words = draw.choice(captions).split()
        for _ in range(draw.randint(1, 4)):
            at = draw.randrange(len(words) - 1)
            kind = draw.randrange(6)
            if kind == 0:
                words.insert(at, draw.choice(PIECES))
            elif kind == 1:
                words[at] += draw.choice(ENDINGS)
            elif kind == 2:
                words[at] = draw.choice(STARTS) + words[at]
            elif kind == 3 and len(words) > 3:
                words[at : at + 2] = [words[at] + draw.choice(SEAMS) + words[at + 1]]
            elif kind == 4:
                words[at] = draw.choice([words[at].upper(), words[at].title(), f"{words[at]}{draw.randint(0, 99)}"])
            else:
                words.insert(at, draw.choice([str(draw.randint(0, 3000)), f"{draw.randint(0, 99)}.{draw.randint(0, 99)}", f"{draw.randint(1, 12)}:{draw.randint(10, 59)}", f"${draw.randint(1, 99)}", f"{draw.randint(1, 9)}/{draw.randint(2, 9)}", "x-ray", "T-shirt"]))
        yield " ".join(words)


def main():
    samples, *rest = sys.argv[1:]
    plain = sorted({one for own in captions_of(samples) for one in own if len(one.split()) > 3})
    if rest[0] == "--fuzz":
        lines = list(fuzzed(plain, int(rest[1]), int(rest[2])))
        for caption, tokens in zip(lines, tokenize([lines])[0]):
            print(json.dumps({"caption": caption, "tokens": tokens}, ensure_ascii=False))
        return
    coco, clipscore = rest
    made = {
        "versions": {"pycocoevalcap": "1.2"},
        "samples": leave_one_out(captions_of(samples)),
        "coco": leave_one_out(captions_of(coco)),
        **example(clipscore),
    }
    (HERE / "scores.json").write_text(json.dumps(made, separators=(",", ":")) + "\n")
    lines = list(fuzzed(plain, 500, 2025))
    pairs = [list(pair) for pair in zip(lines, tokenize([lines])[0])]
    (HERE / "tokens.json").write_text(json.dumps(pairs, ensure_ascii=False, indent=0) + "\n")
    odd = (HERE / "odd.txt").read_text().splitlines()
    pairs = [list(pair) for pair in zip(odd, tokenize([odd])[0])]
    (HERE / "oddTokens.json").write_text(json.dumps(pairs, ensure_ascii=False, indent=0) + "\n")


if __name__ == "__main__":
    main()
