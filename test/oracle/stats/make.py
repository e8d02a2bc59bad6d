"""Results of SciPy and statsmodels on the inputs of inputs.py: writes expected.json in this folder.

    python make.py              writes the file
    python make.py --check DIR  writes it into DIR instead, for test/oracle/run.mjs to compare

null means that the library returns NaN or raises.
"""

import functools
import itertools
import json
import math
import os
import sys
import warnings
from fractions import Fraction

import numpy as np
import pandas as pd
import scipy
import statsmodels
import statsmodels.api as sm
from scipy import optimize, stats
from statsmodels.regression.mixed_linear_model import VCSpec
from statsmodels.stats.inter_rater import fleiss_kappa
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.contingency_tables import mcnemar

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import inputs  # noqa: E402

warnings.simplefilter("ignore")
np.seterr(all="ignore")


def number(x):
    x = float(x)
    return x if math.isfinite(x) else None


def guarded(f, *args, **kwargs):
    """The numbers that `f` returns: null for each that is not finite, and for all of them if `f` raises."""
    try:
        result = f(*args, **kwargs)
    except (ValueError, ZeroDivisionError, np.linalg.LinAlgError):
        return None
    return [number(x) for x in result]


def test(result):
    return result.statistic, result.pvalue


def summary(x):
    n = len(x)
    centre = math.fsum(x) / n
    # Sums exactly, because NumPy's variance of values with a large offset is too imprecise for the comparison.
    squares = math.fsum((v - centre) ** 2 for v in x)
    return [
        centre,
        squares / (n - 1) if n > 1 else math.nan,
        squares / n,
        np.median(x),
        np.quantile(x, 0.025),
        np.quantile(x, 0.1),
        np.quantile(x, 0.73),
        float(np.dot(stats.rankdata(x), np.arange(1, n + 1) % 17)),
    ]


def bca(index):
    """Applies SciPy's BCa arithmetic to the resamples of the unit test."""
    from scipy.stats._resampling import _bca_interval

    x = np.array(inputs.values(index))
    if len(x) < 2:
        return [math.nan] * 3
    stream = inputs.Stream(index + 600001)
    replicates = np.array([np.mean(x[[stream.below(len(x)) for _ in range(min(len(x), 50))]]) for _ in range(99)])
    # Replicates that almost equal the estimate are made equal. Otherwise, rounding decides whether they count
    # as below it.
    equal = abs(replicates - np.mean(x)) <= 1e-13 * abs(replicates).max()
    # SciPy's jackknife is precise only without a large offset. Shifting the data changes nothing else.
    offset = 1e6 if inputs.case_of(index)[0] == "offset" else 0
    moved = np.where(equal, np.mean(x - offset), replicates - offset)
    alpha = _bca_interval((x - offset,), np.mean, -1, 0.025, moved, None, np)
    low, high, accel = alpha[0], alpha[1], alpha[2]
    accel = np.ravel(accel)[0]
    ends = np.quantile(replicates, [np.ravel(low)[0], np.ravel(high)[0]]) if np.isfinite(low) and np.isfinite(high) else [math.nan] * 2
    return [accel, *ends]


def per_case(f):
    return [guarded(f, index) for index in range(inputs.CASES)]


def pair(f):
    return per_case(lambda i: f(np.array(inputs.values(i)), np.array(inputs.partner(i))))


def discordant(index):
    stream = inputs.Stream(index + 700001)
    most = inputs.case_of(index)[1]
    return stream.below(most + 1), stream.below(most + 1)


def mcnemar_of(index):
    b, c = discordant(index)
    return [mcnemar([[0, b], [c, 0]], exact=True).pvalue]


def wilson_of(index):
    b, c = discordant(index)
    if b + c == 0:
        return [math.nan] * 2
    wilson = stats.binomtest(b, b + c).proportion_ci(0.95, "wilson")
    return [wilson.low, wilson.high]


def pairs_of(a, b):
    return np.sign(np.subtract.outer(np.array(a), np.array(b))).mean()


def constant(x):
    return all(v == x[0] for v in x)


