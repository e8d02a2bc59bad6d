"""The spread of an evaluator and the test of a difference in spreads, by leaving out images: writes spread.json in this folder.

    python makeSpread.py              writes the file
    python makeSpread.py --check DIR  writes it into DIR instead, for test/oracle/run.mjs to compare
"""

import json
import sys
from pathlib import Path

import numpy as np
import scipy
from scipy import stats

here = Path(__file__).parent
folder = Path(sys.argv[sys.argv.index("--check") + 1]) if "--check" in sys.argv else here


def pairs_of(rng, units, rounds, factor=1.0, shared=None):
    """Scores of each unit with the units 1, 2, … places further. Units raise or lower the scores of all their pairs."""
    shared = rng.normal(size=(2, units)) if shared is None else shared
    left = 0.5 * (shared[0] + rng.normal(size=units))
    right = 0.35 * (shared[1] + rng.normal(size=units))
    return [
        {
            "left": f"{i}",
            "right": f"{(i + r) % units}",
            "score": round(factor * (left[i] + right[(i + r) % units] + 0.5 * rng.normal()), 5),
        }
        for r in range(1, rounds + 1)
        for i in range(units)
    ]


def without(pairs, unit):
    return [pair["score"] for pair in pairs if unit not in (pair["left"], pair["right"])]


def spread(pairs):
    """The jackknife over units of the logarithm of the standard deviation, with each pair's square counted once."""
    scores = np.array([pair["score"] for pair in pairs])
    units = list(dict.fromkeys(unit for pair in pairs for unit in (pair["left"], pair["right"])))
    n = len(units)
    left_out = np.array([np.log(np.std(without(pairs, unit), ddof=1)) for unit in units])
    pseudo = left_out.mean() - left_out
    # The linear part of each pair, from which the share that the sum over units has twice is known.
    linear = ((scores - scores.mean()) ** 2 / scores.var() - 1) / (2 * len(scores))
    belongs = np.array([[unit in (pair["left"], pair["right"]) for pair in pairs] for unit in units], float)
    shares_unit = (belongs.T @ belongs) > 0
    twice = sum((belongs @ linear) ** 2)
    once = float(linear @ shares_unit @ linear)
    scale = np.sqrt((n - 1) / n * once / twice)
    return {
        "mean": float(scores.mean()),
        "deviation": float(np.std(scores, ddof=1)),
        "error": float(scale * np.sqrt(np.sum(pseudo**2))),
        "influence": dict(zip(units, (scale * pseudo).tolist())),
    }


def cr2(values, groups):
    n = len(values)
    residual_maker = np.eye(n) - 1 / n
    residuals = residual_maker @ values
    variance, parts = 0.0, []
    for group in np.unique(groups):
        own = groups == group
        eigenvalues, vectors = np.linalg.eigh(residual_maker[np.ix_(own, own)])
        adjusted = vectors @ np.diag(eigenvalues**-0.5) @ vectors.T @ np.full(own.sum(), 1 / n)
        variance += float(adjusted @ residuals[own]) ** 2
        parts.append(residual_maker[:, own] @ adjusted)
    products = np.array(parts) @ np.array(parts).T
    return variance, float(np.trace(products) ** 2 / np.trace(products @ products))


def difference(seed, images, without_rows):
    """
    The difference of two means in spreads. Its variance is that of the rows after each image got what it contributes to
    both spreads. `jackknife` leaves out each image with its rows and its pairs, and knows nothing of that.
    """
    rng = np.random.default_rng(seed)
    shared = rng.normal(size=(2, images))
    ofPairs = [pairs_of(rng, images, 4, factor, shared) for factor in (1.0, 2.5)]
    rows = [
        {"image": f"{i}", "first": round(common + rng.exponential(), 4), "second": round(2.5 * (common + rng.exponential()), 4)}
        for i in range(images - without_rows)
        for common in rng.exponential(size=rng.integers(1, 6))
    ]
    spreads = [spread(pairs) for pairs in ofPairs]
    a, b = [np.array([row[key] for row in rows]) / s["deviation"] for key, s in zip(("first", "second"), spreads)]
    groups = np.array([int(row["image"]) for row in rows])
    part = np.array(
        [a.mean() * spreads[0]["influence"][f"{i}"] - b.mean() * spreads[1]["influence"][f"{i}"] for i in range(images)]
    )
    counts = np.bincount(groups, minlength=images)
    values = b - a + len(rows) * part[groups] / counts[groups]
    variance, degrees = cr2(values, groups)
    error = float(np.sqrt(variance + np.sum(part[counts == 0] ** 2)))
    t = (b.mean() - a.mean()) / error

    def statistic(image):
        keep = groups != image
        scales = [np.std(without(pairs, f"{image}"), ddof=1) for pairs in ofPairs]
        second, first = [np.mean([row[key] for row, k in zip(rows, keep) if k]) for key in ("second", "first")]
        return second / scales[1] - first / scales[0]

    left_out = np.array([statistic(image) for image in range(images)])
    return {
        "rows": rows,
        "pairs": ofPairs,
        "difference": float(b.mean() - a.mean()),
        "error": error,
        "degrees": degrees,
        "p": float(2 * stats.t.sf(abs(t), degrees)),
        "jackknife": float(np.sqrt((images - 1) / images * np.sum((left_out - left_out.mean()) ** 2))),
    }


def case(seed, units, rounds):
    pairs = pairs_of(np.random.default_rng(seed), units, rounds)
    return {"pairs": pairs, **spread(pairs)}


(folder / "spread.json").write_text(
    json.dumps(
        {
            "versions": {"numpy": np.__version__, "scipy": scipy.__version__},
            "spreads": [case(1, 8, 7), case(2, 30, 3), case(3, 120, 2)],
            "differences": [difference(4, 40, 0), difference(5, 90, 20)],
        }
    )
    + "\n"
)
