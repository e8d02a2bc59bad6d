"""Power and non-inferiority by statsmodels, ranks by evalstats: writes expected.json in this folder.

    python make.py              writes the file
    python make.py --check DIR  writes it into DIR instead, for test/oracle/run.mjs to compare
"""

import json
import sys
from pathlib import Path

import numpy as np
import statsmodels
import statsmodels.api as sm
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
                # Far out in the tail, the value is NaN.
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
    """OLS with clustered standard errors, and the one-sided test of a margin."""
    out = []
    for seed in range(6):
        rng = np.random.default_rng(seed)
        groups = np.repeat(np.arange(25 + 5 * seed), rng.integers(1, 6, 25 + 5 * seed))
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
    # If a step is near a quantile, the quantile depends on the draws.
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
            "simple": simple(),
            "ranks": ranks(),
            "intervals": intervals(),
        }
    )
    + "\n"
)
