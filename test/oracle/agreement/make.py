"""Agreement of random ratings with ties, by SciPy, capevalkit, ppi-python and brute force: writes agreement.json here.

    python make.py              writes the file
    python make.py --check DIR  writes it into DIR instead, for test/oracle/run.mjs to compare

Needs capevalkit and ppi-python besides the packages of requirements.txt; exits with 77 (skipped) without them.
"""

import itertools
import json
import math
import os
import random
import sys

import numpy as np
import scipy
from scipy import stats

try:
    from capevalkit.domain.evaluation.correlations import kendall_correlations
    from ppi_py import ppi_mean_ci, ppi_mean_pointestimate
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

MEASURES = {
    "tauB": lambda x, y: stats.kendalltau(x, y, variant="b").statistic,
    "tauC": lambda x, y: stats.kendalltau(x, y, variant="c").statistic,
    "spearman": lambda x, y: stats.spearmanr(x, y).statistic,
    "pearson": lambda x, y: stats.pearsonr(x, y).statistic,
}


def without(measure, x, y, clusters):
    """For each cluster, in the order of the numbers: the value without that cluster."""
    out = []
    for g in range(max(clusters) + 1):
        rest = [i for i in range(len(x)) if clusters[i] != g]
        out.append(float(MEASURES[measure]([x[i] for i in rest], [y[i] for i in rest])))
    return out


def pairwise(x, y, images):
    """Calibrates ties by trying every threshold (Deutsch, Foster and Freitag 2023)."""
    pairs = [
        (x[i] - x[j], y[i] - y[j])
        for i, j in itertools.combinations(range(len(x)), 2)
        if images[i] == images[j]
    ]

    def accuracy(epsilon):
        right = 0
        for m, h in pairs:
            if abs(m) <= epsilon:
                right += h == 0
            else:
                right += (m > 0) == (h > 0) and h != 0
        return right / len(pairs)

    thresholds = sorted({0.0, *(abs(m) for m, _ in pairs)})
    best = max(thresholds, key=lambda e: (accuracy(e), -e))
    return {"plain": accuracy(0), "epsilon": best, "calibrated": accuracy(best)}


def williams(r12, r13, r23, n):
    """Williams' t by Steiger (1980, equation 7), with its p value."""
    det = 1 - r12**2 - r13**2 - r23**2 + 2 * r12 * r13 * r23
    mean = (r12 + r13) / 2
    t = (r12 - r13) * math.sqrt(
        (n - 1) * (1 + r23) / (2 * (n - 1) / (n - 3) * det + mean**2 * (1 - r23) ** 3)
    )
    return [t, float(2 * stats.t.sf(abs(t), n - 3))]


