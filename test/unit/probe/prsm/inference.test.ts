import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import type { Attribute, Example } from '../../../../src/dataset/example';
import { Random } from '../../../../src/base/random';
import { lackingGround } from '../../../../src/probe/ground';
import { type Metric, metricOf } from '../../../../src/probe/metric';
import { prsmClaims } from '../../../../src/probe/prsm/claims';
import { linkedClusters } from '../../../../src/probe/prsm/clusters';
import { correctedOverlap } from '../../../../src/probe/prsm/figures';
import { beyondUnrelated } from '../../../../src/probe/prsm/unrelated';
import { prsm } from '../../../../src/probe/prsm/prsm';
import { paraphrased } from '../../../../src/probe/prsm/wordings';
import { isDefined } from '../../../../src/stats/outcome';
import { readOracle } from '../../evaluator/ranking/oracle';
import { type EmbeddingOf, pairScorer, runGalleryProbe } from '../galleryHarness';
import { say, findSaid } from '../../../../src/base/say';

interface BeyondCase extends Record<'floor' | 'value' | 'error' | 'degrees' | 'low' | 'high', number> {
  clusters: number[];
  times: number[];
  overlaps: number[];
  pairs: [number, number][];
  shares: number[];
}

interface Given {
  image: number;
  captions: string[];
  attributes?: Record<string, Attribute>;
}

function example({ image, captions, attributes = {} }: Given, row: number): Example {
  return {
    ...{ id: `e${row}`, form: 'captions', row, attributes },
    images: [{ name: `photo ${image}` }],
    captions: captions.map((text) => ({
      ...{ text, role: 'caption', image: 0, field: 'caption' },
      variants: [{ text: `${text} again`, family: 'paraphrase' as const, kind: '' }],
    })),
  };
}

/**
 * Embeddings of eight numbers. `noise` says how far a wording is from its query: 0 has the same ranking, and Infinity
 * a random one.
 */
function embeddings(noise: (text: string) => number): EmbeddingOf {
  const known = new Map<string, Float32Array>();
  const vector = (key: string): Float32Array => {
    const random = new Random(7, key);
    const made = known.get(key) ?? Float32Array.from({ length: 8 }, () => random.uniform() - 0.5);
    known.set(key, made);
    return made;
  };
  return (item) => {
    if (item.kind === 'image') return vector(item.source.name);
    const own = vector(item.text);
    const far = noise(item.text);
    const query = item.text.replace(/( again)|(an? (image|picture|photo)( of|:) )/gi, '');
    if (far === Infinity || query === item.text) return own;
    return vector(query).map((value, i) => value + far * own[i]);
  };
}

async function metricsOf(
  given: readonly Given[],
  noise: (text: string) => number,
  options: Record<string, string> = {},
): Promise<Metric[]> {
  const [{ findings }] = await runGalleryProbe(prsm, given.map(example), embeddings(noise), {
    options: { sets: 'P1', k: '10', ...options },
  });
  return [...findings.metrics];
}

const single = (images: number): Given[] =>
  Array.from({ length: images }, (_, image) => ({ image, captions: [`query ${image}`] }));
const topOf = (images: number) => say('prsm.topOfAll', 10, images);
const texts = (metrics: readonly Metric[]) => prsmClaims(metrics).map(({ text }) => text);

