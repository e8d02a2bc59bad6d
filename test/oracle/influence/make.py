"""Recomputes the metrics of the probe explain from rows.jsonl, into figures.json or --check DIR.

Standard errors are CR2 and degrees of freedom Bell and McCaffrey's, both from the matrices of their definitions.
makeRows.ts writes the rows.
"""

import json
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import scipy
from scipy import linalg, optimize, stats

here = Path(__file__).parent
KINDS = ("noun", "verb", "adjective", "color", "number", "relation", "function", "other")
THIRDS = ("first", "middle", "last")


def cr2(y, first, groups):
    """The difference of two means, its CR2 standard error and its degrees of freedom."""
    x = np.column_stack([first, 1 - first]).astype(float)
    inverse = np.linalg.inv(x.T @ x)
    residuals = y - x @ (inverse @ x.T @ y)
    hat = x @ inverse @ x.T
    contrast = np.array([1.0, -1.0])
    variance, directions = 0.0, []
    for group in sorted(set(groups)):
        at = np.flatnonzero(np.array(groups) == group)
        adjusted = linalg.fractional_matrix_power(np.eye(len(at)) - hat[np.ix_(at, at)], -0.5)
        weights = contrast @ inverse @ x[at].T @ np.real(adjusted)
        variance += float(weights @ residuals[at]) ** 2
        directions.append((np.eye(len(y)) - hat)[:, at] @ weights)
    q = np.array(directions) @ np.array(directions).T
    return y[first == 1].mean() - y[first == 0].mean(), np.sqrt(variance), np.trace(q) ** 2 / np.sum(q * q)


def mean_interval(values, groups):
    """The 95 % interval of a mean by CR2 and Bell and McCaffrey's degrees of freedom; the wider of Student's and Hall's ends if
    the clusters' contributions are skewed. Hall's are found as roots of his cubic."""
    y, groups = np.array(values), np.array(groups)
    n = len(y)
    away = np.eye(n) - 1 / n
    variance, directions, sums = 0.0, [], []
    for group in sorted(set(groups)):
        at = np.flatnonzero(groups == group)
        adjusted = linalg.fractional_matrix_power(away[np.ix_(at, at)], -0.5)
        weights = np.real(adjusted) @ np.ones(len(at)) / n
        variance += float(weights @ (y - y.mean())[at]) ** 2
        directions.append(away[:, at] @ weights)
        sums.append(float((y - y.mean())[at].sum()))
    q = np.array(directions) @ np.array(directions).T
    degrees = np.trace(q) ** 2 / np.sum(q * q)
    reach = [float(stats.t.ppf(0.975, degrees))] * 2
    skewness, count = float(stats.skew(sums, bias=False)), degrees + 1
    if count < 36 * skewness**2:

        def hall(s):
            return np.sqrt(count) * (s + skewness * s**2 / 3 + skewness**2 * s**3 / 27 + skewness / (6 * count))

        for side, sign in enumerate((1, -1)):
            root = optimize.brentq(lambda s: hall(s) - sign * reach[0], -1e3, 1e3, xtol=1e-15, rtol=1e-14)
            reach[side] = max(reach[0], sign * float(root) * np.sqrt(count))
    return [float(y.mean() - reach[0] * np.sqrt(variance)), float(y.mean() + reach[1] * np.sqrt(variance))]


def contrast(firsts, seconds):
    """`firsts` and `seconds` are lists of (image, word, size). Returns the interval and p."""
    both = firsts + seconds
    y = np.array([size for _, _, size in both])
    first = np.array([1] * len(firsts) + [0] * len(seconds))
    words = [[word for _, word, _ in own] for own in (firsts, seconds)]
    estimate, *by_image = cr2(y, first, [image for image, _, _ in both])
    if min(len(set(own)) for own in words) < 5:
        return estimate, None, None
    _, error, degrees = cr2(y, first, words[0] + words[1])
    kish = [sum(Counter(own).values()) ** 2 / sum(n * n for n in Counter(own).values()) for own in words]
    tests = [by_image, (error, min(degrees, *(one - 1 for one in kish)))]
    p = max(2 * stats.t.sf(abs(estimate) / se, df) for se, df in tests)
    reach = max(stats.t.ppf(0.975, df) * se for se, df in tests)
    return estimate, [estimate - reach, estimate + reach], p


