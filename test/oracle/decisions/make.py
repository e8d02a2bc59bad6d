"""Power and non-inferiority by statsmodels, ranks by evalstats, small-sample tests by matrices and root finding: writes expected.json in this folder.

    python make.py              writes the file
    python make.py --check DIR  writes it into DIR instead, for test/oracle/run.mjs to compare
"""

import json
import sys
from pathlib import Path

import numpy as np
import statsmodels
import statsmodels.api as sm
from scipy import optimize, stats
from statsmodels.stats.power import TTestPower
from statsmodels.stats.weightstats import DescrStatsW

try:
    import evalstats
    from evalstats.core.ranking import bootstrap_ranks
except ImportError:
    print("skipped: evalstats is not installed (pip install evalstats==0.3.3)")
    sys.exit(77)

here = Path(__file__).parent
folder = Path(sys.argv[sys.argv.index("--check") + 1]) if "--check" in sys.argv else here


def power():
    solver = TTestPower()
    out = []
    for effect in (0.05, 0.2, 0.5, 1.0):
        for n in (5, 20, 100, 1000):
            for alpha in (0.05, 0.01):
                value = solver.power(effect, n, alpha, alternative="two-sided")
                # statsmodels returns NaN far out in the tail, so such cases are excluded.
                if np.isfinite(value):
                    out.append({"effect": effect, "n": n, "alpha": alpha, "power": float(value)})
    return out


def needed():
    solver = TTestPower()
    out = []
    for effect in (0.05, 0.1, 0.3, 0.8):
        for wanted in (0.8, 0.9):
            n = solver.solve_power(effect_size=effect, power=wanted, alpha=0.05, alternative="two-sided")
            out.append({"effect": effect, "power": wanted, "n": int(np.ceil(n))})
    return out


def clustered():
    """OLS with clustered standard errors, and the one-sided test of a margin. With clusters of one size, CR2 is CR1."""
    out = []
    for seed in range(6):
        rng = np.random.default_rng(seed)
        groups = np.repeat(np.arange(25 + 5 * seed), 1 + seed)
        own = rng.normal(0, 0.5, groups.max() + 1)
        values = np.round(0.1 * seed + own[groups] + rng.normal(0, 1, len(groups)), 4)
        fit = sm.OLS(values, np.ones(len(values))).fit(cov_type="cluster", cov_kwds={"groups": groups}, use_t=True)
        margin = 0.2
        lower = fit.t_test((np.ones((1, 1)), np.array([-margin])))
        one_sided = float(lower.pvalue) / 2
        p = one_sided if float(lower.tvalue.squeeze()) > 0 else 1 - one_sided
        low, high = fit.conf_int()[0]
        out.append(
            {
                "values": values.tolist(),
                "groups": groups.tolist(),
                "p": float(fit.pvalues[0]),
                "low": float(low),
                "high": float(high),
                "margin": margin,
                "inferiority": p,
            }
        )
    return out


def cr2(values, groups):
    """The CR2 standard error and Bell and McCaffrey's degrees of freedom, by their matrices."""
    n, design = len(values), np.ones((len(values), 1))
    bread = np.linalg.inv(design.T @ design)
    residual_maker = np.eye(n) - design @ bread @ design.T
    residuals = residual_maker @ values
    variance, parts = 0.0, []
    for group in np.unique(groups):
        own_rows = groups == group
        eigenvalues, vectors = np.linalg.eigh(residual_maker[np.ix_(own_rows, own_rows)])
        adjusted = vectors @ np.diag(eigenvalues**-0.5) @ vectors.T @ design[own_rows] @ bread
        variance += float((adjusted.T @ residuals[own_rows])[0]) ** 2
        parts.append(residual_maker[:, own_rows] @ adjusted[:, 0])
    products = np.array(parts) @ np.array(parts).T
    return float(np.sqrt(variance)), float(np.trace(products) ** 2 / np.trace(products @ products))


def unequal():
    """The t-test with clusters of different sizes."""
    out = []
    for seed in range(4):
        rng = np.random.default_rng(100 + seed)
        groups = np.repeat(np.arange(20 + 5 * seed), rng.integers(1, 8, 20 + 5 * seed))
        own = rng.normal(0, 0.5, groups.max() + 1)
        values = np.round(0.2 + own[groups] + rng.normal(0, 1, len(groups)), 4)
        error, degrees = cr2(values, groups)
        reach = float(stats.t.ppf(0.975, degrees)) * error
        out.append(
            {
                "values": values.tolist(),
                "groups": groups.tolist(),
                "error": error,
                "degrees": degrees,
                "p": float(2 * stats.t.sf(abs(values.mean() / error), degrees)),
                "low": float(values.mean() - reach),
                "high": float(values.mean() + reach),
            }
        )
    return out


