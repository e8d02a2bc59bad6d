"""PRSM's metrics from embeddings, with and without ties: Spearman's ρ, the list-wise correlation, the
overlap of top lists, the overlap beyond chance and beyond unrelated captions, and the tests between
groups."""
import base64
import json
import pathlib
import sys

import numpy as np
import scipy
from scipy import stats


def cosines(a, b):
    a, b = a.astype(np.float64), b.astype(np.float64)
    dot = np.zeros((len(a), len(b)))
    aa, bb = np.zeros(len(a)), np.zeros(len(b))
    for k in range(a.shape[1]):
        dot += a[:, k, None] * b[None, :, k]
        aa += a[:, k] * a[:, k]
        bb += b[:, k] * b[:, k]
    return np.clip(dot / np.sqrt(aa[:, None] * bb[None, :]), -1, 1)


def rho(a, b):
    """Spearman's ρ from doubled ranks, whose products are summed as integers, without rounding."""
    x = (2 * stats.rankdata(-a)).astype(int) - len(a) - 1
    y = (2 * stats.rankdata(-b)).astype(int) - len(b) - 1
    value = int((x * y).sum()) / float(np.sqrt(float(int((x * x).sum())) * float(int((y * y).sum()))))
    assert abs(value - stats.spearmanr(a, b).statistic) < 1e-12
    return value


def order(row):
    return np.lexsort((np.arange(len(row)), -row))


def listwise(a, b):
    x, y = order(a), order(b)
    n = len(x)
    value = int(((2 * x + 1 - n) * (2 * y + 1 - n)).sum()) / int(((2 * x + 1 - n) ** 2).sum())
    assert abs(value - stats.spearmanr(x, y).statistic) < 1e-12
    return value


def welch(values):
    """
    The difference of the means of even and odd families by CR2, with Bell and McCaffrey's degrees of freedom from the
    matrices of the regression. With one row per image, the statistic is Welch's.
    """
    values = np.array(values)
    first = np.arange(len(values)) % 2 == 0
    design = np.column_stack([first, ~first]).astype(float)
    bread = np.linalg.inv(design.T @ design)
    maker = np.eye(len(values)) - design @ bread @ design.T
    weights = design @ bread @ np.array([1.0, -1.0]) / np.sqrt(np.diag(maker))
    error = float(np.sqrt(((weights * (maker @ values)) ** 2).sum()))
    parts = maker * weights
    products = parts.T @ parts
    degrees = np.trace(products) ** 2 / np.trace(products @ products)
    value = float(values[first].mean() - values[~first].mean())
    assert abs(value / error - stats.ttest_ind(values[first], values[~first], equal_var=False).statistic) < 1e-10
    reach = float(stats.t.ppf(0.975, degrees)) * error
    return {'value': value, 'low': value - reach, 'high': value + reach,
            'p': float(2 * stats.t.sf(abs(value / error), degrees))}