def t_of(x, against):
    # Equal values must give NaN. SciPy could find a small variance, because it rounds their mean.
    return [math.nan] * 2 if constant(x) else test(stats.ttest_1samp(x, against))


def signed_rank(x, **kwargs):
    return [math.nan] * 2 if not np.any(x) else test(stats.wilcoxon(x, **kwargs))


def signed_ranks(a, b):
    d = a - b
    out = [*signed_rank(d), *signed_rank(d, zero_method="pratt")]
    for zeros in ("wilcox", "pratt"):
        out += signed_rank(d, zero_method=zeros, method="asymptotic", correction=True)
    return out


def exact_signed_rank(index):
    """Tries all 2^n signs for the values that are not zero."""
    x = np.array(inputs.values(index))
    x = np.round(x[:10] / np.abs(x).max() * 4) if np.any(x) else x[:0]
    x = x[x != 0]
    if len(x) == 0:
        return [math.nan]
    ranks = stats.rankdata(np.abs(x))
    signs = (np.arange(2 ** len(x))[:, None] >> np.arange(len(x))) & 1
    sums = signs @ ranks
    least = min(ranks[x > 0].sum(), ranks[x < 0].sum())
    return [min(1, 2 * np.mean(sums <= least))]


def shapiro_of(index):
    x = inputs.values(index)
    # W is independent of scale, but SciPy treats a range below 1e-19 as zero.
    scale = 1e60 if inputs.case_of(index)[0] == "tiny" else 1
    return [math.nan] * 2 if constant(x) else test(stats.shapiro(np.array(x) * scale))


def mann_whitney_exactly(n, m, most):
    """P(U <= most) in integers, because SciPy's recurrence loses digits if one group is large."""
    ways = [1] + [0] * most
    for i in range(1, n + 1):
        for u in range(i, most + 1):
            ways[u] += ways[u - i]
        for u in range(most, m + i - 1, -1):
            ways[u] -= ways[u - m - i]
    return Fraction(sum(ways), math.comb(n + m, n))


def mann_whitney_of(index):
    a, b = inputs.groups(index)[:2]
    u, p = test(stats.mannwhitneyu(a, b)) if min(len(a), len(b)) > 8 or max(len(a), len(b)) < 40 else (None, None)
    if u is None:
        if len(set(a + b)) < len(a) + len(b):
            u, p = test(stats.mannwhitneyu(a, b))
        else:
            u = stats.mannwhitneyu(a, b, method="asymptotic").statistic
            n, m = sorted((len(a), len(b)))
            p = min(1, 2 * float(mann_whitney_exactly(n, m, int(min(u, n * m - u)))))
    return [u, p, pairs_of(a, b)]


def kruskal_of(index):
    groups = inputs.groups(index)
    if constant(sum(groups, [])):
        return [math.nan] * 2
    return test(stats.kruskal(*groups))


def holm_of(index):
    stream = inputs.Stream(index + 850001)
    p = [stream.uniform() ** 3 if k % 5 else 0.01 for k in range(1 + index % 12)]
    return [float(np.dot(multipletests(p, method="holm")[1], np.arange(1, len(p) + 1)))]


def fleiss_of(index):
    stream = inputs.Stream(index + 860001)
    items, raters, categories = 1 + stream.below(40), 2 + stream.below(6), 1 + stream.below(5)
    table = [[0] * categories for _ in range(items)]
    for row in table:
        for _ in range(raters):
            row[min(stream.below(categories), stream.below(categories))] += 1
    if any(sum(column) == items * raters for column in zip(*table)):
        return [math.nan]
    return [fleiss_kappa(np.array(table))]


