"""Tests of words on the same images, of groups on image means and of rare shares, and intervals of ratios: writes
tests.json in this folder.

    python makeTests.py              writes the file
    python makeTests.py --check DIR  writes it into DIR instead, for test/oracle/run.mjs to compare
"""

import json
import sys
from pathlib import Path

import numpy as np
import scipy
import statsmodels
from scipy import optimize, stats
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.multitest import multipletests

here = Path(__file__).parent
folder = Path(sys.argv[sys.argv.index("--check") + 1]) if "--check" in sys.argv else here


def skillings_mack(blocks):
    """The quadratic form of the weighted rank sums with the covariance that permutations within blocks give."""
    k = blocks.shape[1]
    total, covariance = np.zeros(k), np.zeros((k, k))
    for block in blocks:
        there = ~np.isnan(block)
        m = there.sum()
        if m < 2 or np.ptp(block[there]) == 0:
            continue
        ranks = stats.rankdata(block[there])
        # Permutations give a rank the variance `var` with the divisor m, and two ranks the covariance -var / (m - 1).
        weight = np.sqrt(m / ranks.var(ddof=1))
        own = np.full((m, m), -ranks.var() / (m - 1))
        np.fill_diagonal(own, ranks.var())
        total[there] += weight * (ranks - ranks.mean())
        covariance[np.ix_(there, there)] += weight**2 * own
    statistic = float(total @ np.linalg.pinv(covariance) @ total)
    return {"statistic": statistic, "p": float(stats.chi2.sf(statistic, k - 1)), "degrees": k - 1}


def words(seed, images, k, missing, digits):
    rng = np.random.default_rng(seed)
    blocks = np.round(rng.normal(size=(images, 1)) + 0.3 * np.arange(k) / k + rng.normal(size=(images, k)), digits)
    if missing == 0 and digits > 3:
        friedman = stats.friedmanchisquare(*blocks.T)
        assert abs(friedman.statistic - skillings_mack(blocks)["statistic"]) < 1e-9
    blocks[rng.uniform(size=blocks.shape) < missing] = np.nan
    listed = [[None if np.isnan(value) else float(value) for value in block] for block in blocks]
    return {"blocks": listed, **skillings_mack(blocks)}


def means_of_images(seed, groups, images):
    """Kruskal–Wallis and Holm-adjusted Mann–Whitney tests of image means."""
    rng = np.random.default_rng(seed)
    given, means = [], []
    for group in range(groups):
        own = [np.round(0.4 * group + rng.normal() + rng.normal(size=rng.integers(1, 6)), 3) for _ in range(images)]
        given.append([values.tolist() for values in own])
        means.append([values.mean() for values in own])
    pairs = [(a, b) for a in range(groups) for b in range(a + 1, groups)]
    raw = [stats.mannwhitneyu(means[a], means[b]).pvalue for a, b in pairs]
    return {
        "groups": given,
        "p": float(stats.kruskal(*means).pvalue),
        "pairs": [[a, b, float(p)] for (a, b), p in zip(pairs, multipletests(raw, method="holm")[1])],
    }


def mover(value, interval, spread, error):
    """
    The interval of value / spread. Donner and Zou (2012): each end is where the squared distances of both estimates, in
    the half-widths of their intervals, add up to one.
    """
    ratio, z = value / spread, stats.norm.ppf(0.975)
    slack = z * abs(value) * error

    def away(end, own):
        # Both errors are those of the numerator value - ratio * spread.
        return (abs(ratio - end) * spread) ** 2 - (value - own) ** 2 - slack**2

    low = optimize.brentq(away, ratio - 50, ratio, args=(interval[0],), xtol=1e-14)
    high = optimize.brentq(away, ratio, ratio + 50, args=(interval[1],), xtol=1e-14)
    return {"value": value, "ci": interval, "spread": spread, "error": error, "low": low, "high": high}


def discordant(first, second):
    return {"first": first, "second": second, "p": float(mcnemar([[5, first], [second, 7]], exact=True).pvalue)}


def exact(found, images, level):
    """Twice the tail of the binomial test on the side of the share."""
    side = "greater" if found / images > level else "less"
    p = min(1, 2 * float(stats.binomtest(found, images, level, alternative=side).pvalue))
    return {"found": found, "images": images, "level": level, "p": p}


RARE = ((8, 77, 0.05), (0, 30, 0.1), (1, 40, 0.1), (2, 21, 1 / 6), (5, 29, 1 / 6), (3, 21, 0.02), (1, 60, 0.01))
FREQUENT = ((40, 40, 0.95), (38, 40, 0.98), (60, 70, 0.95), (199, 200, 0.98))

(folder / "tests.json").write_text(
    json.dumps(
        {
            "versions": {"numpy": np.__version__, "scipy": scipy.__version__, "statsmodels": statsmodels.__version__},
            "words": [words(1, 20, 4, 0, 6), words(2, 40, 6, 0.25, 6), words(3, 60, 7, 0.4, 0), words(4, 12, 2, 0.1, 1)],
            "groups": [means_of_images(5, 3, 15), means_of_images(6, 4, 22)],
            "ratios": [
                mover(0.3, [0.22, 0.41], 0.05, 0.08),
                mover(-0.02, [-0.05, 0.004], 0.4, 0.2),
                mover(1.7, [1.69, 1.71], 2.5, 0.03),
            ],
            "exact": [exact(*counts) for counts in RARE + FREQUENT],
            "discordant": [discordant(*counts) for counts in ((3, 12), (10, 10), (0, 9), (140, 90))],
        }
    )
    + "\n"
)
