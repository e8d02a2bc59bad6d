"""Recomputes the metrics of the probe of long captions from rows.jsonl, into figures.json or --check DIR.

Slopes are least squares with errors clustered by image (statsmodels). makeRows.ts writes the rows.
"""

import json
import sys
from pathlib import Path

import numpy as np
import statsmodels
import statsmodels.api as sm

here = Path(__file__).parent
KINDS = ("object", "color", "number", "relation")
BANDS = ((50, "under 50 words"), (100, "50–99 words"), (150, "100–149 words"), (10**9, "150 words or more"))


def slope(put, name, errors):
    x = np.array([e["position"] for _, e in errors])
    y = np.array([float(row["score"] > e["score"]) for row, e in errors])
    images = np.unique([row["image"] for row, _ in errors], return_inverse=True)[1]
    fit = sm.OLS(y, sm.add_constant(x)).fit(cov_type="cluster", cov_kwds={"groups": images}, use_t=True)
    put(name, fit.params[1], len(errors), ci=[float(end) for end in fit.conf_int()[1]])
    put(f"{name}.p", fit.pvalues[1], len(errors))


def figures(rows):
    out = []

    def put(name, value, n, **more):
        out.append({"id": name, "slice": {}, "value": float(value), "n": n, **more})

    def rate(name, errors, slice_):
        if errors:
            value = np.mean([row["score"] > e["score"] for row, e in errors])
            ties = sum(row["score"] == e["score"] for row, e in errors)
            put(name, value, len(errors), ties=ties)
            out[-1]["slice"] = slice_

    def band(row):
        return next(name for below, name in BANDS if len(row["text"].split()) < below)

    errors = [(row, v) for row in rows for v in row["variants"] if v["kind"] in KINDS]
    rate("long.pr", errors, {})
    for kind in KINDS:
        rate("long.pr", [one for one in errors if one[1]["kind"] == kind], {"error": kind})
    for _, name in BANDS:
        rate("long.pr", [one for one in errors if band(one[0]) == name], {"caption length": name})
    for tenth in range(1, 11):
        def before(one):
            row, error = one
            return len(row["text"][: error["was"][0]].split()) / len(row["text"].split())
        own = [one for one in errors if tenth - 1 <= 10 * before(one) < tenth]
        rate(f"long.pr.position.{tenth}", own, {})
        for _, name in BANDS:
            rate(f"long.pr.position.{tenth}", [one for one in own if band(one[0]) == name], {"caption length": name})
    slope(put, "long.slope", errors)
    read = [one for one in errors if not one[1]["past"]]
    past = [one for one in errors if one[1]["past"]]
    slope(put, "long.slope.read", read)
    put("long.ignored", len(past) / len(errors), len(errors))
    put("long.ignored.changed", np.mean([row["score"] != e["score"] for row, e in past]), len(past))
    for kind in ("delete", "repeat", "move"):
        changes = [v["score"] - row["score"] for row in rows for v in row["variants"] if v["kind"] == kind]
        put(f"long.{kind}", np.mean(changes), len(changes))
    return out


folder = Path(sys.argv[sys.argv.index("--check") + 1]) if "--check" in sys.argv else here
rows = [json.loads(line) for line in (here / "rows.jsonl").read_text(encoding="utf-8").splitlines()]
versions = {"numpy": np.__version__, "statsmodels": statsmodels.__version__}
text = json.dumps({"versions": versions, "figures": figures(rows)}, indent=1, ensure_ascii=False)
(folder / "figures.json").write_text(text + "\n", encoding="utf-8")
