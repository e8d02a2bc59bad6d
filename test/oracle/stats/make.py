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

import numpy as np
import scipy
import statsmodels
from scipy import stats
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
        "distributions": distributions(),
    }
    with open(os.path.join(folder, "expected.json"), "w") as file:
        json.dump(expected, file, separators=(",", ":"))
        file.write("\n")


if __name__ == "__main__":
    main()