def dense_reml(y, fixed, random):
    """Restricted maximum likelihood with whole matrices. It is slow, but shares nothing with the code that it checks."""
    y, x = np.array(y), np.array(fixed).T
    n, p = x.shape
    blocks = []
    for levels in random:
        z = (np.array(levels)[:, None] == np.unique(levels)).astype(float)
        blocks.append(z @ z.T)
    unit = y.std()
    y = y / unit

    def parts(ratios):
        v = np.eye(n) + sum(r * b for r, b in zip(ratios, blocks))
        solved = np.linalg.solve(v, np.column_stack([x, y]))
        info = x.T @ solved[:, :p]
        beta = np.linalg.solve(info, x.T @ solved[:, p])
        scale = (y - x @ beta) @ (solved[:, p] - solved[:, :p] @ beta) / (n - p)
        logs = np.linalg.slogdet(v)[1] + np.linalg.slogdet(info)[1]
        return -0.5 * ((n - p) * (math.log(2 * math.pi * scale) + 1) + logs), beta, info, scale

    best = (-math.inf, None)
    for free in ([], [0], [1], [0, 1]):
        def minus(logs):
            ratios = [0.0, 0.0]
            for k, value in zip(free, logs):
                ratios[k] = math.exp(min(value, 40))
            return -parts(ratios)[0]

        starts = [()] if not free else itertools.product([-2.0, 1.0], repeat=len(free))
        for start in starts:
            if free:
                found = optimize.minimize(minus, start, method="BFGS", options={"gtol": 1e-7})
                found = optimize.minimize(minus, found.x, method="Nelder-Mead",
                                          options={"xatol": 1e-8, "fatol": 1e-12, "initial_simplex": np.vstack(
                                              [found.x, found.x + 1e-3 * np.eye(len(free))])})
                logs = found.x
            else:
                logs = ()
            likelihood = -minus(logs)
            # If 0 is as likely as the best positive ratio, the ratio is 0.
            if likelihood > best[0] + 1e-9:
                ratios = [0.0, 0.0]
                for k, value in zip(free, logs):
                    ratios[k] = math.exp(value)
                best = (likelihood, ratios)
    ratios = best[1]
    likelihood, beta, info, scale = parts(ratios)
    free = [k for k in (0, 1) if ratios[k] > 0]

    def joint(moved):
        """Minus the log-likelihood (up to a constant) with the best residual variance, for these effects and ratios."""
        v = np.eye(n) + sum((moved[p + free.index(k)] if k in free else 0.0) * b for k, b in enumerate(blocks))
        solved = np.linalg.solve(v, np.column_stack([x, y - x @ moved[:p]]))
        rest = (y - x @ moved[:p]) @ solved[:, p]
        return 0.5 * ((n - p) * math.log(rest) + np.linalg.slogdet(v)[1] + np.linalg.slogdet(x.T @ solved[:, :p])[1])

    centre = np.array([*beta, *(ratios[k] for k in free)])
    steps = np.array([*(1e-3 * np.sqrt(np.diag(np.linalg.inv(info)) * scale)), *(1e-3 * ratios[k] for k in free)])
    size = len(centre)
    units = np.diag(steps)
    curvature = np.zeros((size, size))
    for i in range(size):
        for j in range(size):
            a, b = units[i], units[j]
            curvature[i, j] = joint(centre + a + b) - joint(centre + a - b) - joint(centre - a + b) + joint(centre - a - b)
    errors = np.sqrt(np.diag(np.linalg.inv(curvature / 4)))[:p] * steps[:p]
    return likelihood - (n - p) * math.log(unit), beta * unit, errors * unit, np.array(ratios) * scale * unit**2, scale * unit**2


def without_unit(y, likelihood, beta, errors, groups, residual):
    spread = np.var(y)
    return [*(beta / errors), *(errors / math.sqrt(spread)), *(groups / spread), residual / spread, likelihood]


@functools.cache
def dense_of(index):
    return dense_reml(*inputs.mixed(index))


def mixed_of(index):
    return without_unit(inputs.mixed(index)[0], *dense_of(index))


