"""A second implementation of VISLA: every visla.* metric of a report, from its rows.

    python recompute.py REPORT                  compares a report with its rows; exits with 1 if a metric differs
    python recompute.py --rows ROWS --out FILE  writes the metrics of a rows file

A row provides only the three captions, the image and the scores: the script recomputes which positive is P1, the edit
distances, correctness and ties. Values must agree within 1e-9, counts and ties exactly, and the script must know every metric.
"""

import argparse
import json
import os
import re
import sys

import numpy as np
import scipy
from scipy import stats

INF = float("inf")
WORDS = ((4, "0–3 words"), (8, "4–7 words"), (12, "8–11 words"), (INF, "12 words or more"))
CHARACTERS = tuple((b, f"{b - 10}–{b - 1} characters") for b in (10, 20, 30, 40, 50)) + (
    (INF, "50 characters or more"),
)


def distance(a, b):
    """The edit distance by the full table: insertions, deletions and substitutions cost one."""
    table = np.zeros((len(a) + 1, len(b) + 1), dtype=int)
    table[:, 0] = np.arange(len(a) + 1)
    table[0, :] = np.arange(len(b) + 1)
    for i in range(1, len(a) + 1):
        for j in range(1, len(b) + 1):
            table[i, j] = min(
                table[i - 1, j] + 1, table[i, j - 1] + 1, table[i - 1, j - 1] + (a[i - 1] != b[j - 1])
            )
    return int(table[len(a), len(b)])


def words(text):
    return re.findall(r"[^\W_]+(?:['’-][^\W_]+)*", text.lower())


def band(bands, value):
    return next(name for below, name in bands if value < below)


def paired_p(values, images):
    """The t-test of a mean with CR2 standard errors, by their matrices. None without enough images or differences."""
    values, images = np.array(values, dtype=float), np.array(images)
    names = np.unique(images)
    if len(names) < 5 or np.count_nonzero(values) < 10:
        return None
    n = len(values)
    residual_maker = np.eye(n) - np.full((n, n), 1 / n)
    variance, parts = 0.0, []
    for name in names:
        own = images == name
        eigenvalues, vectors = np.linalg.eigh(residual_maker[np.ix_(own, own)])
        adjusted = vectors @ np.diag(eigenvalues**-0.5) @ vectors.T @ np.full(own.sum(), 1 / n)
        variance += float(adjusted @ (values - values.mean())[own]) ** 2
        parts.append(residual_maker[:, own] @ adjusted)
    products = np.array(parts) @ np.array(parts).T
    degrees = np.trace(products) ** 2 / np.trace(products @ products)
    return float(2 * stats.t.sf(abs(values.mean()) / np.sqrt(variance), degrees))


class Figures:
    def __init__(self):
        self.figures = {}

    def add(self, id, value, slice=None, tie=None):
        key = (id, json.dumps(slice or {}, ensure_ascii=False))
        values, ties = self.figures.setdefault(key, ([], []))
        values.append(value)
        if tie is not None:
            ties.append(bool(tie))

    def out(self):
        for (id, slice), (values, ties) in self.figures.items():
            made = {"id": id, "slice": json.loads(slice), "value": float(np.mean(values)), "n": len(values)}
            if ties:
                made["ties"] = int(sum(ties))
            yield made