def figures(rows):
    out = []

    def put(name, value, n, **more):
        out.append({"id": name, "value": None if value is None else float(value), "n": n, **more})

    def sizes(keep):
        return [abs(w["influence"]) for row in rows for w in row["words"] if keep(row, w)]

    def mean(name, keep, **more):
        own = sizes(keep)
        put(name, np.mean(own), len(own), **more)

    def third(row, word):
        return THIRDS[3 * word["at"] // row["length"]]

    def compare(name, first, second, **more):
        sides = ([], [])
        for row in rows:
            own = [[w for w in row["words"] if keep(row, w)] for keep in (first, second)]
            if own[0] and own[1]:
                for side, words in zip(sides, own):
                    side.extend((row["image"], w["word"], abs(w["influence"])) for w in words)
        estimate, ci, p = contrast(*sides)
        n = len(sides[0]) + len(sides[1])
        put(name, estimate, n, **({} if ci is None else {"ci": [float(end) for end in ci]}), **more)
        put(f"{name}.p", p, n, **more)

    mean("explain.word", lambda row, w: True)
    for kind in KINDS:
        mean(f"explain.word.{kind}", lambda row, w: w["kind"] == kind)
    for kind in ("verb", "adjective", "color", "number", "relation", "function"):
        compare(
            f"explain.word.{kind}.againstNouns", lambda row, w: w["kind"] == kind, lambda row, w: w["kind"] == "noun"
        )
    compare(
        "explain.position.lastAgainstFirst",
        lambda row, w: w["kind"] == "noun" and third(row, w) == "last",
        lambda row, w: w["kind"] == "noun" and third(row, w) == "first",
    )
    compare(
        "explain.position.lastAgainstFirst",
        lambda row, w: w["kind"] != "noun" and third(row, w) == "last",
        lambda row, w: w["kind"] != "noun" and third(row, w) == "first",
        slice={"word kind": "not a noun"},
    )
    for name in THIRDS:
        mean(f"explain.position.{name}", lambda row, w: third(row, w) == name)
    for name in THIRDS:
        mean(
            f"explain.position.{name}",
            lambda row, w: w["kind"] == "noun" and third(row, w) == name,
            slice={"word kind": "noun"},
        )
    images = {}
    for row in rows:
        for w in row["words"]:
            images.setdefault(w["word"], set()).add(row["image"])
    listed = sorted(
        (word for word, own in images.items() if len(own) >= 10),
        key=lambda word: (-np.mean(sizes(lambda row, w: w["word"] == word)), word),
    )
    for word in listed[:20]:
        mean("explain.word", lambda row, w: w["word"] == word, slice={"word": word})
        named = [(abs(w["influence"]), row["image"]) for row in rows for w in row["words"] if w["word"] == word]
        out[-1]["ci"] = mean_interval(*zip(*named))
    valued = [w for row in rows for w in row["words"] if "shapley" in w]
    for kind in (None, *KINDS):
        own = [abs(w["shapley"]) for w in valued if kind in (None, w["kind"])]
        put("explain.shapley" + ("" if kind is None else f".{kind}"), np.mean(own), len(own))
    regions = [row["regions"] for row in rows if "regions" in row]
    mass, area = (np.array([one[name] for one in regions]) for name in ("mass", "area"))
    for name, own in (("mass", mass), ("area", area), ("beyondArea", mass - area)):
        put(f"explain.region.{name}", np.mean(own), len(own))
    return out


folder = Path(sys.argv[sys.argv.index("--check") + 1]) if "--check" in sys.argv else here
rows = [json.loads(line) for line in (here / "rows.jsonl").read_text(encoding="utf-8").splitlines()]
versions = {"numpy": np.__version__, "scipy": scipy.__version__}
text = json.dumps({"versions": versions, "figures": figures(rows)}, indent=1, ensure_ascii=False)
(folder / "figures.json").write_text(text + "\n", encoding="utf-8")
