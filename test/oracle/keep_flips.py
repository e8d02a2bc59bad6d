"""What a filter reverses, and the interval of the share, for the oracles of invariance and LGIP."""

import numpy as np
from scipy import stats


def threshold(scores, percent):
    """The score of the last caption that a filter keeps, of the top `percent` %."""
    return sorted(scores, reverse=True)[-(-len(scores) * percent // 100) - 1]


def reversals(scores, pairs, percent):
    """For each pair of scores before and after a change: 1 if the filter keeps only one of them."""
    if not pairs:
        return []
    limit = threshold(scores, percent)
    return [float((before >= limit) != (after >= limit)) for before, after in pairs]


def wilson_clustered(values, clusters, level=0.95):
    """Wilson's interval with the number of trials that would have the same standard error (CR2), and Student's t."""
    names = sorted(set(clusters))
    own = {name: [] for name in names}
    for value, name in zip(values, clusters):
        own[name].append(value)
    top, size = np.array([sum(own[name]) for name in names]), np.array([len(own[name]) for name in names])
    n, share = size.sum(), top.sum() / size.sum()
    error = np.sqrt((((top - share * size) ** 2) / (1 - size / n)).sum()) / n
    if len(names) < 2 or error <= 1e-14:
        return None
    weights = size**2 / (1 - size / n)
    degrees = n**2 / ((size**2).sum() + (weights.sum() ** 2 - (weights**2).sum()) / n**2)
    if len(set(size)) == 1:
        degrees = len(names) - 1
    z = stats.t.ppf((1 + level) / 2, degrees)
    trials = share * (1 - share) / error**2
    centre = (share + z * z / trials / 2) / (1 + z * z / trials)
    reach = z * np.sqrt(share * (1 - share) / trials + (z / trials) ** 2 / 4) / (1 + z * z / trials)
    return centre - reach, centre + reach
