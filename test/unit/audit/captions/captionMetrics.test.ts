import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { captionMetrics } from '../../../../src/audit/captions/captionMetrics';
import { temporaryFolder } from '../../../../src/base/files/temporary';
import { createBench } from '../../../../src/bench/createBench';
import type { Evaluator } from '../../../../src/evaluator/evaluator';
import { addParts, bleuOf, noParts } from '../../../../src/evaluator/overlap/bleu';
import { scoreOverlap } from '../../../../src/evaluator/overlap/overlap';
import { readReferences } from '../../../../src/evaluator/overlap/references';
import { withReferences } from '../../../../src/evaluator/overlap/refClipScore';
import { clusteredMeanTest } from '../../../../src/stats/decisions/clusterTest';
import { Draws } from '../../../../src/stats/draws';
import { isDefined } from '../../../../src/stats/outcome';
import { saying } from '../../../sentence';

const words = ['red', 'bus', 'dog', 'street', 'two', 'cats', 'table', 'man', 'park', 'blue'];

/** Embeds a text as the set of its words, and an image as the words of its name. */
function byWords(): Evaluator {
  const embed = (text: string): Float32Array =>
    Float32Array.from(words, (word) => (text.split(/[^a-z]+/).includes(word) ? 1 : 0));
  return {
    info: {
      id: 'words',
      name: 'words',
      kind: 'dual-encoder',
      sha256: '0'.repeat(64),
      scores: ['image-text', 'text-text'],
      dimension: words.length,
      precision: 'float32',
      provider: 'cpu',
      scale: { name: 'clipped', weight: 2.5 },
      prefix: '',
      notes: [],
      textKey: 'words text',
      imageKey: 'words image',
    },
    embedTexts: (texts) => Promise.resolve(texts.map((text) => ({ ok: true, value: embed(text) }))),
    embedImages: (images) =>
      Promise.resolve(images.map(({ source }) => ({ ok: true, value: embed(source.name) }))),
    measureTexts: (texts) => Promise.resolve(texts.map(() => ({ tokens: 1, cut: false }))),
    close: () => Promise.resolve(),
  };
}