def tests(pairs, answers, sizes, images):
    """The overlap beyond chance, and the tests between groups, over wordings 0 to 2 of each family."""
    own = [[at for at, (a, b) in enumerate(pairs) if a // 4 == f and b % 4 < 3] for f in range(len(pairs) // 6)]

    def means(values):
        return [float(np.mean([values[at] for at in ats])) for ats in own]

    local = [means([shared[s] / size for shared in answers['shared']]) for s, size in enumerate(sizes)]
    chances = [size / images for size in sizes]
    return {
        'corrected': [float(np.mean([(one - c) / (1 - c) for one in local[s]])) for s, c in enumerate(chances) if c < 1],
        'between': {'global': welch(means(answers['rho'])),
                    **{f'local@{size}': welch(local[s]) for s, size in enumerate(sizes) if size < images}},
    }


def example(queries, images, sizes):
    scores = cosines(queries, images)
    pairs, answers = [], {'rho': [], 'listwise': [], 'shared': []}
    for family in range(len(queries) // 4):
        for i in range(4):
            for j in range(i + 1, 4):
                a, b = scores[4 * family + i], scores[4 * family + j]
                pairs.append([4 * family + i, 4 * family + j])
                answers['rho'].append(rho(a, b))
                answers['listwise'].append(listwise(a, b))
                answers['shared'].append([len(set(order(a)[:k]) & set(order(b)[:k])) for k in sizes])
    tied = [int(sum((row == s).sum() > 1 for s in row)) for row in scores]
    edge = [[int(np.sort(-row)[k - 1] == np.sort(-row)[k]) if k < len(row) else 0 for k in sizes] for row in scores]

    def packed(rows):
        return {
            'count': len(rows),
            'dimension': rows.shape[1],
            'float32': base64.b64encode(np.ascontiguousarray(rows, '<f4').tobytes()).decode(),
        }

    return {'queries': packed(queries), 'images': packed(images), 'sizes': sizes, 'pairs': pairs, 'tied': tied,
            'edgeTies': edge, **answers, **tests(pairs, answers, sizes, len(images))}


def beyond(seed):
    """
    The overlap beyond that of unrelated captions, whose error comes from the derivatives of the value by the weight of
    each query. A complex step gives them without rounding.
    """
    rng = np.random.default_rng(seed)
    count = 60
    clusters = np.sort(rng.integers(0, 40, count))
    times = rng.integers(1, 4, count)
    overlaps = np.round(rng.uniform(0.3, 0.9, count), 3)
    pairs = [(a, b) for a in range(count) for b in range(a + 1, min(a + 7, count)) if clusters[a] != clusters[b]]
    shares = np.round(rng.uniform(0, 0.4, len(pairs)), 3)
    first, second = np.array(pairs).T

    def parts(weights):
        floor = (shares * weights[first] * weights[second]).sum() / (weights[first] * weights[second]).sum()
        overlap = (overlaps * times * weights).sum() / (times * weights).sum()
        return floor, (overlap - floor) / (1 - floor)

    floor, value = (float(one) for one in parts(np.ones(count)))
    pulls = np.array([parts(np.ones(count) + 1e-30j * (np.arange(count) == i))[1].imag / 1e-30 for i in range(count)])
    names, rows = np.unique(clusters), np.repeat(clusters, times)
    total = len(rows)
    own = np.array([pulls[clusters == name].sum() for name in names])
    shares_of_rows = np.array([(rows == name).mean() for name in names])
    error = float(np.sqrt((own**2 / (1 - shares_of_rows)).sum()))
    maker = np.eye(total) - 1 / total
    adjusted = np.array([maker @ ((rows == name) / total / np.sqrt(1 - (rows == name).mean())) for name in names])
    products = adjusted @ adjusted.T
    degrees = float(np.trace(products) ** 2 / np.trace(products @ products))
    # Student's interval: the contributions are not skewed enough for the correction.
    assert degrees + 1 > 36 * stats.skew(own, bias=False) ** 2
    reach = float(stats.t.ppf(0.975, degrees)) * error
    return {'clusters': clusters.tolist(), 'times': times.tolist(), 'overlaps': overlaps.tolist(), 'pairs': pairs,
            'shares': shares.tolist(), 'floor': floor, 'value': value, 'error': error, 'degrees': degrees,
            'low': value - reach, 'high': value + reach}


def main():
    rng = np.random.default_rng(11)
    images = rng.standard_normal((200, 24)).astype(np.float32)
    queries = np.repeat(rng.standard_normal((10, 24)), 4, axis=0) + 0.4 * rng.standard_normal((40, 24))
    coarse = rng.integers(-1, 2, (200, 4)).astype(np.float32)
    coarse[(coarse == 0).all(axis=1)] = 1
    coarse[100:] = 2 * coarse[:100]
    asked = rng.integers(-1, 2, (40, 4)).astype(np.float32)
    asked[(asked == 0).all(axis=1)] = 1
    asked[1::8] = asked[::8]
    out = {
        'versions': {'python': sys.version.split()[0], 'numpy': np.__version__, 'scipy': scipy.__version__},
        'random': example(queries.astype(np.float32), images, [10, 50, 200]),
        'ties': example(asked, coarse, [10, 50, 200]),
        'beyond': [beyond(seed) for seed in (1, 2)],
    }
    folder = pathlib.Path(sys.argv[2] if sys.argv[1:2] == ['--check'] else pathlib.Path(__file__).parent)
    (folder / 'stability.json').write_text(json.dumps(out) + '\n')


main()
