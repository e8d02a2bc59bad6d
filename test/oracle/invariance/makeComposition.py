"""F-tests of score ~ category + restricted cubic spline of coverage, by statsmodels, and the balanced mean."""
import json
import sys
from importlib.metadata import version
from pathlib import Path

import numpy as np
import statsmodels.api as sm

from splines import knots, spline

HERE = Path(__file__).parent
rng = np.random.default_rng(7)
names = ["person", "animal", "vehicle"]
bins = ["0-10", "10-20", "20-35", "35-50", "50-70", "70-90", "90-100"]
ends = [0.1, 0.2, 0.35, 0.5, 0.7, 0.9]

n = 90
coverage = np.round(rng.beta(2, 4, n), 6)
category = rng.integers(0, 3, n)
score = np.round(0.25 + 0.1 * coverage - 0.2 * coverage**2 + 0.01 * category + rng.normal(0, 0.02, n), 6)


t = knots(coverage)
kinds = np.column_stack([category == 1, category == 2]).astype(float)
full = sm.OLS(score, sm.add_constant(np.column_stack([kinds, spline(coverage, t)]))).fit()
tests = {}
for name, rest in (("category", spline(coverage, t)), ("coverage", kinds)):
    f, p, df = full.compare_f_test(sm.OLS(score, sm.add_constant(rest)).fit())
    tests[name] = {"f": float(f), "p": float(p), "df": int(df)}
# With captions that several images share: the category on the means of captions, the coverage with a constant per caption.
caption = np.array([f"{k} {i % 9}" for i, k in enumerate(category)])
texts = sorted(set(caption))
mean = lambda values: np.array([values[caption == one].mean() for one in texts])
own = np.array([category[caption == one][0] for one in texts])
kinds, size = np.column_stack([own == 1, own == 2]).astype(float), spline(mean(coverage), knots(mean(coverage)))
dummies = np.array([[float(one == other) for other in texts] for one in caption])
shared = {}
for name, y, rest, extra in (
    ("category", mean(score), sm.add_constant(size), kinds),
    ("coverage", score, dummies, spline(coverage, t)),
):
    p = sm.OLS(y, np.column_stack([rest, extra])).fit().compare_f_test(sm.OLS(y, rest).fit())[1]
    shared[name] = float(max(p, tests[name]["p"]))
where = [bins[int(np.searchsorted(ends, c, side="right"))] for c in coverage]
cells = {}
for s, c, b in zip(score, category, where):
    cells.setdefault((int(c), b), []).append(float(s))
result = {
    "scored": [
        {"score": float(s), "coverage": float(c), "category": names[k], "bin": b, "image": i}
        for i, (s, c, k, b) in enumerate(zip(score, coverage, category, where))
    ],
    "tests": tests,
    "captions": caption.tolist(),
    "shared": shared,
    "mean": float(np.mean(score)),
    "balanced": float(np.mean([np.mean(values) for values in cells.values()])),
    "cells": len(cells),
    "versions": {name: version(name) for name in ("numpy", "statsmodels")},
}
out = Path(sys.argv[sys.argv.index("--check") + 1]) if "--check" in sys.argv else HERE
(out / "composition.json").write_text(json.dumps(result, indent=1) + "\n")
