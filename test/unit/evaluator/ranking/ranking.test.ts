import assert from 'node:assert/strict';
import { cosine } from '../../../../src/bench/similarity';
import { Random } from '../../../../src/base/random';
import { Ranker } from '../../../../src/evaluator/ranking/ranking';
import { Gallery, type Rows } from '../../../../src/evaluator/ranking/rows';
import { nextStep } from '../../callEvents';
import { readOracle, type RetrievalExample, type StabilityExample, unpack } from './oracle';

function randomRows(seed: string, count: number, dimension: number): Rows {
  const random = new Random(seed);
  return {
    count,
    dimension,
    data: Float32Array.from({ length: count * dimension }, () => random.uniform() - 0.5),
  };
}

/** Computes each score separately, without blocks and in double precision. */
function slowly(queries: Gallery, gallery: Gallery, query: number): Float64Array {
  return Float64Array.from({ length: gallery.count }, (_, item) => queries.cosine(query, gallery, item));
}

describe('Ranker', function () {
  this.timeout(60_000);
  let ranker: Ranker;
  before(() => {
    ranker = new Ranker();
  });
  after(() => ranker.close());

  for (const name of ['random', 'ties'] as const) {
    it(`counts and orders like the float64 oracle: ${name}`, async () => {
      const oracle = readOracle<Record<typeof name, RetrievalExample>>('rococo/retrieval.json')[name];
      const queries = await ranker.hold(unpack(oracle.images));
      const gallery = await ranker.hold(unpack(oracle.captions));
      const per = oracle.perImage;
      const own = oracle.truthScores.map((_, q) =>
        Array.from({ length: per }, (_, c) => queries.gallery.cosine(q, gallery.gallery, q * per + c)),
      );
      assert.deepEqual(own, oracle.truthScores);
      const answer = await ranker.count({
        queries,
        gallery,
        thresholds: Float64Array.from(own.flat()),
        offsets: Int32Array.from({ length: own.length + 1 }, (_, q) => q * per),
        top: 10,
      });
      assert.deepEqual([...answer.greater], oracle.greater.flat());
      assert.deepEqual([...answer.equal], oracle.equal.flat());
      assert.deepEqual([...answer.topItems], oracle.top.flat());
    });

    it(`compares orders as SciPy does: ${name}`, async () => {
      const oracle = readOracle<Record<typeof name, StabilityExample>>('prsm/stability.json')[name];
      const queries = await ranker.hold(unpack(oracle.queries));
      const gallery = await ranker.hold(unpack(oracle.images));
      const answer = await ranker.stability({
        queries,
        gallery,
        families: Int32Array.from({ length: queries.gallery.count / 4 + 1 }, (_, f) => 4 * f),
        pairs: Int32Array.from(oracle.pairs.flat()),
        sizes: Int32Array.from(oracle.sizes),
        top: 5,
      });
      assert.deepEqual([...answer.rho], oracle.rho);
      assert.deepEqual([...answer.listwise], oracle.listwise);
      assert.deepEqual([...answer.shared], oracle.shared.flat());
      assert.deepEqual([...answer.tied], oracle.tied);
      assert.deepEqual([...answer.edgeTies], oracle.edgeTies.flat());
    });
  }

  it('is exact across block edges, odd sizes, duplicates and norms far from one', async () => {
    const rows = randomRows('queries', 517, 37);
    const items = randomRows('gallery', 4099, 37);
    const { data } = items;
    // Copies of one embedding are in the first, a middle and the last block. Another copy is multiplied by 1,024.
    for (const at of [2050, 4098]) data.copyWithin(at * 37, 0, 37);
    for (let k = 0; k < 37; k++) data[3000 * 37 + k] = 1024 * data[k];
    rows.data.set(data.subarray(0, 37), 516 * 37);
    const queries = await ranker.hold(rows);
    const gallery = await ranker.hold(items);
    const truths = Array.from({ length: 517 }, (_, q) => [0, (q * 31) % 4099]);
    const answer = await ranker.count({
      queries,
      gallery,
      thresholds: Float64Array.from(
        truths.flatMap((own, q) => own.map((t) => queries.gallery.cosine(q, gallery.gallery, t))),
      ),
      offsets: Int32Array.from({ length: 518 }, (_, q) => 2 * q),
      top: 7,
    });
    for (const query of [0, 255, 511, 512, 516]) {
      const scores = slowly(queries.gallery, gallery.gallery, query);
      truths[query].forEach((truth, t) => {
        assert.equal(answer.greater[2 * query + t], scores.filter((score) => score > scores[truth]).length);
        assert.equal(answer.equal[2 * query + t], scores.filter((score) => score === scores[truth]).length);
      });
      const order = [...scores.keys()].sort((a, b) => scores[b] - scores[a] || a - b).slice(0, 7);
      assert.deepEqual([...answer.topItems.subarray(7 * query, 7 * query + 7)], order);
      assert.deepEqual(
        [...answer.topScores.subarray(7 * query, 7 * query + 7)],
        order.map((item) => scores[item]),
      );
    }
    assert.equal(answer.equal[2 * 516], 4, 'the four copies tie');
    assert.deepEqual([...answer.topItems.subarray(7 * 516, 7 * 516 + 4)], [0, 2050, 3000, 4098]);
  });

  it('counts entries that are closer than float32 can distinguish', async () => {
    const near = randomRows('near', 1, 37).data;
    const items = randomRows('hair', 3001, 37);
    for (let at = 0; at < items.data.length; at++) items.data[at] = near[at % 37] + 1e-7 * items.data[at];
    const gallery = await ranker.hold(items);
    const queries = await ranker.hold(randomRows('queries', 3, 37));
    const all = [0, 1, 2].map((query) => slowly(queries.gallery, gallery.gallery, query));
    const answer = await ranker.count({
      queries,
      gallery,
      thresholds: Float64Array.from(all.flatMap((scores) => [scores[0], scores[2999]])),
      offsets: Int32Array.of(0, 2, 4, 6),
      top: 0,
    });
    const counted = all.flatMap((scores) =>
      [0, 2999].map((truth) => scores.filter((score) => score > scores[truth]).length),
    );
    assert.deepEqual([...answer.greater], counted);
    assert.ok(counted.some((greater) => greater > 100));
  });

  it('handles a gallery of identical entries', async () => {
    const items = { count: 5000, dimension: 8, data: new Float32Array(40_000).fill(0.25) };
    const gallery = await ranker.hold(items);
    const queries = await ranker.hold(randomRows('same', 3, 8));
    const own = Float64Array.from([0, 1, 2], (q) => queries.gallery.cosine(q, gallery.gallery, 0));
    const answer = await ranker.count({
      queries,
      gallery,
      thresholds: own,
      offsets: Int32Array.of(0, 1, 2, 3),
      top: 3,
    });
    assert.deepEqual([...answer.greater], [0, 0, 0]);
    assert.deepEqual([...answer.equal], [5000, 5000, 5000]);
    assert.deepEqual([...answer.topItems], [0, 1, 2, 0, 1, 2, 0, 1, 2]);
  });

  it('scores a pair as the bench does, to the bit', () => {
    const rows = randomRows('bench', 20, 384);
    const gallery = new Gallery(rows);
    for (let a = 0; a < 20; a++) {
      for (let b = 0; b < 20; b++) {
        const [left, right] = [a, b].map((row) => rows.data.subarray(row * 384, (row + 1) * 384));
        assert.equal(gallery.cosine(a, gallery, b), cosine(left, right));
      }
    }
  });

  it('rejects rows of zeros', async () => {
    await assert.rejects(
      ranker.hold({ count: 2, dimension: 2, data: Float32Array.of(1, 0, 0, 0) }),
      /Row 1 .* is all zeros/,
    );
    await assert.rejects(
      ranker.hold({ count: 1, dimension: 2, data: Float32Array.of(NaN, 0) }),
      /Row 0 .* contains NaN/,
    );
  });

  it('stops when cancelled', async () => {
    const own = new Ranker();
    try {
      const queries = await own.hold(randomRows('a', 4000, 256));
      const gallery = await own.hold(randomRows('b', 20_000, 256));
      const control = new AbortController();
      const offsets = new Int32Array(4001);
      const step = nextStep();
      const run = own.count(
        { queries, gallery, thresholds: new Float64Array(0), offsets, top: 1 },
        control.signal,
      );
      await step;
      control.abort();
      await assert.rejects(run, /Cancelled/);
    } finally {
      await own.close();
    }
  });
});