def figures_of(rows):
    figures = Figures()
    margins = {"visla.t2t": [], "visla.i2t": []}
    differences = {}

    def differ(id, first, second):
        differences.setdefault(id, []).append((int(first) - int(second), row.get("image") or row["example"]))

    apart = {}
    for row in rows:
        p1, p2, n = row["p1"], row["p2"], row["n"]
        if distance(p2, n) < distance(p1, n):
            raise SystemExit(f"row {row['row']}: P1 is further from N than P2")
        pairs = {"p1p2": (p1, p2), "p1n": (p1, n), "p2n": (p2, n)}
        by = {
            "characters": {name: distance(*pair) for name, pair in pairs.items()},
            "words": {name: distance(*map(words, pair)) for name, pair in pairs.items()},
        }
        for unit, bands in (("characters", CHARACTERS), ("words", WORDS)):
            for name in pairs:
                apart.setdefault((unit, name), []).append(by[unit][name])
        slices = [
            {"words changed from P1 to P2": band(WORDS, by["words"]["p1p2"])},
            {"characters changed from P1 to P2": band(CHARACTERS, by["characters"]["p1p2"])},
            {"characters changed from P1 to N": band(CHARACTERS, by["characters"]["p1n"])},
        ]
        right = {}
        for setting in ("t2t", "i2t"):
            if setting not in row:
                continue
            s = row[setting]
            if setting == "t2t":
                near, far = (s["p1p2"], s["p2n"]), (s["p1p2"], s["p1n"])
            else:
                near, far = (s["p1"], s["n"]), (s["p2"], s["n"])
            id = f"visla.{setting}"
            margin = min(near[0] - near[1], far[0] - far[1])
            margins[id].append(margin)
            right[setting] = near[0] > near[1] and far[0] > far[1]
            for where in [None, *slices]:
                figures.add(id, right[setting], where, tie=margin == 0)
            figures.add(f"{id}.p1n", near[0] > near[1], tie=near[0] == near[1])
            figures.add(f"{id}.p2n", far[0] > far[1], tie=far[0] == far[1])
            figures.add(f"{id}.margin", margin)
            differ(f"{id}.wording", near[0] > near[1], far[0] > far[1])
        if len(right) == 2:
            differ("visla.both.gain", right["i2t"], right["t2t"])
            figures.add("visla.both", right["t2t"] and right["i2t"])
            figures.add("visla.both.wrong", not right["t2t"] and not right["i2t"])
            figures.add("visla.both.onlyI2t", right["i2t"] and not right["t2t"])
            figures.add("visla.both.onlyT2t", right["t2t"] and not right["i2t"])
    out = list(figures.out())
    for id, values in margins.items():
        for name, q in (("q10", 0.1), ("median", 0.5), ("q90", 0.9)):
            if values:
                value = float(np.quantile(values, q))
                out.append({"id": f"{id}.margin.{name}", "slice": {}, "value": value, "n": len(values)})
    for id, pairs in differences.items():
        values, images = zip(*pairs)
        out.append({"id": id, "slice": {}, "value": float(np.mean(values)), "n": len(values)})
        out.append({"id": f"{id}.p", "slice": {}, "value": paired_p(values, images), "n": len(values)})
    for (unit, name), values in apart.items():
        id = f"visla.distance.{unit}.{name}"
        out.append({"id": id, "slice": {}, "value": float(np.mean(values)), "n": len(values)})
        for below, title in CHARACTERS if unit == "characters" else WORDS:
            inside = [band(CHARACTERS if unit == "characters" else WORDS, value) == title for value in values]
            where = {f"{unit} changed": title}
            out.append({"id": f"{id}.share", "slice": where, "value": float(np.mean(inside)), "n": len(values)})
    return out


def read_rows(path):
    with open(path, encoding="utf-8") as lines:
        return [json.loads(line) for line in lines if line.strip()]


def key_of(figure):
    return figure["id"], json.dumps(figure.get("slice") or {}, sort_keys=True, ensure_ascii=False)


def compare(path):
    with open(path, encoding="utf-8") as file:
        report = json.load(file)
    expected = {key_of(f): f for f in figures_of(read_rows(os.path.join(os.path.dirname(path), report["rows"])))}
    wrong = []
    for metric in report["metrics"]:
        own = expected.pop(key_of(metric), None)
        if metric["n"] == 0:
            if metric["value"] is not None or own is not None:
                wrong.append(f"{key_of(metric)}: not null without examples")
        elif not own:
            wrong.append(f"{key_of(metric)}: not known here")
        elif (metric["value"] is None) != (own["value"] is None):
            wrong.append(f"{key_of(metric)}: {metric['value']}, here {own['value']}")
        elif metric["value"] is not None and abs(metric["value"] - own["value"]) > 1e-9 or metric["n"] != own["n"]:
            wrong.append(f"{key_of(metric)}: {metric['value']} of {metric['n']}, here {own['value']} of {own['n']}")
        elif "ties" in metric and metric["ties"] != own.get("ties"):
            wrong.append(f"{key_of(metric)}: {metric['ties']} ties, here {own.get('ties')}")
    wrong += [f"{key}: not in the report" for key in expected]
    print("\n".join(wrong) or f"{len(report['metrics'])} figures agree")
    return 1 if wrong else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("report", nargs="?")
    parser.add_argument("--rows")
    parser.add_argument("--out")
    given = parser.parse_args()
    if given.report:
        return compare(given.report)
    made = {
        "versions": {"python": sys.version.split()[0], "numpy": np.__version__, "scipy": scipy.__version__},
        "figures": figures_of(read_rows(given.rows)),
    }
    with open(given.out, "w", encoding="utf-8") as file:
        json.dump(made, file, indent=1, ensure_ascii=False)
        file.write("\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