describe('PRSM: overlap beyond chance', () => {
  it('is 0 for random lists on average, and 1 for equal lists', () => {
    assert.ok(Math.abs(correctedOverlap(100 / 115, 100, 115)!) < 1e-12);
    assert.equal(correctedOverlap(1, 100, 115), 1);
    assert.equal(correctedOverlap(1, 115, 115), null);
  });

  it('gives random vectors no verdict of stability, although most of a long list is shared by chance', async () => {
    const metrics = await metricsOf(single(115), () => Infinity, { k: '100' });
    const raw = metricOf(metrics, 'prsm.local@100')!;
    assert.ok(raw.value! > 0.85 && Math.abs(raw.chance! - 100 / 115) < 1e-12, `${raw.value}`);
    const [low, high] = metricOf(metrics, 'prsm.local@100.corrected')!.ci!;
    assert.ok(low < 0 && high < 0.1, `${low} ${high}`);
    const size = { code: 'prsm.topOfAll', values: ['100', '115'] };
    const found = prsmClaims(metrics).map(({ text }) => text);
    assert.deepEqual(found, [
      { code: 'prsm.notBeyondUnrelated', values: [{ code: 'prsm.setParaphrases', values: [] }, size] },
    ]);
  });

  it('gives no verdict of stability if a few images come first for every text, whatever it says', async () => {
    const random = embeddings(() => Infinity);
    const hubs: EmbeddingOf = (item) => {
      const own = random(item)!;
      // An image's first number says how much of a hub it is. All texts have the same one.
      const first = item.kind === 'image' ? new Random(9, item.source.name).uniform() : 15;
      return Float32Array.from([first, ...own]);
    };
    const [{ findings }] = await runGalleryProbe(prsm, single(60).map(example), hubs, {
      options: { sets: 'P1', k: '10' },
    });
    const metrics = [...findings.metrics];
    assert.ok(metricOf(metrics, 'prsm.local@10.corrected')!.ci![0] > 0.8, 'far above two random lists');
    const floor = metricOf(metrics, 'prsm.local@10.floor', { set: 'P1' })!;
    assert.ok(floor.value! > 0.8 && Math.abs(floor.chance! - 1 / 6) < 1e-12, `${floor.value}`);
    const [low, high] = metricOf(metrics, 'prsm.local@10.beyond', { set: 'P1' })!.ci!;
    assert.ok(low < 0.05 && high < 0.5, `${low} ${high}`);
    assert.ok(texts(metrics).length > 0);
    assert.ok(!texts(metrics).some((text) => findSaid(text, 'prsm.mostlySameImages')));
    assert.notEqual(lackingGround(prsm, metrics, 'prsm.local@10'), undefined);
    assert.notEqual(lackingGround(prsm, metrics, 'prsm.local@10.corrected'), undefined);
  });

  it('has the error of both means, as numerical derivatives by the weight of each query say', () => {
    const queries = Array.from({ length: 40 }, (_, i) => ({ cluster: i % 25 }));
    const uniform = (...key: number[]) => new Random(4, key.join()).uniform();
    const own = queries.map((query, i) => ({ query, overlap: 0.5 + uniform(i) / 2, times: 1 + (i % 3) }));
    const pairs = queries.flatMap((first, i) =>
      queries.flatMap((second, j) =>
        j > i && (i + j) % 4 === 0 && first.cluster !== second.cluster
          ? [
              {
                queries: [first, second] as const,
                share: (uniform(i, -1) + uniform(j, -1) + uniform(i, j)) / 3,
              },
            ]
          : [],
      ),
    );
    const valueAt = (weights: readonly number[]): number => {
      const weightOf = new Map(queries.map((query, i) => [query, weights[i]]));
      const meanOf = (all: readonly (readonly [weight: number, value: number])[]) =>
        all.reduce((a, [w, x]) => a + w * x, 0) / all.reduce((a, [w]) => a + w, 0);
      const floor = meanOf(
        pairs.map(({ queries: [a, b], share }) => [weightOf.get(a)! * weightOf.get(b)!, share]),
      );
      const overlap = meanOf(own.map(({ overlap: x, times }, i) => [weights[i] * times, x]));
      return (overlap - floor) / (1 - floor);
    };
    const ones = queries.map(() => 1);
    const found = beyondUnrelated(own, pairs)!;
    assert.ok(Math.abs(found.value - valueAt(ones)) < 1e-12);
    const total = own.reduce((n, { times }) => n + times, 0);
    const [pulls, sizes] = [new Array<number>(25).fill(0), new Array<number>(25).fill(0)];
    for (const [i, { cluster }] of queries.entries()) {
      const at = (step: number) => valueAt(ones.map((one, j) => (j === i ? one + step : one)));
      pulls[cluster] += (at(1e-5) - at(-1e-5)) / 2e-5;
      sizes[cluster] += own[i].times;
    }
    // The factor of CR2 for a mean.
    const error = Math.sqrt(pulls.reduce((sum, pull, c) => sum + pull ** 2 / (1 - sizes[c] / total), 0));
    assert.ok(isDefined(found.test) && Math.abs(found.test.standardError / error - 1) < 1e-6, `${error}`);
  });

  for (const [i, given] of readOracle<{ beyond: BeyondCase[] }>('prsm/stability.json').beyond.entries())
    it(`has the oracle's overlap beyond that of unrelated captions, case ${i + 1}`, () => {
      const queries = given.clusters.map((cluster) => ({ cluster }));
      const found = beyondUnrelated(
        queries.map((query, q) => ({ query, overlap: given.overlaps[q], times: given.times[q] })),
        given.pairs.map(([a, b], p) => ({ queries: [queries[a], queries[b]], share: given.shares[p] })),
      )!;
      assert.ok(isDefined(found.test));
      const { standardError: error, degrees, low, high } = found.test;
      const numbers = { floor: found.floor, value: found.value, error, degrees, low, high };
      for (const [name, value] of Object.entries(numbers))
        assert.ok(Math.abs(value - given[name as keyof typeof numbers]) <= 1e-9, `${name}: ${value}`);
    });

  it('gives a verdict for each set, not for all sets together', async () => {
    const noise = (text: string) => (text.endsWith(' again') ? 3 : 0.01);
    const metrics = await metricsOf(single(60), noise, { sets: 'P1,P2' });
    const found = texts(metrics);
    assert.deepEqual(found[0], say('prsm.lessBeyondUnrelated', say('prsm.setParaphrases'), topOf(60)));
    assert.deepEqual(found[1], say('prsm.mostlySameImages', say('prsm.setPrefixes'), topOf(60)));
    assert.deepEqual(found[2], say('prsm.setChangesLess', say('prsm.betweenSets'), topOf(60), 'P2', 'P1'));
  });

  it('counts each pair of texts once: generated paraphrases are no templates', () => {
    for (const caption of ['A dog on a sofa', 'Two men riding horses on a beach', 'A red bus'])
      for (let seed = 0; seed < 5; seed++)
        for (const text of paraphrased(caption, [], new Random(seed)).wordings.values())
          assert.doesNotMatch(text, /photo|picture|image|scene/i);
  });
});

