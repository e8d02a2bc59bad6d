"""Recomputes the metrics of the probe explain from rows.jsonl, into figures.json or --check DIR.

Standard errors are CR2 and degrees of freedom Bell and McCaffrey's, both from the matrices of their definitions.
BCa intervals draw the same resamples of images: the generator is written again here. makeRows.ts writes the rows.
"""

import hashlib
import json
import math
import sys
from collections import Counter, defaultdict
from functools import cache
from itertools import islice
from pathlib import Path

import numpy as np
import scipy
from scipy import linalg, optimize, special, stats

here = Path(__file__).parent
KINDS = ("noun", "verb", "adjective", "color", "number", "relation", "function", "other")
THIRDS = ("first", "middle", "last")
SEED, RESAMPLES, LEAST_IMAGES = 2025, 10_000, 5


def words_of(state):
    """The outputs of xoshiro128**."""
    mask = 0xFFFFFFFF

    def turned(word, by):
        return (word << by | word >> (32 - by)) & mask

    a, b, c, d = state
    while True:
        yield turned(b * 5 & mask, 7) * 9 & mask
        c, d, shifted = c ^ a, d ^ b, b << 9 & mask
        b, a, c, d = b ^ c, a ^ d, c ^ shifted, turned(d, 11)


@cache
def resamples_of(units):
    """How often each resample holds each unit: one row per resample. Words above the last whole multiple are skipped."""
    hashed = hashlib.sha256(json.dumps(["draws", "bootstrap", SEED], separators=(",", ":")).encode()).digest()
    seeds = words_of([int.from_bytes(hashed[at : at + 4], "little") for at in (0, 4, 8, 12)])
    width = 2**32 // units
    drawn = (word // width for word in words_of(list(islice(seeds, 4))) if word < width * units)
    picks = np.fromiter(islice(drawn, units * RESAMPLES), int).reshape(RESAMPLES, units)
    return np.apply_along_axis(np.bincount, 1, picks, minlength=units)


def bca_interval(values, groups):
    """The 95 % interval of a mean (Efron 1987) over resamples of whole groups, which are in the order of their sums."""
    own = defaultdict(list)
    for value, group in zip(values, groups):
        own[group].append(value)
    if len(own) < LEAST_IMAGES:
        return None
    units = sorted((math.fsum(each), len(each)) for each in own.values())
    top, bottom = np.array(units).T

    def mean_of(counts):
        return counts @ top / (counts @ bottom)

    estimate = top.sum() / bottom.sum()
    replicates = mean_of(resamples_of(len(units)))
    jackknife = mean_of(1 - np.eye(len(units)))
    away = jackknife.mean() - jackknife
    acceleration = np.sum(away**3) / (6 * np.sum(away**2) ** 1.5)
    ties = np.isclose(replicates, estimate, rtol=1e-13, atol=0)
    bias = special.ndtri(np.mean(np.where(ties, 0.5, replicates < estimate)))
    z = bias + special.ndtri([0.025, 0.975])
    return [float(end) for end in np.quantile(replicates, special.ndtr(bias + z / (1 - acceleration * z)))]


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

    def images_of(keep):
        return [row["image"] for row in rows for w in row["words"] if keep(row, w)]

    def put_mean(name, own, images, interval=bca_interval, **more):
        put(name, np.mean(own), len(own), ci=interval(own, images), **more)

    def mean(name, keep, **more):
        put_mean(name, sizes(keep), images_of(keep), **more)

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
        mean("explain.word", lambda row, w: w["word"] == word, interval=mean_interval, slice={"word": word})
    valued = [(row["image"], w) for row in rows for w in row["words"] if "shapley" in w]
    for kind in (None, *KINDS):
        own = [(abs(w["shapley"]), image) for image, w in valued if kind in (None, w["kind"])]
        put_mean("explain.shapley" + ("" if kind is None else f".{kind}"), *zip(*own))
    regions = [row for row in rows if "regions" in row]
    mass, area = (np.array([row["regions"][name] for row in regions]) for name in ("mass", "area"))
    for name, own in (("mass", mass), ("area", area), ("beyondArea", mass - area)):
        put_mean(f"explain.region.{name}", own, [row["image"] for row in regions])
    return out


folder = Path(sys.argv[sys.argv.index("--check") + 1]) if "--check" in sys.argv else here
rows = [json.loads(line) for line in (here / "rows.jsonl").read_text(encoding="utf-8").splitlines()]
versions = {"numpy": np.__version__, "scipy": scipy.__version__}
text = json.dumps({"versions": versions, "figures": figures(rows)}, indent=1, ensure_ascii=False)
(folder / "figures.json").write_text(text + "\n", encoding="utf-8")
