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


def drops(seed):
    """Drops of two evaluators on the images that each finds; ½ is a tie."""
    rng = np.random.default_rng(100 + seed)
    images = 25 * seed
    found = [(evaluator, image) for image in range(images) for evaluator in (1, 0) if rng.uniform() < (0.4, 0.7)[evaluator]]
    first, clusters = (np.array(column) for column in zip(*found))
    values = rng.choice([0.0, 0.5, 1.0], p=[0.6, 0.05, 0.35], size=len(found))
    return values, first.astype(bool), clusters


def left_out(values, first, clusters):
    """The jackknife standard error of the difference of means: each image is left out of both groups."""
    whole = values[first].mean() - values[~first].mean()
    kept = [clusters != image for image in np.unique(clusters)]
    return np.sqrt(sum((values[k & first].mean() - values[k & ~first].mean() - whole) ** 2 for k in kept))


cases = []
for by in ("single", "image", "caption", "evaluator"):
    for seed in range(1, 4):
        values, first, clusters = drops(seed) if by == "evaluator" else sample(seed, by)
        design = np.column_stack([first, ~first]).astype(float)
        error, degrees = cr2(values, design, np.array([1.0, -1.0]), clusters)
        fit = sm.OLS(values, design).fit()
        difference = float(fit.params[0] - fit.params[1])
        if by == "single":
            # With one row per image, the statistic is Welch's.
            welch = stats.ttest_ind(values[first], values[~first], equal_var=False).statistic
            assert abs(difference / error - welch) < 1e-10
        if by == "evaluator":
            # CR2 is between the sandwich without a correction (statsmodels) and the jackknife (CR3).
            robust = fit.get_robustcov_results("cluster", groups=clusters, use_correction=False)
            plain = np.sqrt(np.array([1.0, -1.0]) @ robust.cov_params() @ np.array([1.0, -1.0]))
            assert plain < error < left_out(values, first, clusters) < 1.2 * plain
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