describe('PRSM: what is one observation', () => {
  it('is an image with all its captions, and images that share a caption', async () => {
    assert.deepEqual(linkedClusters([['a'], ['b'], ['a', 'c'], ['d'], ['c', 'd']]), [0, 1, 0, 0, 0]);
    const given = Array.from({ length: 30 }, (_, image) => ({
      image,
      captions: [0, 1, 2].map((i) => `query ${image} ${i}`),
    }));
    given[1].captions[0] = given[0].captions[0];
    const metric = metricOf(await metricsOf(given, () => 1), 'prsm.global')!;
    assert.deepEqual([metric.n, metric.images], [90, 29]);
  });

  it('gives six images with many captions no verdict', async () => {
    const given = Array.from({ length: 6 }, (_, image) => ({
      image,
      captions: Array.from({ length: 20 }, (_, i) => `query ${image} ${i}`),
    }));
    const metrics = await metricsOf(given, () => 0.01, { k: '3' });
    assert.deepEqual(texts(metrics), []);
    const few = await metricsOf(given.slice(0, 4), () => 1, { k: '2' });
    assert.ok(few.every(({ ci }) => ci === undefined));
  });

  it('counts a caption as often as the dataset has it, or once', async () => {
    const given = single(8);
    given[1].captions[0] = given[0].captions[0];
    const n = async (options: Record<string, string>) =>
      metricOf(await metricsOf(given, () => 1, options), 'prsm.global')!.n;
    assert.equal(await n({}), 8);
    assert.equal(await n({ weight: 'captions' }), 7);
  });
});

