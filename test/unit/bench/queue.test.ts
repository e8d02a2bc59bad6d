import { english } from '../../../src/base/english';
import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mock } from 'node:test';
import { CaptiousError } from '../../../src/base/errors';
import { Random } from '../../../src/base/random';
import type { Bench, BenchOptions, Progress } from '../../../src/bench/bench';
import { createBench } from '../../../src/bench/createBench';
import { cosine } from '../../../src/bench/similarity';
import type { ImageItem, TextItem, Want } from '../../../src/protocol/item';
import { until } from '../../until';
import { embed, FakeEvaluator } from './fakeEvaluator';
import { say } from '../../../src/base/say';
import { sentence } from '../../sentence';

const text = (words: string): TextItem => ({ kind: 'text', text: words });
const sentences = (count: number, tag = 'item'): string[] =>
  Array.from({ length: count }, (_, i) => `${tag} ${i}${' word'.repeat(i % 7)}`);

/** Replaces the clock of the bench. */
function fakeClock(): { pass: (ms: number) => void } {
  let now = 0;
  mock.method(performance, 'now', () => now);
  mock.timers.enable({ apis: ['setTimeout'] });
  return {
    pass: (ms) => {
      now += ms;
      mock.timers.tick(ms);
    },
  };
}

describe('Bench', () => {
  let store: string;
  let benches: Bench[] = [];

  beforeEach(async () => {
    store = await mkdtemp(join(tmpdir(), 'captious-bench-'));
  });
  afterEach(async () => {
    mock.restoreAll();
    mock.timers.reset();
    await Promise.all(benches.map((bench) => bench.close()));
    benches = [];
    await rm(store, { recursive: true, force: true });
  });

  function open(options: BenchOptions = {}): Bench {
    const bench = createBench({ store, ...options });
    benches.push(bench);
    return bench;
  }

  async function vectors(
    bench: Bench,
    evaluator: FakeEvaluator,
    texts: string[],
    signal?: AbortSignal,
  ): Promise<Float32Array[]> {
    const outcomes = await bench.embeddings(evaluator, texts.map(text), signal);
    return outcomes.map((outcome) => {
      assert.ok(outcome.ok);
      return outcome.value;
    });
  }

  async function imageItem(name: string, content: string): Promise<ImageItem> {
    const path = join(store, name);
    await writeFile(path, content);
    return { kind: 'image', source: { name, path }, transforms: [] };
  }

  it('encodes each distinct text once, within a call, over calls and over runs', async () => {
    const evaluator = new FakeEvaluator();
    const bench = open();
    const texts = [...sentences(100), ...sentences(100), ...sentences(50)];
    const wanted = texts.map((t) => embed(`text ${t}`, 8));
    assert.deepEqual(await vectors(bench, evaluator, texts), wanted);
    assert.deepEqual(await vectors(bench, evaluator, texts), wanted);
    await bench.close();
    assert.deepEqual(await vectors(open(), evaluator, texts), wanted);
    assert.deepEqual([...evaluator.embedded].sort(), sentences(100).sort());
    assert.equal(evaluator.measured, 100);
  });

  it('shares items in progress between concurrent calls', async () => {
    const evaluator = new FakeEvaluator({ turns: 2 });
    const bench = open();
    await Promise.all(Array.from({ length: 5 }, () => vectors(bench, evaluator, sentences(200))));
    assert.equal(evaluator.embedded.length, 200);
  });

  it('batches only texts of equal size, up to the batch size, two batches at a time', async () => {
    const evaluator = new FakeEvaluator({ turns: 1 });
    await vectors(open({ batchSize: 16 }), evaluator, sentences(500));
    for (const batch of evaluator.batches) {
      assert.ok(batch.length <= 16);
      assert.equal(new Set(batch.map((t) => t.split(' ').length)).size, 1);
    }
    assert.equal(evaluator.mostRunning, 2);
    // 500 texts of 7 lengths need at least 35 batches; a few more are allowed.
    assert.ok(evaluator.batches.length <= 42, `${evaluator.batches.length} batches`);
  });

  it('sends two batches ahead for each concurrent call of the evaluator', async () => {
    const evaluator = Object.assign(new FakeEvaluator({ turns: 2 }), { parallel: 3 });
    await vectors(open({ batchSize: 16 }), evaluator, sentences(500));
    assert.equal(evaluator.mostRunning, 6);
  });

  it('shrinks the batches of a slow model, and batches in progress arrive after a cancel', async () => {
    const clock = fakeClock();
    const evaluator = new FakeEvaluator({ turns: 1, onBatch: (_, names) => clock.pass(12 * names.length) });
    const same = Array.from({ length: 160 }, (_, i) => `item${i}`);
    await vectors(open(), evaluator, same);
    assert.equal(evaluator.batches[0].length, 32);
    const later = evaluator.batches.slice(4).map((batch) => batch.length);
    assert.ok(Math.max(...later) <= 25, later.join(' '));
    assert.ok(Math.max(...later) >= 12, later.join(' '));
  });

  for (const [name, each, smallest] of [
    ['keeps a quarter of the size if a busy machine makes batches slow', 150, 8],
    ['sends single texts to a model that is slow even with a quarter', 1500, 1],
  ] as const) {
    it(name, async () => {
      const clock = fakeClock();
      const evaluator = new FakeEvaluator({
        turns: 1,
        onBatch: (_, names) => clock.pass(each * names.length),
      });
      const same = Array.from({ length: 320 }, (_, i) => `item${i}`);
      await vectors(open(), evaluator, same);
      assert.equal(Math.min(...evaluator.batches.map((batch) => batch.length)), smallest);
    });
  }

  it('announces texts before it measures them, once, and only if the store lacks them', async () => {
    const announced: number[] = [];
    const evaluatorOf = (): FakeEvaluator =>
      Object.assign(new FakeEvaluator(), { expectTexts: (count: number) => announced.push(count) });
    const first = open({ store });
    const evaluator = evaluatorOf();
    evaluator.measureTexts = (texts) => {
      assert.deepEqual(announced, [100]);
      return FakeEvaluator.prototype.measureTexts.call(evaluator, texts);
    };
    await vectors(first, evaluator, sentences(100));
    await vectors(first, evaluator, sentences(120));
    await first.close();
    await vectors(open({ store }), evaluatorOf(), sentences(120));
    assert.deepEqual(announced, [100]);
  });

  it('keeps the size of batches that only wait for each other', async () => {
    const clock = fakeClock();
    const evaluator = new FakeEvaluator();
    const embedTexts = evaluator.embedTexts.bind(evaluator);
    let last: Promise<unknown> = Promise.resolve();
    // Runs one batch after the other. A batch of 32 texts takes 256 ms.
    evaluator.embedTexts = (texts, signal) => {
      const turn = last.then(() => {
        clock.pass(8 * texts.length);
        return embedTexts(texts, signal);
      });
      last = turn;
      return turn;
    };
    await vectors(
      open(),
      evaluator,
      Array.from({ length: 320 }, (_, i) => `item${i}`),
    );
    assert.deepEqual(new Set(evaluator.batches.map((batch) => batch.length)), new Set([32]));
  });

  it('sends a judge one pair at a time', async () => {
    const evaluator = new FakeEvaluator({ info: { kind: 'judge' } });
    const image = await imageItem('a.jpg', 'a');
    await open().scores(
      evaluator,
      ['x', 'y', 'z'].map((t) => ({ left: image, right: text(t) })),
    );
    assert.deepEqual(
      evaluator.batches.map((batch) => batch.length),
      [1, 1, 1],
    );
  });

  it('rejects items that the evaluator cannot embed', async () => {
    const evaluator = Object.assign(new FakeEvaluator(), { embedImages: undefined });
    await assert.rejects(open().embeddings(evaluator, [await imageItem('a.jpg', 'a')]), {
      kind: 'evaluator',
      what: say('bench.embedsNoSuchItems', 'Fake', say('bench.images')),
    });
  });

  it('gives identical bits for any batch size, order, concurrency and store', async () => {
    const texts = sentences(300);
    const expected = texts.map((t) => embed(`text ${t}`, 8));
    for (const batchSize of [1, 3, 32, 128]) {
      const order = new Random('order', batchSize).shuffle([...texts.keys()]);
      const bench = open({ batchSize, store: batchSize === 3 ? undefined : store });
      const parts = await Promise.all(
        [order.slice(0, 100), order.slice(50, 300)].map(async (part) => ({
          part,
          got: await vectors(
            bench,
            new FakeEvaluator(),
            part.map((i) => texts[i]),
          ),
        })),
      );
      for (const { part, got } of parts) {
        assert.deepEqual(
          got,
          part.map((i) => expected[i]),
        );
      }
      await bench.close();
    }
  });

  it('stores float32 values to the bit', async () => {
    const odd = Float32Array.from([-0, 1e-45, 3.4028234663852886e38, -1.1754943508222875e-38, 0.1, 1, -1, 7]);
    const evaluator = new FakeEvaluator();
    evaluator.embedTexts = (texts) => Promise.resolve(texts.map(() => ({ ok: true, value: odd })));
    const bench = open();
    await vectors(bench, evaluator, ['a']);
    await bench.close();
    const [read] = await vectors(open(), new FakeEvaluator(), ['a']);
    assert.deepEqual(new Uint32Array(read.buffer), new Uint32Array(odd.buffer));
  });

  it('distinguishes lone surrogates, normal forms and cases', async () => {
    const texts = ['\ud800', '\ud801', '\udfff', '\ufffd', 'é', 'e\u0301', 'E\u0301', '', ' ', '\0'];
    const evaluator = new FakeEvaluator();
    const bench = open();
    await vectors(bench, evaluator, texts);
    await bench.close();
    const again = await vectors(open(), evaluator, texts);
    assert.equal(evaluator.embedded.length, texts.length);
    assert.deepEqual(
      again,
      texts.map((t) => embed(`text ${t}`, 8)),
    );
  });

  it('separates evaluators by their keys', async () => {
    const bench = open();
    const one = new FakeEvaluator();
    const other = new FakeEvaluator({ info: { textKey: 'other' } });
    await vectors(bench, one, ['a']);
    await vectors(bench, other, ['a']);
    assert.equal(other.embedded.length, 1);
  });

  it('returns copies', async () => {
    const bench = open();
    const [first] = await vectors(bench, new FakeEvaluator(), ['a']);
    first.fill(0);
    const [second] = await vectors(bench, new FakeEvaluator(), ['a']);
    assert.deepEqual(second, embed('text a', 8));
  });

  it('scores: plain cosine for texts; scale and prefix only for an image and a text', async () => {
    const evaluator = new FakeEvaluator({
      info: { prefix: 'A photo depicts ', scale: { name: 'clipped', weight: 2.5 } },
    });
    const image = await imageItem('photo.jpg', 'pixels');
    const wants: Want[] = [
      { left: text('cat'), right: text('dog') },
      { left: image, right: text('cat') },
      { left: image, right: { ...image, transforms: [{ op: 'hflip' }] } },
    ];
    const outcomes = await open().scores(evaluator, wants);
    const seen = embed(`image ${Buffer.from('pixels').toString('hex')} []`, 8);
    const flipped = embed(`image ${Buffer.from('pixels').toString('hex')} [{"op":"hflip"}]`, 8);
    assert.deepEqual(outcomes, [
      { ok: true, value: cosine(embed('text cat', 8), embed('text dog', 8)) },
      { ok: true, value: 2.5 * Math.max(0, cosine(seen, embed('text A photo depicts cat', 8))) },
      { ok: true, value: cosine(seen, flipped) },
    ]);
  });

  it('rejects a kind of pair that the evaluator cannot score', async () => {
    const evaluator = new FakeEvaluator({ info: { scores: ['text-text'] } });
    const image = await imageItem('photo.jpg', 'pixels');
    await assert.rejects(open().scores(evaluator, [{ left: image, right: text('a') }]), {
      kind: 'evaluator',
      what: say('bench.pairKindUnscorable', 'Fake', 'image-text'),
    });
  });

  it('identifies an image by content: equal bytes once, changed bytes again, embedded bytes too', async () => {
    const evaluator = new FakeEvaluator();
    const bench = open();
    const [a, b] = [await imageItem('a.jpg', 'same'), await imageItem('b.jpg', 'same')];
    const carried: ImageItem = {
      kind: 'image',
      source: { name: 'row 1', bytes: Buffer.from('same') },
      transforms: [],
    };
    const [first, second, third] = await bench.embeddings(evaluator, [a, b, carried]);
    assert.deepEqual(first, second);
    assert.deepEqual(first, third);
    assert.equal(evaluator.embedded.length, 1);
    await imageItem('a.jpg', 'else');
    const [changed] = await bench.embeddings(evaluator, [a]);
    assert.notDeepEqual(changed, first);
    assert.equal(evaluator.embedded.length, 2);
  });

  it('does not store the result of an image that changed meanwhile', async () => {
    const evaluator = new FakeEvaluator();
    const image = await imageItem('a.jpg', 'before');
    const embedImages = evaluator.embedImages.bind(evaluator);
    evaluator.embedImages = async (images, signal) => {
      await imageItem('a.jpg', 'after!');
      return embedImages(images, signal);
    };
    const bench = open();
    const [outcome] = await bench.embeddings(evaluator, [image]);
    assert.ok(!outcome.ok && outcome.unreadable === true);
    await bench.close();
    await imageItem('a.jpg', 'before');
    const [again] = await open().embeddings(new FakeEvaluator(), [image]);
    assert.deepEqual(again, {
      ok: true,
      value: embed(`image ${Buffer.from('before').toString('hex')} []`, 8),
    });
  });

  it('returns a problem for a missing image and continues', async () => {
    const gone: ImageItem = {
      kind: 'image',
      source: { name: 'gone.jpg', path: join(store, 'gone.jpg') },
      transforms: [],
    };
    const [missing, fine] = await open().embeddings(new FakeEvaluator(), [
      gone,
      await imageItem('b.jpg', 'b'),
    ]);
    assert.ok(
      !missing.ok &&
        english(missing.problem).includes('gone.jpg') &&
        english(missing.problem).includes(sentence('base.pathMissing')),
    );
    assert.ok(fine.ok);
  });

  it('never stores a problem, and does not retry within the run', async () => {
    const evaluator = new FakeEvaluator({ refuse: (t) => t === 'bad' });
    const bench = open();
    const wants: Want[] = [{ left: text('bad'), right: text('good') }];
    assert.deepEqual(await bench.scores(evaluator, wants), [{ ok: false, problem: 'refused: bad' }]);
    assert.deepEqual(await bench.scores(evaluator, wants), [{ ok: false, problem: 'refused: bad' }]);
    assert.equal(evaluator.embedded.length, 2);
    await bench.close();
    const later = new FakeEvaluator();
    const [outcome] = await open().scores(later, wants);
    assert.ok(outcome.ok);
    assert.deepEqual(later.embedded, ['bad']);
  });

  it('turns non-finite numbers, wrong lengths and zero vectors into problems', async () => {
    const evaluator = new FakeEvaluator();
    evaluator.embedTexts = (texts) =>
      Promise.resolve(
        texts.map((t) => ({
          ok: true,
          value: new Float32Array(t === 'short' ? 7 : 8).fill(t === 'nan' ? NaN : t === 'inf' ? Infinity : 0),
        })),
      );
    const wants = ['short', 'nan', 'inf', 'zero'].map((t) => ({ left: text(t), right: text('zero') }));
    const problems = (await open().scores(evaluator, wants)).map((outcome) =>
      outcome.ok ? '' : outcome.problem,
    );
    assert.deepEqual(problems, [
      say('bench.embeddingLength', 7, 8),
      say('bench.embeddingNotFinite'),
      say('bench.embeddingNotFinite'),
      say('bench.allZeros'),
    ]);
  });

  it('stores scores of pairs, float64 to the bit', async () => {
    const info = { kind: 'pair-scorer', prefix: 'P: ', scores: ['image-text'] } as const;
    const evaluator = new FakeEvaluator({ info });
    const image = await imageItem('a.jpg', 'a');
    const wants = ['x', 'y', 'x'].map((t) => ({ left: image, right: text(t) }));
    const bench = open();
    const first = await bench.scores(evaluator, wants);
    assert.deepEqual(evaluator.embedded, ['a.jpg | P: x', 'a.jpg | P: y']);
    assert.deepEqual(first[0], { ok: true, value: embed('a.jpg | P: xa', 1)[0] / 3 });
    await bench.close();
    assert.deepEqual(await open().scores(evaluator, wants), first);
    assert.equal(evaluator.embedded.length, 2);
  });

  it('looks up external scores by name without the image, and stores none', async () => {
    const evaluator = new FakeEvaluator({ info: { kind: 'scores' } });
    const image: ImageItem = {
      kind: 'image',
      source: { name: 'far.jpg', path: '/nowhere/far.jpg' },
      transforms: [],
    };
    const bench = open();
    const [outcome] = await bench.scores(evaluator, [{ left: image, right: text('x') }]);
    assert.ok(outcome.ok);
    await bench.close();
    assert.deepEqual(await readdir(store), []);
  });

  it('counts truncated texts, from the model and from the store', async () => {
    const texts = ['short', `long${' word'.repeat(20)}`, `longer${' word'.repeat(30)}`];
    const evaluator = new FakeEvaluator();
    const bench = open();
    await vectors(bench, evaluator, texts);
    await vectors(bench, evaluator, texts);
    assert.equal(bench.cutTexts(evaluator), 2);
    await bench.close();
    const again = open();
    const other = new FakeEvaluator();
    assert.equal(again.cutTexts(other), 0);
    await vectors(again, other, texts);
    assert.equal(again.cutTexts(other), 2);
    again.forgetCuts(other);
    assert.equal(again.cutTexts(other), 0);
    await vectors(again, other, texts.slice(1, 2));
    assert.equal(again.cutTexts(other), 1, 'of results in memory, too');
  });

  it('cancels at once, and a second run encodes nothing twice', async () => {
    const texts = sentences(400);
    const controller = new AbortController();
    const evaluator = new FakeEvaluator({
      turns: 3,
      onBatch: (batch) => {
        if (batch === 12) controller.abort();
      },
    });
    const bench = open({ batchSize: 16 });
    const running = vectors(bench, evaluator, texts, controller.signal);
    await assert.rejects(running, { kind: 'interrupted' });
    await bench.close();
    const first = evaluator.embedded;
    assert.ok(first.length > 0 && first.length < 400);
    const second = new FakeEvaluator();
    assert.deepEqual(
      await vectors(open(), second, texts),
      texts.map((t) => embed(`text ${t}`, 8)),
    );
    assert.deepEqual([...first, ...second.embedded].sort(), [...texts].sort());
  });

  it('cancels one call without affecting another that wants the same item', async () => {
    const controller = new AbortController();
    const evaluator = new FakeEvaluator({
      turns: 3,
      onBatch: (batch) => {
        if (batch === 6) controller.abort();
      },
    });
    const bench = open({ batchSize: 8 });
    const one = vectors(bench, evaluator, sentences(200), controller.signal);
    const other = vectors(bench, evaluator, sentences(120));
    await assert.rejects(one, { kind: 'interrupted' });
    assert.equal((await other).length, 120);
    await vectors(bench, evaluator, ['what comes after it']);
    assert.ok(evaluator.embedded.length < 160, 'unwanted items were encoded');
  });

  it('closes although the evaluator never answers', async () => {
    const evaluator = new FakeEvaluator({ stall: () => true });
    let asked = false;
    evaluator.embedTexts = () => {
      asked = true;
      return new Promise(() => undefined);
    };
    const bench = open();
    const running = vectors(bench, evaluator, ['a']);
    await until(() => asked);
    const [closed] = await Promise.allSettled([bench.close(), running]);
    assert.equal(closed.status, 'fulfilled');
  });

  it('passes a crash on to the callers and works again afterwards', async () => {
    const evaluator = new FakeEvaluator({ crash: (batch) => batch === 3 });
    const bench = open({ batchSize: 16 });
    await assert.rejects(vectors(bench, evaluator, sentences(400)), (error) => {
      assert.ok(error instanceof CaptiousError);
      assert.equal(error.message, 'The model process died.');
      return true;
    });
    const before = evaluator.batches.flatMap((batch, i) => (i === 3 ? [] : batch));
    await vectors(bench, evaluator, sentences(400));
    const after = evaluator.batches.flatMap((batch, i) => (i === 3 ? [] : batch));
    assert.equal(new Set(after).size, after.length, 'what had arrived is not encoded twice');
    assert.ok(before.length < after.length);
  });

  it('rejects an evaluator that returns too few results', async () => {
    const evaluator = new FakeEvaluator();
    evaluator.embedTexts = () => Promise.resolve([]);
    await assert.rejects(vectors(open(), evaluator, ['a']), /returned 0 results for 1 items/);
  });

  it('reports progress: each distinct item once, hits in the store, a rate', async () => {
    const texts = sentences(200);
    const first = open();
    await vectors(first, new FakeEvaluator(), texts.slice(0, 80));
    await first.close();
    const reports: Progress[] = [];
    const clock = fakeClock();
    const bench = open({ onProgress: (progress) => reports.push(progress), batchSize: 4 });
    await vectors(bench, new FakeEvaluator({ turns: 1, onBatch: () => clock.pass(10) }), [
      ...texts,
      ...texts,
    ]);
    await vectors(bench, new FakeEvaluator(), texts);
    await bench.close();
    const last = reports.at(-1)!;
    assert.deepEqual({ ...last, rate: 0 }, { asked: 200, done: 200, fromStore: 80, rate: 0 });
    assert.ok(reports.length > 1);
    assert.ok(last.rate !== undefined && last.rate > 200 && last.rate < 500, `rate ${last.rate}`);
  });

  it('works without a store', async () => {
    const evaluator = new FakeEvaluator();
    const bench = open({ store: undefined });
    await vectors(bench, evaluator, sentences(50));
    await vectors(bench, evaluator, sentences(50));
    assert.equal(evaluator.embedded.length, 50);
  });

  it('continues without storing, with one warning, if the store is not a folder', async () => {
    const path = join(store, 'file');
    await writeFile(path, 'not a folder');
    const warnings: string[] = [];
    const bench = open({ store: path, onWarning: (message) => warnings.push(message) });
    assert.equal((await vectors(bench, new FakeEvaluator(), sentences(50))).length, 50);
    await bench.close();
    assert.equal(warnings.length, 1, warnings.join('\n'));
  });
});

describe('cosine', () => {
  it('is exactly 1 for equal vectors, symmetric, and within [-1, 1]', () => {
    const random = new Random('cosine');
    for (let i = 0; i < 300; i++) {
      const a = Float32Array.from({ length: 384 }, () => random.uniform() - 0.5);
      const b = a.map((x) => x * (1 + (random.uniform() - 0.5) * 1e-7));
      assert.equal(cosine(a, a), 1);
      assert.equal(cosine(a, b), cosine(b, a));
      assert.ok(Math.abs(cosine(a, b)) <= 1);
      assert.equal(
        cosine(
          a,
          a.map((x) => -x),
        ),
        -1,
      );
    }
    assert.equal(cosine(Float32Array.of(1, 0), Float32Array.of(1, 1)), 1 / Math.sqrt(2));
    assert.ok(Number.isNaN(cosine(new Float32Array(3), Float32Array.of(1, 2, 3))));
    assert.throws(() => cosine(new Float32Array(3), new Float32Array(4)), RangeError);
  });
});
