"""What SciPy and statsmodels say about the inputs of inputs.py: writes expected.json beside itself.

    python make.py              makes the file anew
    python make.py --check DIR  writes it into DIR instead, for test/oracle/run.mjs to compare

null stands where the library answers with NaN or refuses.
"""

import json
import math
import os
import sys
import warnings
from fractions import Fraction

import numpy as np
import scipy
import statsmodels
from scipy import stats
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
    """The numbers `f` returns; null for each that is not finite, and for all where it refuses."""
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
    # Exact sums: NumPy's own variance of large offsets keeps fewer digits than is compared here.
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
    """SciPy's BCa on replicates given to it: its own arithmetic, our resamples."""
    from scipy.stats._resampling import _bca_interval

    x = np.array(inputs.values(index))
    if len(x) < 2:
        return [math.nan] * 3
    stream = inputs.Stream(index + 600001)
    replicates = np.array([np.mean(x[[stream.below(len(x)) for _ in range(min(len(x), 50))]]) for _ in range(99)])
    # Rounding decides whether a replicate that equals the estimate counts as below it: it is made equal here.
    equal = abs(replicates - np.mean(x)) <= 1e-13 * abs(replicates).max()
    # Moving the data moves nothing else; without a large offset SciPy's jackknife keeps its digits.
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
    exact = mcnemar([[0, b], [c, 0]], exact=True)
    corrected = mcnemar([[0, b], [c, 0]], exact=False, correction=True) if b + c else None
    return [exact.pvalue, *([corrected.statistic, corrected.pvalue] if corrected else [math.nan] * 2)]


def binomial_of(index):
    b, c = discordant(index)
    p = 0.5 if index % 3 == 0 else (inputs.Stream(index + 800001).below(99) + 1) / 100
    if b + c == 0:
        return [math.nan] * 5
    test = stats.binomtest(b, b + c, p)
    wilson = test.proportion_ci(0.95, "wilson")
    exact = test.proportion_ci(0.95, "exact")
    return [test.pvalue, wilson.low, wilson.high, exact.low, exact.high]


def pairs_of(a, b):
    return np.sign(np.subtract.outer(np.array(a), np.array(b))).mean()


def constant(x):
    return all(v == x[0] for v in x)


def t_of(x, against):
    # A mean that is off by rounding gives equal values a variance.
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
    """All 2^n signs, one by one, on what ties and zeros leave."""
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
    # W has no unit, but SciPy takes a range below 1e-19 for none.
    scale = 1e60 if inputs.case_of(index)[0] == "tiny" else 1
    return [math.nan] * 2 if constant(x) else test(stats.shapiro(np.array(x) * scale))


def mann_whitney_exactly(n, m, most):
    """P(U <= most) in whole numbers: SciPy's recurrence loses digits where one group is large."""
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


def distributions():
    """Rows of [name, arguments…, lower, upper]: both tails at points drawn over many magnitudes."""
    rows = []
    stream = inputs.Stream(900001)
    for i in range(200):
        degrees = [1, 2, 3, 4.5, 10, 29, 100, 4999][i % 8]
        other = [1, 3, 7, 40, 996][i % 5]
        t = stream.bell() * [0.1, 1, 4, 30][i // 8 % 4]
        x = degrees * (stream.uniform() * 3 + 0.01)
        f = stream.uniform() * [1, 3, 20][i % 3]
        trials = inputs.SIZES[i % len(inputs.SIZES)]
        p = stream.uniform()
        k = stream.below(trials + 1) if i % 2 else min(trials, int(trials * p))
        q = stream.uniform() if i % 2 else stream.uniform() * 1e-8
        rows.append(["normal", t, stats.norm.cdf(t), stats.norm.sf(t)])
        rows.append(["normalQuantile", q, stats.norm.ppf(q)])
        rows.append(["student", t, degrees, stats.t.cdf(t, degrees), stats.t.sf(t, degrees)])
        rows.append(["studentQuantile", q, degrees, stats.t.ppf(q, degrees)])
        rows.append(["chiSquared", x, degrees, stats.chi2.cdf(x, degrees), stats.chi2.sf(x, degrees)])
        rows.append(["f", f, degrees, other, stats.f.cdf(f, degrees, other), stats.f.sf(f, degrees, other)])
        rows.append(["binomial", k, trials, p, stats.binom.cdf(k, trials, p), stats.binom.sf(k, trials, p)])
        rows.append(["binomialDensity", k, trials, p, stats.binom.pmf(k, trials, p)])
        rows.append(["betaQuantile", q, degrees, other, stats.beta.ppf(q, degrees, other)])
    return [[r[0], *(float(v) for v in r[1:])] for r in rows]


def main():
    folder = os.path.dirname(os.path.abspath(__file__))
    if len(sys.argv) == 3 and sys.argv[1] == "--check":
        folder = sys.argv[2]
    expected = {
        "versions": {"numpy": np.__version__, "scipy": scipy.__version__, "statsmodels": statsmodels.__version__},
        "summary": per_case(lambda i: summary(inputs.values(i))),
        "bca": per_case(bca),
        "mcnemar": per_case(mcnemar_of),
        "binomial": per_case(binomial_of),
        "pearson": pair(lambda a, b: test(stats.pearsonr(a, b))),
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
        "distributions": distributions(),
    }
    with open(os.path.join(folder, "expected.json"), "w") as file:
        json.dump(expected, file, separators=(",", ":"))
        file.write("\n")


if __name__ == "__main__":
    main()
