import assert from 'node:assert/strict';
import { atOnce } from '../../../src/base/turns/steps';
import { GalleryMetrics, PartialMetrics } from '../../../src/audit/partialMetrics';
import type { ChoiceRow } from '../../../src/probe/choice/row';
import type { InvarianceRow } from '../../../src/probe/invariance/row';
import type { ExploitRow } from '../../../src/probe/exploit/row';
import type { LgipRow } from '../../../src/probe/lgip/row';
import { probes } from '../../../src/probe/generated/probes';
import { resolveOptions } from '../../../src/probe/list';
import type { SugarcrepeRow } from '../../../src/probe/sugarcrepe/row';
import type { VislaRow } from '../../../src/probe/visla/row';
import type { ExplainRow } from '../../../src/probe/explain/row';
import type { LongRow } from '../../../src/probe/long/row';
import type { WinogroundRow } from '../../../src/probe/winoground/row';
import type { Metric, Row } from '../../../src/probe/metric';
import type { EvaluatorRun } from '../../../src/audit/scoring/pairRun';

describe('the metrics of a gallery probe so far', () => {
  it('are due after two seconds, and keep those of each evaluator without slices and intervals', () => {
    let now = 0;
    const told: object[] = [];
    const soFar = new GalleryMetrics(
      (standings) => told.push(standings),
      () => now,
    );
    assert.equal(soFar.wantsMetrics(), false);
    now = 2000;
    assert.equal(soFar.wantsMetrics(), true);
    const metric = { id: 'prsm.global', value: 0.9, n: 3 };
    soFar.tell('one', 3, [
      { ...metric, ci: [0.8, 1] },
      { ...metric, slice: { set: 'P1' } },
    ]);
    soFar.tell('two', 4, [metric]);
    assert.deepEqual(JSON.parse(JSON.stringify(told.at(-1))), [
      { evaluator: 'one', examples: 3, metrics: [metric] },
      { evaluator: 'two', examples: 4, metrics: [metric] },
    ]);
    assert.equal(soFar.wantsMetrics(), false);
  });
});

describe('partialMetrics', () => {
  it('are sent at once when they exist, then at most every two seconds', () => {
    let now = 0;
    let asked = 0;
    const evaluatorRun = {
      evaluator: { info: { name: 'one' } },
      examples: 0,
      summary: { soFar: (): Metric[] => (asked++, []) },
    } as unknown as EvaluatorRun;
    const localized: number[] = [];
    const partialMetrics = new PartialMetrics(
      [evaluatorRun],
      ([{ examples }]) => localized.push(examples),
      () => now,
    );
    partialMetrics.maybeTell();
    assert.deepEqual(localized, []);
    for (const [time, examples] of [
      [10, 5],
      [1000, 10],
      [2009, 15],
      [2010, 20],
      [3000, 25],
      [4100, 30],
    ]) {
      now = time;
      evaluatorRun.examples = examples;
      partialMetrics.maybeTell();
    }
    assert.deepEqual(localized, [5, 20, 30]);
    assert.equal(asked, 3);
  });

  it('of every pair probe do not change its report', () => {
    for (const probe of probes) {
      if (probe.mode !== 'pairs') continue;
      const context = {
        dataset: 'some',
        seed: 1,
        options: resolveOptions(probe, {}),
        scores: ['text-text', 'image-text'] as const,
        beside: probe.prepare?.({ datasetPath: __filename, options: resolveOptions(probe, {}) }),
      };
      const [asked, left] = [probe.summary(context), probe.summary(context)];
      for (const row of rowsOf[probe.id]) {
        asked.add(row);
        asked.soFar();
        left.add(row);
      }
      const metrics = asked.soFar();
      assert.ok(metrics.length > 0, probe.id);
      const final = atOnce(left.finish());
      assert.deepEqual(atOnce(asked.finish()), final, probe.id);
      for (const { id, value, n } of metrics) {
        const same = final.metrics.find((metric) => metric.id === id && metric.slice === undefined);
        assert.deepEqual([id, same?.value, same?.n], [id, value, n]);
      }
    }
  });
});

const row = (i: number) => ({ example: String(i), row: i, image: `${i % 3}.jpg` });
const score = (i: number) => ((i * 7) % 11) / 20;
const was = [0, 5] as const;
const count = [0, 1, 2, 3, 4, 5, 6, 7];

