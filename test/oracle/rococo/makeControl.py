"""A second implementation of RoCOCO's control, from the embeddings of retrieval.json: every gallery of half of the images is
built, each search is made in it, and in it with the altered captions or with captions of the other images."""
import base64
import hashlib
import itertools
import json
import pathlib
import sys

import numpy as np
import scipy
from scipy import optimize, stats

HERE = pathlib.Path(__file__).parent
PARTS = 8
MASK = 0xFFFFFFFF


def uniform(*parts):
    """The first number of xoshiro128** with the hash of the parts as its state."""
    text = json.dumps(parts, separators=(',', ':'), ensure_ascii=False)
    state = list(np.frombuffer(hashlib.sha256(text.encode()).digest()[:16], '<u4').tolist())

    def turned(x, k):
        return ((x << k) | (x >> (32 - k))) & MASK

    def bits():
        out = turned(state[1] * 5 & MASK, 7) * 9 & MASK
        shifted = state[1] << 9 & MASK
        state[2] ^= state[0]
        state[3] ^= state[1]
        state[1] ^= state[2]
        state[0] ^= state[3]
        state[2] ^= shifted
        state[3] = turned(state[3], 11)
        return out

    high, low = bits() >> 5, bits() >> 6
    return (high * 67108864 + low) / 9007199254740992


def unpack(packed):
    return np.frombuffer(base64.b64decode(packed['float32']), '<f4').reshape(packed['count'], packed['dimension'])


def cosines(a, b):
    """With sums from the first number to the last, so that ties are the same."""
    a, b = a.astype(np.float64), b.astype(np.float64)
    dot, aa, bb = np.zeros((len(a), len(b))), np.zeros(len(a)), np.zeros(len(b))
    for k in range(a.shape[1]):
        dot += a[:, k, None] * b[None, :, k]
        aa += a[:, k] * a[:, k]
        bb += b[:, k] * b[:, k]
    return np.clip(dot / np.sqrt(aa[:, None] * bb[None, :]), -1, 1)


def stays(best, rivals):
    return 1.0 if not len(rivals) or rivals.max() < best else 0.5 if rivals.max() == best else 0.0


def figures(captions, owner, altered, altered_owner, names):
    """Each image's mean over the galleries that hold it: lost searches with altered captions, with others, and their difference."""
    images = len(captions)
    order = sorted(range(images), key=lambda i: uniform(42, *names[i], 'rococo control'))
    part = np.empty(images, int)
    part[order] = np.arange(images) % PARTS
    left = np.bincount(altered_owner, minlength=images)
    nth = np.array([int((owner[:c] == owner[c]).sum()) for c in range(len(owner))])
    is_added = nth < left[owner]
    lost = np.zeros((images, 3))
    held = np.zeros(images)
    for half in itertools.combinations(range(PARTS), PARTS // 2):
        inside = np.isin(part, half)
        for q in np.flatnonzero(inside):
            held[q] += 1
            own = owner == q
            best = captions[q, own].max()
            rivals = captions[q, ~own & inside[owner]]
            if len(rivals) and rivals.max() >= best:
                continue
            with_altered = stays(best, altered[q, inside[altered_owner]])
            with_others = stays(best, captions[q, is_added & ~inside[owner]])
            lost[q] += [1 - with_altered, 1 - with_others, with_others - with_altered]
    return lost / held[:, None]


def share_interval(x):
    """Wilson's interval with as many trials as have this standard error, and Student's t."""
    n, p = len(x), x.mean()
    z = stats.t.ppf(0.975, n - 1)
    trials = p * (1 - p) / stats.sem(x) ** 2
    # The ends are where the distance is z standard errors of a share of that size.
    ends = np.roots([1 + z**2 / trials, -2 * p - z**2 / trials, p**2])
    return sorted(float(end) for end in ends)


def mean_interval(x):
    """Student's interval, or the wider one of Student's and Hall's on each side if the values are skewed."""
    n, m, e = len(x), x.mean(), stats.sem(x)
    t = stats.t.ppf(0.975, n - 1)
    g = stats.skew(x, bias=False)
    low, high = m - t * e, m + t * e
    if n < 36 * g**2:
        def hall(statistic):
            s = statistic / np.sqrt(n)
            return np.sqrt(n) * (s + g * s**2 / 3 + g**2 * s**3 / 27 + g / (6 * n))
        low = min(low, m - e * optimize.brentq(lambda s: hall(s) - t, -1e3, 1e3, xtol=1e-14, rtol=1e-14))
        high = max(high, m - e * optimize.brentq(lambda s: hall(s) + t, -1e3, 1e3, xtol=1e-14, rtol=1e-14))
    return [float(low), float(high)]


def described(lost):
    return {
        name: {'value': float(x.mean()), 'ci': interval(x)}
        for name, x, interval in zip(('altered', 'others', 'difference'), lost.T, (share_interval, share_interval, mean_interval))
    }


def main():
    kept = json.loads((HERE / 'retrieval.json').read_text())
    out = {'versions': {'numpy': np.__version__, 'scipy': scipy.__version__}}
    for name in ('random', 'ties'):
        images, texts, changed = (unpack(kept[name][key]) for key in ('images', 'captions', 'alteredCaptions'))
        per = kept[name]['perImage']
        owner = np.arange(len(texts)) // per
        names = [(f'photo {i}', f'caption {i * per}') for i in range(len(images))]
        # Images with fewer altered captions lend as many captions to the galleries without them.
        fewer = np.flatnonzero(np.arange(len(texts)) % per < 1 + owner % 3)
        own, all_altered = cosines(images, texts), cosines(images, changed)
        out[name] = {
            'all': described(figures(own, owner, all_altered, owner, names)),
            'fewer': described(figures(own, owner, all_altered[:, fewer], owner[fewer], names)),
        }
    folder = pathlib.Path(sys.argv[2] if sys.argv[1:2] == ['--check'] else HERE)
    (folder / 'control.json').write_text(json.dumps(out, indent=1) + '\n')


main()
