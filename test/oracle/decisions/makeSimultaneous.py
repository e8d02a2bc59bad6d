"""The level that intervals of several means need to hold together, by integrals of the normal density over boxes: writes
simultaneous.json in this folder. Captious finds the same level from random draws.

    python makeSimultaneous.py              writes the file
    python makeSimultaneous.py --check DIR  writes it into DIR instead, for test/oracle/run.mjs to compare
"""

import json
import sys
from pathlib import Path

import numpy as np
import scipy
from scipy import optimize, stats

folder = Path(sys.argv[2]) if sys.argv[1:2] == ["--check"] else Path(__file__).parent


def coverage(reach, correlation):
    """The probability that no value is farther from zero than the reach."""
    normal = stats.multivariate_normal(cov=correlation, abseps=1e-6, releps=1e-6, maxpts=10**6, seed=1)
    ends = np.full(len(correlation), reach)
    return float(normal.cdf(ends, lower_limit=-ends))


def level_of(residuals):
    """Residuals of a mean sum to zero, and their products are the covariances of the means."""
    products = residuals @ residuals.T
    scale = np.sqrt(np.diag(products))
    correlation = products / np.outer(scale, scale)
    reach = optimize.brentq(lambda c: coverage(c, correlation) - 0.95, 1.9, 3.5, xtol=1e-6)
    return float(2 * stats.norm.cdf(reach) - 1)


def series(seed, steps, persistence):
    """What each image adds to the mean of each step: a part that all steps share, and an own one."""
    rng = np.random.default_rng(seed)
    shared = rng.normal(0, persistence, 30)
    values = shared + rng.normal(0, 1, (steps, 30))
    return np.round(values - values.mean(axis=1, keepdims=True), 3)


cases = []
for seed, (steps, persistence) in enumerate([(2, 0.5), (3, 0), (4, 1), (5, 2)]):
    residuals = series(seed, steps, persistence)
    level = level_of(residuals)
    # Šidák's and Bonferroni's levels bound it.
    assert 0.95 < level < 1 - 0.05 / steps
    cases.append({"residuals": residuals.tolist(), "level": level})

# Independent means have a closed form, which checks the integral.
apart = np.array([[1.0, -1, 0, 0, 0, 0], [0, 0, 1, -1, 0, 0], [0, 0, 0, 0, 1, -1]])
assert abs(level_of(apart) - 0.95 ** (1 / 3)) < 1e-6

versions = {"numpy": np.__version__, "scipy": scipy.__version__}
text = json.dumps({"versions": versions, "tolerance": 1e-5, "cases": cases})
(folder / "simultaneous.json").write_text(text + "\n")