const exploitRows = count.map((i): ExploitRow => ({
  ...{ ...row(i), caption: 0, field: 'caption', text: 'a dog', words: 2, score: 0.3 },
  edits: [
    {
      family: 'shout',
      kind: 'capitals',
      text: 'A DOG',
      score: score(i),
      delta: score(i) - 0.3,
      was,
      span: was,
    },
  ],
  omitted: ['drop'],
}));

const lgipRows = count.map((i): LgipRow => ({
  ...row(i),
  caption: 0,
  field: 'caption',
  text: 'a dog',
  words: 2,
  outcome: 'perturbed',
  score: score(i),
  variants: (['paraphrase', 'flip'] as const).map((family, at) => ({
    text: 'a cat',
    family,
    kind: family === 'flip' ? 'object' : 'template',
    rule: 'some',
    score: score(i + at + 1),
    delta: score(i + at + 1) - score(i),
    ...(family === 'flip' ? { gap: score(i) - score(i + at + 1) } : {}),
    span: [2, 5],
    was: [2, 5],
  })),
}));
const vislaRows = count.map((i): VislaRow => ({
  ...row(i),
  ...{ p1: 'a', p2: 'b', n: 'c', swapped: false },
  characters: { p1p2: i, p1n: 1, p2n: 2 },
  words: { p1p2: i, p1n: 1, p2n: 2 },
  t2t: { p1p2: score(i), p1n: score(i + 1), p2n: score(i + 2), right: false, tie: false },
  i2t: { p1: score(i), p2: score(i + 3), n: score(i + 2), right: false, tie: false },
  settings: 'both wrong',
}));
const sugarcrepeRows = count.map((i): SugarcrepeRow => ({
  ...row(i),
  caption: 'a',
  negative: 'b',
  i2t: { caption: score(i), negative: score(i + 1), right: false, tie: false },
}));
const winogroundRows = count.map((i): WinogroundRow => ({
  ...row(i),
  captions: ['a', 'b'],
  images: ['a.jpg', 'b.jpg'],
  ...{ c0i0: score(i), c1i0: score(i + 1), c0i1: score(i + 2), c1i1: score(i + 3) },
  ...{ right: { text: false, image: false, group: false } },
}));
const choiceRows = count.map((i): ChoiceRow => ({
  ...row(i),
  captions: ['a', 'b', 'c'],
  images: ['a.jpg'],
  rightOf: [0, -1, -1],
  scores: [[score(i), score(i + 1), score(i + 2)]],
}));
const invarianceRows = count.map((i): InvarianceRow => ({
  ...row(i),
  objects: 'none',
  source: 'dataset',
  text: 'a dog',
  score: 0.5,
  variants: [
    {
      ...{ axis: 'spatial', family: 'blur', variant: '1', against: 0.5, score: score(i) },
      delta: score(i) - 0.5,
      change: 100 * (2 * score(i) - 1),
    },
  ],
  rejected: [],
}));

const longRows = count.map((i): LongRow => ({
  ...row(i),
  ...{ caption: 0, field: 'caption', text: 'A dog. A cat. A bird.', words: 6, sentences: [[0, 6]] },
  score: 0.5,
  variants: [
    {
      ...{ kind: 'object', text: 'A cow. A cat. A bird.', span: [2, 5], was: [2, 5] },
      ...{ position: 1 / 6, decile: 2, score: score(i), delta: score(i) - 0.5 },
    },
  ],
}));

const explainRows = count.map((i): ExplainRow => ({
  ...row(i),
  ...{ caption: 0, field: 'caption', text: 'a dog', score: 0.5, length: 2 },
  words: [
    {
      ...{ word: 'dog', span: [2, 5], at: 1, kind: 'noun', text: 'a' },
      ...{ score: score(i), influence: 0.5 - score(i) },
    },
  ],
}));

const rowsOf: Readonly<Record<string, readonly Row[]>> = {
  lgip: lgipRows,
  exploit: exploitRows,
  visla: vislaRows,
  sugarcrepe: sugarcrepeRows,
  winoground: winogroundRows,
  choice: choiceRows,
  invariance: invarianceRows,
  long: longRows,
  explain: explainRows,
};
