"""Partial Kendall τ-b of random lists with ties, from the residuals of pairs: writes partial.json here, or --check DIR.

τ-b is Pearson's r (without centring) of the signs of all differences. So the partial τ-b is the r of what is left of the signs
of x and of y after a regression on those of z, which does not use the formula with three coefficients.
"""

import json
import sys
from pathlib import Path

# cspell:ignore kendalltau
import numpy as np
import scipy
from scipy import stats


def signs(values):
    values = np.asarray(values, float)
    i, j = np.triu_indices(len(values), 1)
    return np.sign(values[i] - values[j])


def partial(x, y, z):
    a, b, c = signs(x), signs(y), signs(z)
    left = [one - c * (one @ c) / (c @ c) for one in (a, b)]
    return float(left[0] @ left[1] / np.sqrt((left[0] @ left[0]) * (left[1] @ left[1])))


def case(seed):
    draw = np.random.default_rng(seed)
    n, per_image = int(draw.choice([15, 40, 90])), int(draw.choice([1, 3]))
    words = draw.integers(5, int(draw.choice([8, 60])), n)
    quality = draw.normal(0, 1, n)
    people = np.round(quality + 0.05 * words).tolist()
    scores = np.round(quality + draw.normal(0, 1, n) + draw.choice([-0.1, 0, 0.1]) * words, 1).tolist()
    clusters = [i // per_image for i in range(n)]
    words = words.tolist()
    rest = [[i for i in range(n) if clusters[i] != g] for g in range(max(clusters) + 1)]
    pick = lambda values, keep: [values[i] for i in keep]
    # The coefficient of two lists is that of SciPy.
    assert np.isclose(signs(people) @ signs(scores) / np.linalg.norm(signs(people)) / np.linalg.norm(signs(scores)),
                      stats.kendalltau(people, scores).statistic)
    return {
        **{"people": people, "scores": scores, "words": words, "clusters": clusters},
        "value": partial(people, scores, words),
        "without": [partial(pick(people, keep), pick(scores, keep), pick(words, keep)) for keep in rest],
    }


folder = Path(sys.argv[sys.argv.index("--check") + 1]) if "--check" in sys.argv else Path(__file__).parent
made = {"versions": {"numpy": np.__version__, "scipy": scipy.__version__}, "cases": [case(seed) for seed in range(24)]}
(folder / "partial.json").write_text(json.dumps(made) + "\n", encoding="utf-8")