def case(seed):
    draw = random.Random(seed)
    n = draw.choice([12, 30, 75, 160])
    steps = draw.choice([2, 4, 10, 1000])
    per_image = draw.choice([1, 3, 60])
    quality = [draw.gauss(0, 1) for _ in range(n)]
    people = [round((q + draw.gauss(0, 0.5)) * steps / 4) for q in quality]
    first = [round(q + draw.gauss(0, 1), draw.choice([0, 1, 6])) for q in quality]
    second = [round(q + draw.gauss(0, 1.5), 1) for q in quality]
    images = [i // per_image for i in range(n)]
    if len(set(people)) < 2:
        people[0] += 1
    clusters = images if max(images) >= 2 else list(range(n))
    found = {name: float(of(first, people)) for name, of in MEASURES.items()}
    peer = kendall_correlations(first, people)
    r = [MEASURES["pearson"](a, b) for a, b in [(people, first), (people, second), (first, second)]]
    return {
        "people": people,
        "first": first,
        "second": second,
        "clusters": clusters,
        "values": found,
        "capevalkit": {"tauB": peer["kendall_tau_b"] / 100, "tauC": peer["kendall_tau_c"] / 100},
        # Excludes τ-c, because it depends on the number of distinct values: Captious counts the values of all
        # captions, but `without` would count only those of the remaining captions.
        "without": {name: without(name, first, people, clusters) for name in ["tauB", "pearson", "spearman"]},
        "pairwise": pairwise(first, people, images) if per_image > 1 else None,
        "williams": williams(*r, n),
    }


def ppi(seed):
    draw = np.random.default_rng(seed)
    n, more = int(draw.choice([10, 40, 200])), int(draw.choice([50, 1000]))
    noise = float(draw.choice([0.2, 1, 5]))
    truth = draw.normal(3, 1, n)
    labels, scores = truth.round(), truth + draw.normal(0.5, noise, n)
    unlabelled = draw.normal(3, 1, more) + draw.normal(0.5, noise, more)
    low, high = ppi_mean_ci(labels, scores, unlabelled, alpha=0.05, lam=None)
    plain = ppi_mean_ci(labels, scores, unlabelled, alpha=0.05, lam=1)
    return {
        "labels": labels.tolist(),
        "scores": scores.tolist(),
        "unlabelled": unlabelled.tolist(),
        "tuned": [float(np.squeeze(low)), float(np.squeeze(high))],
        "plain": [float(np.squeeze(one)) for one in plain],
        "estimate": float(
            np.squeeze(ppi_mean_pointestimate(labels, scores, unlabelled, lam=1))
        ),
    }


def stratified(seed):
    """Strata with different sizes and shares of labels: ppi-python's result in each stratum, weighted by the stratum's share of units."""
    draw = np.random.default_rng(1000 + seed)
    units, parts = [], []
    for stratum in range(int(draw.integers(1, 5))):
        n, more = int(draw.integers(2, 30)), int(draw.integers(5, 400))
        quality = draw.normal(stratum, 1, n + more)
        scores = 0.02 * quality + draw.normal(0, 0.01, n + more)
        labels = (quality[:n] + draw.normal(0, 1, n)).round()
        parts.append((labels, scores[:n], scores[n:]))
        units += [[stratum, float(one), float(labels[i]) if i < n else None] for i, one in enumerate(scores)]
    sizes = np.array([len(f) + len(more) for _, f, more in parts])
    weights = sizes / sizes.sum()
    var = lambda x: np.var(x, ddof=1) / len(x)
    cov = lambda x, y: np.cov(x, y, ddof=1)[0, 1] / len(x)
    a = sum(w**2 * (var(f) + var(more)) for w, (_, f, more) in zip(weights, parts))
    lam = sum(w**2 * cov(y, f) for w, (y, f, _) in zip(weights, parts)) / a
    each = [float(np.squeeze(ppi_mean_pointestimate(y, f, more, lam=lam))) for y, f, more in parts]
    for y, f, more in parts:
        # The assertion checks that ppi-python computes variances with the divisor n. The formula for `error` below
        # has the same terms with the divisor n - 1.
        low, high = (float(np.squeeze(end)) for end in ppi_mean_ci(y, f, more, alpha=0.05, lam=lam))
        own = np.sqrt(np.var(y - lam * f) / len(y) + lam**2 * np.var(more) / len(more))
        assert math.isclose((high - low) / 2, stats.norm.ppf(0.975) * own, rel_tol=1e-9)
    error = math.sqrt(sum(w**2 * (var(y - lam * f) + lam**2 * var(more)) for w, (y, f, more) in zip(weights, parts)))
    estimate = float(np.dot(weights, each))
    labelled = sum(len(y) for y, _, _ in parts)
    reach = stats.t.ppf(0.975, labelled - len(parts)) * error
    return {"units": units, "lambda": float(lam), "estimate": estimate, "ci": [estimate - reach, estimate + reach]}


def rank(value, n):
    """Kendall's τ-b by Fieller, Hartley and Pearson (1957) with Student's t, Spearman's ρ by Bonett and Wright (2000)."""
    errors = {
        "tauB": stats.t.ppf(0.975, n - 2) * np.sqrt(0.437 / (n - 4)),
        "spearman": stats.norm.ppf(0.975) * np.sqrt((1 + value**2 / 2) / (n - 3)),
    }
    ends = {m: [float(np.tanh(np.arctanh(value) + sign * e)) for sign in (-1, 1)] for m, e in errors.items()}
    return {"value": value, "n": n, **ends}


def main():
    folder = os.path.dirname(os.path.abspath(__file__))
    if len(sys.argv) == 3 and sys.argv[1] == "--check":
        folder = sys.argv[2]
    made = {
        "versions": {"scipy": scipy.__version__, "capevalkit": "0.1.3", "ppi-python": "0.2.3"},
        "cases": [case(seed) for seed in range(40)],
        "ppi": [ppi(seed) for seed in range(12)],
        "rank": [rank(value, n) for value in (-0.4, 0.1, 0.7, 0.95) for n in (5, 12, 30)],
        "stratified": [stratified(seed) for seed in range(8)],
    }
    with open(os.path.join(folder, "agreement.json"), "w", encoding="utf-8") as file:
        json.dump(made, file)
        file.write("\n")


if __name__ == "__main__":
    main()