describe('captionMetrics', () => {
  async function files(named: Record<string, unknown>): Promise<(name: string) => string> {
    const folder = await temporaryFolder('caption-metrics');
    for (const [name, content] of Object.entries(named))
      writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content));
    return (name) => join(folder, name);
  }

  const common = {
    overlap: [],
    ofImages: [],
    images: [],
    seed: 1,
    signal: new AbortController().signal,
  } as const;

  it('compares two systems on the images in all files, and counts the others', async () => {
    const at = await files({
      'a.json': { 1: 'a red bus on a street', 2: 'a dog in a park', 3: 'two cats', 4: 'a man' },
      'b.json': { 1: 'a man', 2: 'a dog in a park', 3: 'two cats on a table', 5: 'a bus' },
      'refs.json': {
        1: ['a red bus on the street'],
        2: ['a dog runs in a park'],
        3: ['two cats on a table'],
      },
    });
    const bench = createBench();
    const result = await captionMetrics({
      ...common,
      candidates: [at('a.json'), at('b.json')],
      references: at('refs.json'),
      overlap: ['bleu-1', 'rouge-l'],
      bench,
    });
    await bench.close();
    assert.deepEqual([...result.leftOut], [['only one of the two files has the image', 2]]);
    assert.deepEqual(
      result.captions.map(({ image }) => image),
      ['1', '2', '3'],
    );
    const [bleu, rouge] = result.metrics;
    assert.equal(bleu.n, 3);
    // 12 of the 13 words are in the references, which have 17 words. BLEU is therefore e^(1 - 17/13) · 12/13.
    assert.ok(
      Math.abs(bleu.systems[0].value - Math.exp(1 - 17 / 13) * (12 / 13)) < 1e-6,
      String(bleu.systems[0].value),
    );
    assert.ok(rouge.difference !== undefined && rouge.difference.p > 0.2);
    const own = result.captions.map(({ scores }) => scores['rouge-l']);
    const apart = own.reduce((sum, [a, b]) => sum + ((a ?? NaN) - (b ?? NaN)), 0) / 3;
    assert.ok(Math.abs(rouge.difference.value - apart) < 1e-12);
  });

  it('scores all captions of an image if asked, with images as observations', async () => {
    const candidates = {
      1: ['a red bus', 'a dog on a street', 'two cats'],
      2: ['a dog in a park'],
      3: ['two cats on a table', 'a man'],
    };
    const references = { 1: ['a red bus on the street'], 2: ['a dog in a park'], 3: ['two cats on a table'] };
    const at = await files({ 'a.json': candidates, 'refs.json': references });
    const bench = createBench();
    const run = (all: boolean) =>
      captionMetrics({
        ...{ ...common, candidates: [at('a.json')], references: at('refs.json'), bench, all },
        overlap: ['bleu-1', 'rouge-l', 'cider'],
      });
    const { metrics, captions, leftOut } = await run(true);
    const first = await run(false);
    await bench.close();
    assert.deepEqual([...leftOut], []);
    assert.deepEqual([...first.leftOut], [['another caption of the same image', 3]]);
    assert.deepEqual(
      captions.map(({ image, candidate }) => [image, candidate]),
      [
        ['1', 0],
        ['1', 1],
        ['1', 2],
        ['2', 0],
        ['3', 0],
        ['3', 1],
      ],
    );
    assert.deepEqual(
      captions.filter(({ candidate }) => candidate === 0).map(({ scores }) => scores.cider),
      first.captions.map(({ scores }) => scores.cider),
      'the references of an image count once as a document',
    );
    const rows = Object.entries(candidates).flatMap(([image, own]) =>
      own.map((caption) => ({ caption, references: references[image as '1'] })),
    );
    const together = scoreOverlap(rows, ['bleu-1', 'rouge-l']);
    const each = [...together.each.get('rouge-l')!];
    const [bleu, rouge] = metrics;
    assert.deepEqual([rouge.n, rouge.captions], [3, 6]);
    assert.deepEqual(
      captions.map(({ scores }) => scores['rouge-l'][0]),
      each,
    );
    const test = clusteredMeanTest(each, ['1', '1', '1', '2', '3', '3'], { correctsSkewness: true });
    assert.ok(isDefined(test));
    assert.ok(Math.abs(rouge.systems[0].value - test.estimate) < 1e-15);
    assert.deepEqual(rouge.systems[0].ci, [Math.max(0, test.low), Math.min(1, test.high)]);
    const total = noParts();
    for (const parts of together.bleu) addParts(total, parts, 1);
    assert.equal(bleu.systems[0].value, bleuOf(total)[0]);
  });

  it('takes no image of another folder from another file, and counts those found by less than a path', async () => {
    const at = await files({
      'a.json': { 'v/dogs/1.jpg': 'a dog', 'v/cats/2.jpg': 'a cat', 'v/cats/3.jpg': 'a cat sleeps' },
      'refs.json': { 'cats/1.jpg': ['a cat'], 'cats/2.jpg': ['a cat'], 'cats/3.jpg': ['a cat sleeps'] },
    });
    const bench = createBench();
    const result = await captionMetrics({
      ...{ ...common, candidates: [at('a.json')], references: at('refs.json'), overlap: ['rouge-l'], bench },
    });
    await bench.close();
    assert.deepEqual(
      result.captions.map(({ image }) => image),
      ['v/cats/2.jpg', 'v/cats/3.jpg'],
    );
    assert.deepEqual([...result.leftOut], [['no references for the image', 1]]);
    assert.equal(result.partly?.count, 2);
    assert.deepEqual(result.partly.first[0], { name: 'v/cats/2.jpg', file: 'cats/2.jpg' });
  });

  it('has intervals that agree with the test, and a BLEU interval from leaving out each caption', async () => {
    const draws = new Draws('captions', 1);
    const text = (from: readonly string[]): string =>
      Array.from({ length: 6 }, () => from[Math.floor(draws.uniform() * from.length)]).join(' ');
    const rows = Array.from({ length: 60 }, (_, i) => ({
      id: String(i),
      a: text(words.slice(0, 4)),
      b: text(words),
    }));
    const of = (key: 'a' | 'b', kept = rows): Record<string, string> =>
      Object.fromEntries(kept.map((row) => [row.id, row[key]]));
    const references = Object.fromEntries(rows.map(({ id }) => [id, [text(words.slice(0, 4)), text(words)]]));
    const at = await files({ 'a.json': of('a'), 'b.json': of('b'), 'refs.json': references });
    const bench = createBench();
    const { metrics } = await captionMetrics({
      ...common,
      candidates: [at('a.json'), at('b.json')],
      references: at('refs.json'),
      overlap: ['bleu-2', 'meteor', 'cider'],
      bench,
    });
    await bench.close();
    for (const { id, systems, difference } of metrics) {
      assert.ok(difference?.ci !== undefined, id);
      const [low, high] = difference.ci;
      assert.ok(low < difference.value && difference.value < high, id);
      assert.equal(low > 0 || high < 0, difference.p <= 0.05, id);
      assert.ok(difference.p < 0.05, `${id}: the second system guesses words, p ${difference.p}`);
      for (const { value, ci } of systems) assert.ok(ci !== undefined && ci[0] < value && value < ci[1], id);
    }
    const items = rows.map(({ id, a }) => ({ caption: a, references: references[id] }));
    const { bleu } = scoreOverlap(items, ['bleu-2']);
    const scoreWithout = (left?: number): number => {
      const total = noParts();
      bleu.forEach((parts, i) => {
        if (i !== left) addParts(total, parts);
      });
      return bleuOf(total)[1];
    };
    const value = scoreWithout();
    const without = rows.map((_, i) => scoreWithout(i));
    const centre = without.reduce((sum, one) => sum + one, 0) / 60;
    const test = clusteredMeanTest(
      without.map((one) => value + 59 * (centre - one)),
      rows.map((_, i) => i),
      { correctsSkewness: true },
    );
    assert.ok(isDefined(test));
    const [ci, expected] = [metrics[0].systems[0].ci!, [test.low, test.high]];
    ci.forEach((end, side) => assert.ok(Math.abs(end - expected[side]) < 1e-9, `${end}, ${expected[side]}`));
  });

  it('combines image and references as RefCLIPScore does', async () => {
    const at = await files({
      'red bus.jpg': '',
      'a.json': { 'red bus.jpg': 'a red bus on a street' },
      'refs.json': { 'red bus.jpg': ['a red bus', 'a dog'] },
    });
    const id = 'refclipscore:words';
    const references = await readReferences(at('refs.json'));
    const bench = createBench();
    const result = await captionMetrics({
      ...common,
      candidates: [at('a.json')],
      references: at('refs.json'),
      ofImages: [{ id, evaluator: withReferences(byWords(), references, { id, name: id }) }],
      bench,
    });
    await bench.close();
    // The caption has 3 words of `words`. The image's name and the first reference each have 2 of these words, so
    // cos = 2/√6.
    const cosine = 2 / Math.sqrt(6);
    const clipscore = 2.5 * cosine;
    const expected = (2 * clipscore * cosine) / (clipscore + cosine);
    assert.ok(Math.abs((result.metrics[0].systems[0].value ?? NaN) - expected) < 1e-6);
    assert.equal(result.metrics[0].systems[0].ci, undefined, 'one caption has no interval');
  });

  it('leaves out captions that would take hours to compare, and counts them', async () => {
    const long = 'a dog '.repeat(300_000);
    const at = await files({
      'a.json': { 1: 'a dog', 2: long, 3: 'two cats' },
      'refs.json': { 1: ['a dog'], 2: ['a dog'], 3: ['two cats', long] },
    });
    const bench = createBench();
    const { captions, leftOut } = await captionMetrics({
      ...common,
      candidates: [at('a.json')],
      references: at('refs.json'),
      corpus: at('refs.json'),
      overlap: ['bleu-4', 'rouge-l', 'cider'],
      bench,
    });
    await bench.close();
    assert.deepEqual(
      captions.map(({ image }) => image),
      ['1'],
    );
    assert.deepEqual([...leftOut], [['a caption is longer than 20000 characters', 2]]);
  });

  it('names both files if they have no common image', async () => {
    const at = await files({ 'a.json': { 1: 'a dog' }, 'refs.json': { 2: 'a cat' } });
    const bench = createBench();
    await assert.rejects(
      captionMetrics({
        ...common,
        candidates: [at('a.json')],
        references: at('refs.json'),
        overlap: ['cider'],
        bench,
      }),
      saying('captions.noCommonImage'),
    );
    await bench.close();
  });
});
