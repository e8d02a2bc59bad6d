"""What Inspect, lmms-eval and evalstats say about the logs in test/fixtures/logs: writes figures.json in this folder.

    python make.py              writes the file
    python make.py --check DIR  writes it into DIR instead, for test/oracle/run.mjs to compare

It needs inspect-ai, evalstats and the files of lmms-eval (pip install --no-deps lmms-eval), of which it runs two functions.
"""

import ast
import collections
import json
import math
import sys
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

import numpy as np

try:
    from evalstats.core.paired import pairwise_differences
    from inspect_ai.log import read_eval_log
    from inspect_ai.scorer import SampleScore, Score, stderr, value_to_float

    metrics = distribution("lmms-eval").locate_file("lmms_eval/api/metrics.py")
except (ImportError, PackageNotFoundError) as error:
    print(f"skipped: {error}")
    sys.exit(77)

here = Path(__file__).parent
folder = Path(sys.argv[sys.argv.index("--check") + 1]) if "--check" in sys.argv else here
logs = here.parent.parent / "fixtures" / "logs"


def lmms_functions():
    """The two functions alone, because the module imports many packages."""
    names = {"clustered_stderr", "paired_ttest"}
    tree = ast.parse(Path(metrics).read_text())
    tree.body = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name in names]
    scope = {"math": math, "collections": collections, **{name: getattr(__import__("typing"), name) for name in ("List", "Any")}}
    exec(compile(tree, str(metrics), "exec"), scope)
    return scope["clustered_stderr"], scope["paired_ttest"]


clustered_stderr, paired_ttest = lmms_functions()


def from_inspect():
    samples = {name: {s.id: s for s in read_eval_log(str(logs / f"{name}.eval")).samples} for name in "ab"}
    number = value_to_float()
    error = stderr(cluster="image")
    out = {}
    for score in ("exact", "length"):
        values = {name: {i: number(s.scores[score].value) for i, s in own.items()} for name, own in samples.items()}

        def clustered(of):
            return float(error([SampleScore(score=Score(value=v), sample_id=i, sample_metadata=samples["a"][i].metadata) for i, v in of.items()]))

        difference = {i: values["b"][i] - values["a"][i] for i in values["a"]}
        out[score] = {
            "mean": {name: float(np.mean(list(own.values()))) for name, own in values.items()},
            "difference": float(np.mean(list(difference.values()))),
            "clusteredError": {**{name: clustered(own) for name, own in values.items()}, "difference": clustered(difference)},
        }
    return out


def from_lmms():
    read = {}
    for model in ("llava", "qwen"):
        (path,) = (logs / model).glob("*_samples_*.jsonl")
        read[model] = [json.loads(line) for line in path.read_text().splitlines()]
    first, second = ([sample["exact_match"] for sample in read[model]] for model in ("llava", "qwen"))
    difference = [b - a for a, b in zip(first, second)]
    videos = [sample["mme_score"]["videoID"] for sample in read["llava"]]
    (interval,) = [
        pairwise_differences(np.array([second, first]), 0, 1, method="t_interval"),
    ]
    return {
        "samples": len(difference),
        "videos": len(set(videos)),
        "sumOfSquares": float(np.sum((np.array(difference) - np.mean(difference)) ** 2)),
        "paired": {key: float(value) for key, value in paired_ttest(second, first).items()},
        "clusteredError": clustered_stderr(difference, videos),
        "evalstats": {
            "difference": float(interval.point_diff),
            "low": float(interval.ci_low),
            "high": float(interval.ci_high),
            "p": float(interval.p_value),
        },
    }


versions = {name: distribution(name).version for name in ("inspect-ai", "lmms-eval", "evalstats")}
figures = {"versions": versions, "inspect": from_inspect(), "lmms": from_lmms(), "tolerance": 1e-9}
(folder / "figures.json").write_text(json.dumps(figures, indent=1) + "\n")
