"""The t-test of two groups with clustered rows, by the matrices of CR2 and by SciPy: writes groups.json in this folder.

    python makeGroups.py              writes the file
    python makeGroups.py --check DIR  writes it into DIR instead, for test/oracle/run.mjs to compare
"""

import json
import sys
from pathlib import Path

import numpy as np
import scipy
import statsmodels
import statsmodels.api as sm
from scipy import stats

folder = Path(sys.argv[2]) if sys.argv[1:2] == ["--check"] else Path(__file__).parent


def cr2(values, design, contrast, clusters):
    """The contrast's CR2 standard error and Bell and McCaffrey's degrees of freedom."""
    bread = np.linalg.inv(design.T @ design)
    residual_maker = np.eye(len(values)) - design @ bread @ design.T
    residuals = residual_maker @ values
    variance, parts = 0.0, []
    for cluster in np.unique(clusters):
        own = clusters == cluster
        eigenvalues, vectors = np.linalg.eigh(residual_maker[np.ix_(own, own)])
        adjusted = vectors @ np.diag(eigenvalues**-0.5) @ vectors.T @ design[own] @ bread @ contrast
        variance += float(adjusted @ residuals[own]) ** 2
        parts.append(residual_maker[:, own] @ adjusted)
    products = np.array(parts) @ np.array(parts).T
    return float(np.sqrt(variance)), float(np.trace(products) ** 2 / np.trace(products @ products))


def sample(seed, by):
    rng = np.random.default_rng(seed)
    images = 12 + 6 * seed
    clusters = np.arange(images) if by == "single" else np.repeat(np.arange(images), rng.integers(1, 6, images))
    if by == "caption":
        first = rng.uniform(size=len(clusters)) < 0.4
    else:
        first = clusters % 3 == 0
    values = rng.normal(0, 0.6, images)[clusters] + rng.normal(0, 1, len(clusters)) + 0.3 * first
    return np.round(values, 4), first, clusters


cases = []
for by in ("single", "image", "caption"):
    for seed in range(1, 4):
        values, first, clusters = sample(seed, by)
        design = np.column_stack([first, ~first]).astype(float)
        error, degrees = cr2(values, design, np.array([1.0, -1.0]), clusters)
        fit = sm.OLS(values, design).fit()
        difference = float(fit.params[0] - fit.params[1])
        if by == "single":
            # With one row per image, the statistic is Welch's.
            welch = stats.ttest_ind(values[first], values[~first], equal_var=False).statistic
            assert abs(difference / error - welch) < 1e-10
        reach = float(stats.t.ppf(0.975, degrees)) * error
        cases.append(
            {
                "by": by,
                "values": values.tolist(),
                "first": first.astype(int).tolist(),
                "clusters": clusters.tolist(),
                "difference": difference,
                "error": error,
                "degrees": degrees,
                "p": float(2 * stats.t.sf(abs(difference / error), degrees)),
                "low": difference - reach,
                "high": difference + reach,
            }
        )

versions = {"numpy": np.__version__, "scipy": scipy.__version__, "statsmodels": statsmodels.__version__}
(folder / "groups.json").write_text(json.dumps({"versions": versions, "cases": cases}) + "\n")
