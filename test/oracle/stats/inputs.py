"""Inputs that Python and TypeScript (test/unit/stats/inputs.ts) compute identically, so that no file is
needed. They use only integer arithmetic and the four basic operations of IEEE doubles, in a fixed order."""

KINDS = [
    "bell", "uniform", "ties", "binary", "skewed", "heavy", "huge", "tiny", "offset", "constant", "zeros", "integers",
]
SIZES = [1, 2, 3, 4, 5, 6, 7, 8, 10, 13, 20, 31, 50, 51, 77, 120, 300, 1000, 5000]
CASES = len(KINDS) * len(SIZES)


def scrambled(z):
    z %= 4294967296
    z = ((z ^ (z >> 16)) * 2246822507) % 4294967296
    z = ((z ^ (z >> 13)) * 3266489909) % 4294967296
    return z ^ (z >> 16)


class Stream:
    """A generator with a 32-bit counter, like SplitMix. uniform() returns a multiple of 2^-32."""

    def __init__(self, seed):
        # The seed is scrambled, because neighbouring seeds would otherwise give the same stream with a shift.
        self.state = scrambled(scrambled(seed) + 12345)

    def uniform(self):
        self.state = (self.state + 2654435769) % 4294967296
        return scrambled(self.state) / 4294967296

    def below(self, n):
        return int(self.uniform() * n)

    def bell(self):
        total = 0.0
        for _ in range(12):
            total += self.uniform()
        return total - 6.0


def case_of(index):
    return KINDS[index % len(KINDS)], SIZES[index // len(KINDS)]


def draw(stream, kind, n):
    out = []
    level = stream.uniform() * 2.0 - 1.0
    for _ in range(n):
        if kind == "bell":
            v = stream.bell() + level
        elif kind == "uniform":
            v = stream.uniform()
        elif kind == "ties":
            v = float(stream.below(5) - 1)
        elif kind == "binary":
            v = float(stream.below(2))
        elif kind == "skewed":
            u = stream.uniform()
            v = u * u * u * u
        elif kind == "heavy":
            v = stream.bell() / (stream.uniform() + 0.001)
        elif kind == "huge":
            v = (stream.bell() + level) * 1e60
        elif kind == "tiny":
            v = (stream.bell() + level) * 1e-60
        elif kind == "offset":
            v = 1e6 + stream.bell()
        elif kind == "constant":
            v = level
        elif kind == "zeros":
            v = stream.bell() if stream.uniform() < 0.6 else 0.0  # Python evaluates the condition first. This affects the order of draws.
        else:
            v = float(stream.below(2001) - 1000)
        out.append(v)
    return out


def values(index):
    """The first sample of a case."""
    kind, n = case_of(index)
    return draw(Stream(index + 1), kind, n)


def partner(index):
    """A second sample that depends on the first. For the kinds "ties", "binary" and "integers", it repeats about 40 % of
    the first sample's values. For other kinds, each value is the mean of the first sample's value and another draw.
    """
    kind, n = case_of(index)
    first = values(index)
    other = draw(Stream(index + 100001), kind, n)
    if kind in ("ties", "binary", "integers"):
        stream = Stream(index + 200001)
        return [a if stream.uniform() < 0.4 else b for a, b in zip(first, other)]
    return [a * 0.5 + b * 0.5 for a, b in zip(first, other)]


def groups(index):
    """Two to five samples of random sizes. The first has the case's size, but at most 1,000 values."""
    kind, n = case_of(index)
    stream = Stream(index + 300001)
    out = []
    for g in range(2 + stream.below(4)):
        size = min(n, 1000) if g == 0 else 1 + stream.below(min(n, 1000))
        out.append(draw(Stream(index * 7 + g + 400001), kind, size))
    return out


def clusters(index):
    """A cluster's number for each value of the first sample."""
    _, n = case_of(index)
    stream = Stream(index + 500001)
    count = 1 + stream.below(max(1, n // 2))
    return [stream.below(count) for _ in range(n)]


def mixed(index):
    """A response, the columns of its fixed effects, and two crossed grouping factors."""
    stream = Stream(index + 910001)
    n = [12, 20, 30, 45][index % 4]
    scale = [1.0, 1.0, 1e6, 1e-6][index // 4 % 4]
    first = [0.0, 0.3, 1.0, 3.0][index // 16 % 4]
    second = [0.0, 0.5, 2.0][index // 64 % 3]
    levels = [3 + stream.below(6), 2 + stream.below(4)]
    effects = [[first * stream.bell() for _ in range(levels[0])], [second * stream.bell() for _ in range(levels[1])]]
    a = [stream.below(levels[0]) for _ in range(n)]
    b = [stream.below(levels[1]) for _ in range(n)]
    x = [stream.bell() for _ in range(n)]
    group = [float(stream.below(2)) for _ in range(n)]
    noise = [stream.bell() for _ in range(n)]
    y = [(2.0 + 0.5 * x[i] + effects[0][a[i]] + effects[1][b[i]] + 0.7 * noise[i]) * scale for i in range(n)]
    return y, [[1.0] * n, x, group][: 1 + index % 3], [a, b]