def skewed():
    """
    The test with Hall's transformation. Its interval contains the means with a p value of 0.05 or more. The last
    samples have clusters of different sizes, which count as "degrees + 1" clusters of one size.
    """
    out = []
    for seed in range(9):
        rng = np.random.default_rng(200 + seed)
        clusters = 20 + 15 * (seed % 6)
        groups = np.arange(clusters) if seed < 6 else np.repeat(np.arange(clusters), rng.integers(1, 8, clusters))
        own = rng.exponential(size=clusters)
        values = np.round((own[groups] + (0 if seed < 6 else rng.exponential(size=len(groups))) - 0.7) * (-1) ** seed, 4)
        error, degrees = cr2(values, groups)
        centre = values.mean()
        skewness = float(stats.skew(np.bincount(groups, values - centre), bias=False))
        n = degrees + 1
        corrects = bool(n < 36 * skewness**2)

        def p_of(mean):
            t = (centre - mean) / error
            s = t / np.sqrt(n)
            hall = np.sqrt(n) * (s + skewness * s**2 / 3 + skewness**2 * s**3 / 27 + skewness / (6 * n))
            tails = [max(f(x, degrees) for x in ((t, hall) if corrects else (t,))) for f in (stats.t.sf, stats.t.cdf)]
            return float(min(1, 2 * min(tails)))

        # Hall's cubic is monotone, so each end of the interval is unique. Both ends are within 30 standard errors of
        # the mean.
        low = optimize.brentq(lambda mean: p_of(mean) - 0.05, centre - 30 * error, centre - 0.1 * error, xtol=1e-13)
        high = optimize.brentq(lambda mean: p_of(mean) - 0.05, centre + 0.1 * error, centre + 30 * error, xtol=1e-13)
        out.append(
            {
                "values": values.tolist(),
                "groups": groups.tolist(),
                "skewness": skewness if corrects else None,
                "p": p_of(0),
                "low": low,
                "high": high,
            }
        )
    return out


def shares():
    """Wilson's interval by root finding: each end is t standard errors from the share. The standard error is
    statsmodels', converted from the variance at the share to the variance at the end."""
    out = []
    for seed in range(6):
        rng = np.random.default_rng(300 + seed)
        each, clusters = 1 + seed, 20 + 6 * seed
        easy = rng.normal(1, 1, clusters)
        values = (np.repeat(easy, each) + rng.normal(0, 1, each * clusters) > 0).astype(float)
        groups = np.repeat(np.arange(clusters), each)
        fit = sm.OLS(values, np.ones(len(values))).fit(cov_type="cluster", cov_kwds={"groups": groups}, use_t=True)
        share, error = float(values.mean()), float(fit.bse[0])
        t = stats.t.ppf(0.975, clusters - 1)
        away = lambda p: abs(share - p) - t * error * np.sqrt(p * (1 - p) / (share * (1 - share)))
        low, high = (optimize.brentq(away, share, end, xtol=1e-14) for end in (1e-12, 1 - 1e-12))
        totals = [int(values[groups == group].sum()) for group in range(clusters)]
        out.append({"totals": totals, "size": each, "share": share, "low": low, "high": high})
    return out


def simple():
    """One value per cluster: the plain one-sided t-test."""
    rng = np.random.default_rng(9)
    values = np.round(rng.normal(0.05, 0.4, 60), 4)
    _, p, _ = DescrStatsW(values).ttest_mean(value=-0.1, alternative="larger")
    return {"values": values.tolist(), "margin": 0.1, "inferiority": float(p)}


def ranks():
    rng = np.random.default_rng(3)
    scores = (rng.uniform(size=(4, 120)) < np.array([[0.62], [0.6], [0.55], [0.3]])).astype(float)
    found = bootstrap_ranks(scores, list("ABCD"), n_bootstrap=100_000, rng=np.random.default_rng(1), method="bootstrap")
    return {
        "scores": scores.astype(int).tolist(),
        "best": [float(p) for p in found.p_best],
        "expected": [float(r) for r in found.expected_ranks],
    }


def intervals():
    """Scores without ties, for which evalstats' distribution of ranks gives the same interval as Captious."""
    rng = np.random.default_rng(7)
    scores = np.round(rng.normal(np.array([[0.5], [0.45], [0.3], [0.28], [-0.4]]), 1, (5, 150)), 6)
    found = bootstrap_ranks(scores, list("ABCDE"), n_bootstrap=100_000, rng=np.random.default_rng(2), method="bootstrap")
    below = np.cumsum(np.asarray(found.rank_probs), axis=1)
    # No cumulative share may be close to 0.025 or 0.975, because the interval would then depend on the draws.
    assert np.abs(below - 0.025).min() > 0.003 and np.abs(below - 0.975).min() > 0.003, below
    return {
        "scores": scores.tolist(),
        "low": [int(np.argmax(row > 0.025)) + 1 for row in below],
        "high": [int(np.argmax(row >= 0.975)) + 1 for row in below],
        "best": [float(p) for p in found.p_best],
    }


(folder / "expected.json").write_text(
    json.dumps(
        {
            "versions": {
                "numpy": np.__version__,
                "statsmodels": statsmodels.__version__,
                "evalstats": getattr(evalstats, "__version__", "0.3.3"),
            },
            "power": power(),
            "needed": needed(),
            "clustered": clustered(),
            "unequal": unequal(),
            "skewed": skewed(),
            "shares": shares(),
            "simple": simple(),
            "ranks": ranks(),
            "intervals": intervals(),
        }
    )
    + "\n"
)