def statsmodels_of(index):
    """MixedLM's result, or null if its search does not converge or a variance is almost zero, where it often fails."""
    y, fixed, random = inputs.mixed(index)
    unit = np.std(y)
    data = pd.DataFrame({"y": np.array(y) / unit, "a": random[0], "b": random[1]})
    model = sm.MixedLM(data.y, np.array(fixed).T, groups=np.ones(len(y)), exog_re=np.zeros((len(y), 0)),
                       exog_vc=VCSpec(["a", "b"], [[[""]], [[""]]], [[pd.get_dummies(data.a).values.astype(float)],
                                                                     [pd.get_dummies(data.b).values.astype(float)]]))
    fit = model.fit(reml=True, method=["bfgs", "lbfgs"], gtol=1e-9)
    p = len(fixed)
    likelihood = fit.llf - (len(y) - p) * math.log(unit)
    best = dense_of(index)[0]
    if likelihood > best + 1e-6 * abs(best):
        raise SystemExit(f"case {index}: MixedLM found {likelihood}, the dense oracle only {best}")
    if best - likelihood > 1e-10 * (1 + abs(best)) or min(fit.vcomp) < 1e-4 * fit.scale:
        return [math.nan] * (2 * p + 4)
    return without_unit(np.array(y), likelihood, fit.fe_params * unit, fit.bse_fe * unit, fit.vcomp * unit**2, fit.scale * unit**2)


def distributions():
    """Rows of [name, arguments…, results…] at points over many magnitudes: both tails of distributions, and quantiles."""
    rows = []
    stream = inputs.Stream(900001)
    for i in range(200):
        degrees = [1, 2, 3, 4.5, 10, 29, 100, 4999][i % 8]
        t = stream.bell() * [0.1, 1, 4, 30][i // 8 % 4]
        x = degrees * (stream.uniform() * 3 + 0.01)
        stream.uniform()  # An unused draw, so that later draws stay the same.
        trials = inputs.SIZES[i % len(inputs.SIZES)]
        p = stream.uniform()
        k = stream.below(trials + 1) if i % 2 else min(trials, int(trials * p))
        q = stream.uniform() if i % 2 else stream.uniform() * 1e-8
        rows.append(["normal", t, stats.norm.cdf(t), stats.norm.sf(t)])
        rows.append(["normalQuantile", q, stats.norm.ppf(q)])
        rows.append(["student", t, degrees, stats.t.cdf(t, degrees), stats.t.sf(t, degrees)])
        rows.append(["chiSquared", x, degrees, stats.chi2.cdf(x, degrees), stats.chi2.sf(x, degrees)])
        rows.append(["binomial", k, trials, p, stats.binom.cdf(k, trials, p), stats.binom.sf(k, trials, p)])
    for i, (degrees, under) in enumerate(itertools.product([1, 2, 6, 13], [1, 3, 40])):
        for f in [0, 1e-6, 0.3 + i, 9.3, 1e4]:
            rows.append(["fUpper", f, degrees, under, stats.f.sf(f, degrees, under)])
    return [[r[0], *(float(v) for v in r[1:])] for r in rows]


def main():
    folder = os.path.dirname(os.path.abspath(__file__))
    if len(sys.argv) == 3 and sys.argv[1] == "--check":
        folder = sys.argv[2]
    expected = {
        "versions": {"numpy": np.__version__, "scipy": scipy.__version__, "statsmodels": statsmodels.__version__},
        "tolerance": {"mixed": 1e-4, "mixedByStatsmodels": 1e-4},
        "summary": per_case(lambda i: summary(inputs.values(i))),
        "bca": per_case(bca),
        "mcnemar": per_case(mcnemar_of),
        "wilson": per_case(wilson_of),
        "spearman": pair(lambda a, b: test(stats.spearmanr(a, b))),
        "kendall": pair(lambda a, b: test(stats.kendalltau(a, b))),
        "tTest": per_case(lambda i: t_of(inputs.values(i), 0.25)),
        "pairedT": pair(lambda a, b: test(stats.ttest_rel(a, b)) if not constant(a - b) else [math.nan] * 2),
        "wilcoxon": pair(signed_ranks),
        "wilcoxonExact": per_case(exact_signed_rank),
        "shapiro": per_case(shapiro_of),
        "mannWhitney": per_case(mann_whitney_of),
        "kruskal": per_case(kruskal_of),
        "holm": per_case(holm_of),
        "fleiss": per_case(fleiss_of),
        "mixed": per_case(mixed_of),
        "mixedByStatsmodels": [guarded(statsmodels_of, index) for index in range(0, inputs.CASES, 2)],
        "distributions": distributions(),
    }
    with open(os.path.join(folder, "expected.json"), "w") as file:
        json.dump(expected, file, separators=(",", ":"))
        file.write("\n")


if __name__ == "__main__":
    main()
