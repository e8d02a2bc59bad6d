"""METEOR 1.5 of pycocoevalcap 1.2, kept for the tests: with all stages, and without the paraphrase table.

Needs Java, and in addition to requirements.txt: pip install pycocoevalcap
  .venv/bin/python test/oracle/overlap/pycocoevalcap_meteor.py SAMPLES_CAPTIONS COCO_CAPTIONS
writes meteor.json and stems.json in this folder. With --fuzz N SEED instead of COCO_CAPTIONS, it prints N JSON lines:
a fuzzed caption, its two references, and its score without the paraphrase table.
"""

import json
import subprocess
import sys

import pycocoevalcap.meteor.meteor as pycoco
from pycocoevalcap_scores import HERE, captions_of, fuzzed, tokenize

FOLDER = pycoco.os.path.dirname(pycoco.os.path.abspath(pycoco.__file__))
STAGES = {
    "all": [],
    # METEOR 1.5's English parameters and weights, passed explicitly, because the jar has no defaults for
    # fewer stages.
    "wordnet": ["-m", "exact stem synonym", "-w", "1.0 0.6 0.8", "-p", "0.85 0.2 0.6 0.75"],
}


def meteor(candidates, references, stages):
    """Returns the score of the corpus, and of each tokenised candidate."""
    command = ["java", "-jar", "-Xmx2G", pycoco.METEOR_JAR, "-", "-", "-stdio", "-l", "en", "-norm", *STAGES[stages]]
    with subprocess.Popen(command, cwd=FOLDER, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8") as jar:

        def ask(*parts):
            jar.stdin.write(" ||| ".join(parts) + "\n")
            jar.stdin.flush()

        stats = []
        for candidate, own in zip(candidates, references):
            ask("SCORE", *own, candidate.replace("|||", "").replace("  ", " "))
            stats.append(jar.stdout.readline().strip())
        ask("EVAL", *stats)
        each = [float(jar.stdout.readline()) for _ in stats]
        corpus = float(jar.stdout.readline())
        jar.stdin.close()
    return {"corpus": corpus, "each": [float(f"{x:.12g}") for x in each]}


def leave_one_out(images):
    tokens = tokenize(images)
    candidates = [own[i] for own in tokens for i in range(len(own))]
    references = [own[:i] + own[i + 1 :] for own in tokens for i in range(len(own))]
    return {stages: meteor(candidates, references, stages) for stages in STAGES}


def stems(words):
    command = ["java", "-cp", pycoco.METEOR_JAR, "Stemmer", "en"]
    run = subprocess.run(command, cwd=FOLDER, input="\n".join(words), capture_output=True, encoding="utf-8", check=True)
    return run.stdout.split("\n")[: len(words)]


def main():
    samples, *rest = sys.argv[1:]
    plain = sorted({one for own in captions_of(samples) for one in own if len(one.split()) > 3})
    if rest[0] == "--fuzz":
        lines = list(fuzzed(plain, int(rest[1]), int(rest[2])))
        tokens = tokenize([lines])[0]
        # The references of each line are the two lines before it.
        references = [tokens[i - 1 : i] + tokens[i - 2 : i - 1] for i in range(2, len(tokens))]
        scored = meteor(tokens[2:], references, "wordnet")["each"]
        for i, score in enumerate(scored):
            print(json.dumps([lines[i + 2], [lines[i + 1], lines[i]], score], ensure_ascii=False))
        return
    made = {"versions": {"pycocoevalcap": "1.2"}}
    made["samples"] = leave_one_out(captions_of(samples))
    made["coco"] = leave_one_out(captions_of(rest[0]))
    (HERE / "meteor.json").write_text(json.dumps(made, separators=(",", ":")) + "\n")
    vocabulary = json.loads((HERE.parents[2] / "src/perturb/words/vocabulary.json").read_text()).split()[::10]
    (HERE / "stems.json").write_text(json.dumps(dict(zip(vocabulary, stems(vocabulary))), indent=0) + "\n")


main()
