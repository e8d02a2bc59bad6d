"""RoCOCO's metrics in float64 from embeddings, over whole score matrices without blocks. There are two sets:
random embeddings, and small whole numbers with doubled, negated and scaled rows, which have many exact
ties and duplicates. Scores are cosines whose sums run from the first number to the last."""
import base64
import json
import pathlib
import sys

import numpy as np


def cosines(a, b):
    a, b = a.astype(np.float64), b.astype(np.float64)
    dot = np.zeros((len(a), len(b)))
    aa, bb = np.zeros(len(a)), np.zeros(len(b))
    for k in range(a.shape[1]):
        dot += a[:, k, None] * b[None, :, k]
        aa += a[:, k] * a[:, k]
        bb += b[:, k] * b[:, k]
    return np.clip(dot / np.sqrt(aa[:, None] * bb[None, :]), -1, 1)


def top(scores, k):
    return [np.lexsort((np.arange(len(row)), -row))[:k].tolist() for row in scores]


def retrieval(clean, owner, altered):
    """For each query: hits at 1, 5 and 10 among clean entries and among all entries, whether the first one is
    altered, and the effect of ties.
    """
    out = {name: [] for name in ('r1', 'r5', 'r10', 's1', 's5', 's10', 'rsms')}
    ties = {name: 0 for name in out}
    for q, row in enumerate(clean):
        own = np.array([q in o if isinstance(o, list) else o == q for o in owner])
        best = row[own].max()
        rivals = row[~own]
        above, equal = int((rivals > best).sum()), int((rivals == best).sum())
        far, near = int((altered[q] > best).sum()), int((altered[q] == best).sum())
        for k in (1, 5, 10):
            out[f'r{k}'].append(1.0 if above + equal < k else 0.0)
            ties[f'r{k}'] += above < k <= above + equal
            if above + equal + far + near < k:
                hit = 1.0
            elif above + equal + far < k:
                hit = 0.5
            else:
                hit = 0.0
            out[f's{k}'].append(hit)
            ties[f's{k}'] += above + far < k <= above + equal + far + near
        first, first_altered = row.max(), altered[q].max()
        out['rsms'].append(1.0 if first_altered > first else 0.5 if first_altered == first else 0.0)
        ties['rsms'] += bool(first_altered == first)
    rates = {name: sum(values) / len(values) for name, values in out.items()}
    rates['dropRate'] = (rates['r1'] - rates['s1']) / rates['r1'] if rates['r1'] > 0 else None
    return {'rates': rates, 'ties': {name: int(n) for name, n in ties.items()}, 'hits': out}


def packed(rows):
    return {
        'count': len(rows),
        'dimension': rows.shape[1],
        'float32': base64.b64encode(np.ascontiguousarray(rows, '<f4').tobytes()).decode(),
    }


def example(images, captions, altered_captions, altered_images):
    per = len(captions) // len(images)
    of_caption = [c // per for c in range(len(captions))]
    i2t, i2t_altered = cosines(images, captions), cosines(images, altered_captions)
    t2i, t2i_altered = cosines(captions, images), cosines(captions, altered_images)
    truths = [[i2t[q, c] for c in range(q * per, q * per + per)] for q in range(len(images))]
    return {
        'images': packed(images),
        'captions': packed(captions),
        'alteredCaptions': packed(altered_captions),
        'alteredImages': packed(altered_images),
        'perImage': per,
        'truthScores': truths,
        'greater': [[int((i2t[q] > t).sum()) for t in row] for q, row in enumerate(truths)],
        'equal': [[int((i2t[q] == t).sum()) for t in row] for q, row in enumerate(truths)],
        'top': top(i2t, 10),
        'i2t': retrieval(i2t, of_caption, i2t_altered),
        't2i': retrieval(t2i, [[c for c in range(len(captions)) if of_caption[c] == i] for i in range(len(images))],
                         t2i_altered),
    }


def main():
    rng = np.random.default_rng(7)
    images = rng.standard_normal((60, 32)).astype(np.float32)
    captions = (np.repeat(images, 5, axis=0) + 2.2 * rng.standard_normal((300, 32))).astype(np.float32)
    altered_captions = (captions + 0.8 * rng.standard_normal(captions.shape)).astype(np.float32)
    altered_images = (images + 0.5 * rng.standard_normal(images.shape)).astype(np.float32)

    small = rng.integers(-1, 2, (60, 6)).astype(np.float32)
    small[(small == 0).all(axis=1)] = 1
    words = rng.integers(-1, 2, (300, 6)).astype(np.float32)
    words[::5] = small
    words[(words == 0).all(axis=1)] = 1
    words[1::10] = 2 * words[::10]
    words[3::10] = -words[4::10]
    tampered = words.copy()
    tampered[::2] = np.roll(tampered, 3, axis=0)[::2]
    pictures = np.roll(small, 7, axis=0)
    pictures[::2] = 3 * small[::2]

    out = {
        'versions': {'python': sys.version.split()[0], 'numpy': np.__version__},
        'random': example(images, captions, altered_captions, altered_images),
        'ties': example(small, words, tampered, pictures),
    }
    folder = pathlib.Path(sys.argv[2] if sys.argv[1:2] == ['--check'] else pathlib.Path(__file__).parent)
    (folder / 'retrieval.json').write_text(json.dumps(out) + '\n')


main()
