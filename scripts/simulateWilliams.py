"""Type-I error of Williams' test for docs/statistics.md: in all data sets, and in those that pass fits()."""

import numpy as np
from scipy import stats

rng = np.random.default_rng(1)
sizes = (50, 200, 1000)
# The share of a metric's variance that comes from the quality of the captions.
signal = 0.6


def levels(bounds):
    return lambda value: np.searchsorted(bounds, value).astype(float)


def equally_often(steps):
    return levels(stats.norm.ppf(np.arange(1, steps) / steps))


def bell(steps):
    return lambda value: np.clip(np.rint((value + 3) / 6 * (steps - 1)), 0, steps - 1)


def same(value):
    return value


people = {
    "continuous": same,
    "1 to 4": equally_often(4),
    "yes or no": equally_often(2),
    "1 to 4, a little skewed": levels([0, 0.8, 1.5]),
    "1 to 4, skewed": levels([0.5, 1, 1.6]),
}
metrics = {
    "normal": same,
    "0 to 4, bell-shaped": bell(5),
    "0 to 10, bell-shaped": bell(11),
    "0 to 4, equally often": equally_often(5),
    "0 to 10, equally often": equally_often(11),
    "100 steps, equally often": equally_often(100),
    "bounded": lambda value: np.tanh(0.7 * value),
    "a little skewed": lambda value: np.exp(0.25 * value),
    "skewed": lambda value: np.exp(0.5 * value),
    "heavy tails": lambda value: np.sinh(0.5 * value),
    "very heavy tails": lambda value: np.sinh(0.8 * value),
}


def correlation(x, y):
    x = x - x.mean(1, keepdims=True)
    y = y - y.mean(1, keepdims=True)
    return (x * y).sum(1) / np.sqrt((x * x).sum(1) * (y * y).sum(1))


def shape(x):
    away = x - x.mean(1, keepdims=True)
    spread = (away * away).mean(1)
    return (away**3).mean(1) / spread**1.5, (away**4).mean(1) / spread**2 - 3


def rejects(first, second, between, n):
    determinant = 1 - first**2 - second**2 - between**2 + 2 * first * second * between
    average = (first + second) / 2
    spread = 2 * (n - 1) * np.maximum(determinant, 0) / (n - 3) + average**2 * (1 - between) ** 3
    t = (first - second) * np.sqrt((n - 1) * (1 + between) / spread)
    return 2 * stats.t.sf(np.abs(t), n - 3) <= 0.05


def fits(ratings, *scores):
    """The rule in src/probe/human/correlations.ts that decides whether the test is reported."""
    fit = np.abs(shape(ratings)[0]) <= 1
    for own in scores:
        skewness, kurtosis = shape(own)
        fit &= (np.abs(skewness) <= 0.5) & (kurtosis >= -0.8) & (kurtosis <= 1)
    return fit


print("Type I where the test is given (share of data sets); Type I of all data sets\n")
print("| ratings | scores | " + " | ".join(f"{n} images" for n in sizes) + " |")
print("| --- | --- | " + " | ".join("---" for _ in sizes) + " |")
for ratings, rated in people.items():
    for scores, scored in metrics.items():
        cells = []
        for n in sizes:
            counts = np.zeros(3)
            data_sets = 8000 if n < 1000 else 4000
            for _ in range(data_sets // 1000):
                quality = rng.standard_normal((1000, n))
                noise = [np.sqrt(1 - signal) * rng.standard_normal((1000, n)) for _ in range(2)]
                own = rated(quality)
                a, b = (scored(np.sqrt(signal) * quality + one) for one in noise)
                wrong = rejects(correlation(own, a), correlation(own, b), correlation(a, b), n)
                fit = fits(own, a, b)
                counts += [(wrong & fit).sum(), fit.sum(), wrong.sum()]
            given = f"{counts[0] / counts[1]:.3f} ({counts[1] / data_sets:.0%})" if counts[1] >= 0.05 * data_sets else "–"
            cells.append(f"{given}; {counts[2] / data_sets:.3f}")
        print(f"| {ratings} | {scores} | {' | '.join(cells)} |", flush=True)