describe('PRSM: differences between groups', () => {
  const grouped = (images: number): Given[] =>
    single(images).map((one, i) => ({ ...one, attributes: { gender: i % 2 === 0 ? 'female' : 'male' } }));
  const slice = { set: 'P1', gender: 'female − male' };

  it('are found where they are planted, with a test clustered by image', async () => {
    const noise = (text: string) => (Number(/\d+/.exec(text)![0]) % 2 === 0 ? 0.1 : 1.5);
    const metrics = await metricsOf(grouped(80), noise, { groups: 'gender' });
    const difference = metricOf(metrics, 'prsm.between.local@10', slice)!;
    assert.ok(difference.value! > 0.2 && difference.ci![0] > 0);
    assert.ok(metricOf(metrics, 'prsm.between.local@10.p', slice)!.value! < 1e-6);
    assert.ok(
      texts(metrics).some((text) => {
        const [where, ...values] = findSaid(text, 'prsm.setChangesLess')?.values ?? [];
        return isDeepStrictEqual(
          [where, ...values],
          [say('prsm.setByColumn', 'P1', 'gender'), topOf(80), 'female', 'male'],
        );
      }),
    );
  });

  it('are no verdict where there are none', async () => {
    const metrics = await metricsOf(grouped(80), () => 1, { groups: 'gender' });
    assert.ok(metricOf(metrics, 'prsm.between.local@10.p', slice)!.value! > 0.05);
    assert.ok(!texts(metrics).some((text) => findSaid(text, 'prsm.setByColumn')));
  });

  it('count a caption of both groups in both', async () => {
    const given = grouped(10);
    given[1].captions[0] = given[0].captions[0];
    const metrics = await metricsOf(given, () => 1, { groups: 'gender' });
    for (const gender of ['female', 'male'])
      assert.equal(metricOf(metrics, 'prsm.global', { set: 'P1', comparison: 'o-c1', gender })!.n, 5);
  });
});

describe('PRSM: pairs without a score', () => {
  const images = 40;
  const noise = (...key: string[]): number => new Random(3, ...key).uniform();
  /** Scores of which most belongs to the query and the rest to the wording. `rate` of the pairs have no score. */
  const scoreOf =
    (rate: number, seed: number) =>
    (image: { source: { name: string } }, text: string): number | undefined => {
      const { name } = image.source;
      if (new Random(seed, name, text).uniform() < rate) return undefined;
      return noise(name, text.replace(' again', '')) + 0.6 * noise(name, text);
    };
  const metricsWith = async (
    score: ReturnType<typeof scoreOf>,
    evaluator = pairScorer(),
  ): Promise<Metric[]> => {
    const [{ findings }] = await runGalleryProbe(
      prsm,
      single(images).map(example),
      () => new Float32Array([1]),
      {
        ...{ evaluators: [evaluator], options: { sets: 'P1', k: '10' }, scoreOf: score },
      },
    );
    return [...findings.metrics];
  };

  it('leave agreement and overlap unbiased, whatever share of them is missing', async () => {
    const whole = await metricsWith(scoreOf(0, 0));
    for (const [rate, runs] of [
      [0.02, 12],
      [0.2, 12],
    ]) {
      const all: Metric[][] = [];
      for (let run = 1; run <= runs; run++) all.push(await metricsWith(scoreOf(rate, run)));
      for (const id of ['prsm.global', 'prsm.local@10', 'prsm.local@10.corrected']) {
        const before = metricOf(whole, id)!.value!;
        const mean = all.reduce((sum, metrics) => sum + metricOf(metrics, id)!.value!, 0) / runs;
        assert.ok(Math.abs(mean - before) < 0.015, `${id} with ${rate}: ${before} ${mean}`);
      }
    }
  });

  it('lose a wording only if too few images have scores with it, then the caption', async () => {
    const whole = metricOf(await metricsWith(scoreOf(0, 0)), 'prsm.global')!;
    const some = await metricsWith((image, text) =>
      text === 'query 3 again' || image.source.name === 'photo 5' ? undefined : scoreOf(0, 0)(image, text),
    );
    assert.equal(metricOf(some, 'prsm.global')!.n, whole.n - 1);
    const none = await metricsWith(() => undefined);
    assert.deepEqual(none, []);
  });
});
