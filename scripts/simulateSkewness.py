"""Type-I errors of the t-test and of tests that correct for skewness, for docs/statistics.md. Needs NumPy and SciPy."""

import numpy as np
from scipy import stats

RUNS, BOOTSTRAP_RUNS, RESAMPLES = 4000, 1500, 999
rng = np.random.default_rng(1)
sources = {
    "normal": lambda n: rng.normal(size=n),
    "exponential": lambda n: rng.exponential(size=n) - 1,
    "log-normal": lambda n: np.exp(rng.normal(size=n)) - np.exp(0.5),
    "Laplace": lambda n: rng.laplace(size=n),
    "Student's t, 3 degrees": lambda n: rng.standard_t(3, size=n),
    "right or wrong, 60 % discordant": lambda n: rng.choice([-1, 0, 1], n, p=[0.3, 0.4, 0.3]),
}


def rejections(sample, n):
    critical = stats.t.ppf(0.975, n - 1)
    t_test = johnson = hall = bootstrap = chosen = 0
    for run in range(RUNS):
        x = sample(n).astype(float)
        mean, sd = x.mean(), x.std(ddof=1)
        if sd == 0:
            continue
        t = mean / (sd / np.sqrt(n))
        t_test += abs(t) > critical
        third = ((x - mean) ** 3).sum() * n / ((n - 1) * (n - 2))
        johnson += abs((mean + third / (6 * sd**2 * n) + third / (3 * sd**4) * mean**2) / (sd / np.sqrt(n))) > critical
        skew, s = third / sd**3, mean / sd
        cubic = np.sqrt(n) * (s + skew * s**2 / 3 + skew**2 * s**3 / 27 + skew / (6 * n))
        hall += abs(cubic) > critical
        is_skewed = n < 36 * skew**2
        chosen += abs(t) > critical and (not is_skewed or (abs(cubic) > critical and cubic * t > 0))
        if run < BOOTSTRAP_RUNS:
            drawn = x[rng.integers(0, n, (RESAMPLES, n))]
            spread = drawn.std(axis=1, ddof=1)
            ok = spread > 0
            other = (drawn.mean(axis=1)[ok] - mean) / (spread[ok] / np.sqrt(n))
            bootstrap += 2 * min((other >= t).mean(), (other <= t).mean()) < 0.05
    return t_test / RUNS, chosen / RUNS, johnson / RUNS, hall / RUNS, bootstrap / BOOTSTRAP_RUNS


print("outcome | images | t | t and, if skewed, Hall | Johnson | Hall | bootstrap-t")
for name, sample in sources.items():
    for n in (20, 30, 50):
        print(name, n, *(f"{value:.3f}" for value in rejections(sample, n)), sep=" | ", flush=True)
