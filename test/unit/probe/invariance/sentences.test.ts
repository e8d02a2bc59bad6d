import assert from 'node:assert/strict';
import { atOnce } from '../../../../src/base/turns/steps';
import { Random } from '../../../../src/base/random';
import { normalQuantile } from '../../../../src/stats/normal';
import { lexicon } from '../../../../src/perturb/society/lexicon';
import type { Said } from '../../../../src/base/say';
import { invariance } from '../../../../src/probe/invariance/invariance';
import { Cell } from '../../../../src/probe/invariance/cell';
import { betweenGroups } from '../../../../src/probe/invariance/compare/groups';
import { compositionMetrics, type Scored } from '../../../../src/probe/invariance/object/composition';
import { bins, categories } from '../../../../src/probe/invariance/row';
import { contrastMetrics } from '../../../../src/probe/invariance/compare/contrasts';
import { largerOf } from '../../../../src/probe/inference/units';
import { eachNeutral } from '../../../../src/probe/invariance/compare/eachNeutral';
import type { InvarianceRow, InvarianceVariant } from '../../../../src/probe/invariance/row';
import type { Metric } from '../../../../src/probe/metric';

const words = ['African', 'Arab'];
const neutral = ['normal', 'plain'];
const noise = (...key: (string | number)[]): number => normalQuantile(new Random(11, ...key).uniform());

/** The effect of a word depends on the caption alone; with `shift`, on every caption alike. */
function row(image: number, sentence: number, shift: number): InvarianceRow {
  const text = `There is a thing ${sentence}.`;
  const rest = () => 0.001 * noise('rest', image, sentence, counted++);
  let counted = 0;
  const controls = neutral.map((name) => ({ text: `${name} ${text}`, score: 0.5 + rest() }));
  const variant = (family: string, name: string, score: number, against: number, againstText: string) => ({
    ...{ axis: 'societal', family, variant: name, text: `${name} ${text}`, againstText, against, score },
    ...{ delta: score - against, change: (100 * (score - against)) / against },
  });
  return {
    ...{ example: String(image), row: image, image: `${image}.jpg`, objects: 'single', source: 'template' },
    ...{ text, score: 0.5, rejected: [] },
    object: { label: 'dog', category: 'animal', tied: false, box: [0, 0, 9, 9], coverage: 0.5, bin: '35-50' },
    variants: [
      ...neutral.map((name, i) => variant('neutral', name, controls[i].score, 0.5, text)),
      ...words.map((name, w) => {
        const effect = w === 0 ? shift + 0.03 * noise('effect', sentence) : 0;
        const control = controls[image % 2];
        return variant('cultural', name, 0.5 + effect + rest(), control.score, control.text);
      }),
    ] as InvarianceVariant[],
  };
}

function metricsOf(images: number, sentences: number, shift = 0): Metric[] {
  const summary = invariance.summary({
    ...{ dataset: 'planted', seed: 42, options: {}, scores: ['image-text'] as const },
    beside: { lexicon, instances: { path: 'instances.json', sha256: '', images: new Map() } },
  });
  for (let image = 0; image < images; image++) summary.add(row(image, image % sentences, shift));
  return atOnce(summary.finish()).metrics;
}

const id = 'invariance.societal.cultural.African';
const p = (metrics: readonly Metric[], of: Partial<Metric>): Metric =>
  metrics.find((one) => one.id === of.id && JSON.stringify(one.slice) === JSON.stringify(of.slice))!;
const tests = (metrics: readonly Metric[]): Metric[] => [
  p(metrics, { id: `${id}.p` }),
  p(metrics, { id: `${id}.p`, slice: eachNeutral }),
  p(metrics, {
    id: 'invariance.societal.cultural.between',
    slice: { variant: words[0], against: words[1] },
  }),
  p(metrics, { id: 'invariance.societal.cultural.between' }),
];

describe('words whose effect is constant within a caption', () => {
  it('are tested with one observation per caption', () => {
    const metrics = metricsOf(100, 21);
    for (const { id: own, value, texts } of tests(metrics)) {
      assert.ok(value! > 0.05, `${own} = ${value}`);
      assert.equal(texts, 21);
    }
    assert.deepEqual(
      invariance.claims(metrics).map(({ text }) => (text as Said).code),
      ['invariance.wordsSwapOrder'],
    );
    for (const figure of ['median', 'beta1']) {
      const [low, high] = p(metrics, { id: `${id}.${figure}` }).ci!;
      assert.ok(low < 0 && high > 0, `${figure}: [${low}, ${high}]`);
    }
  });

  it('have a verdict if they change most captions, and only from 20 captions on', () => {
    const many = metricsOf(100, 21, 0.1);
    for (const { value } of tests(many)) assert.ok(value! < 0.001);
    const count = (metrics: readonly Metric[]) => invariance.claims(metrics).length;
    assert.ok(count(many) > 1);
    assert.equal(count(metricsOf(100, 19, 0.1)), 0);
  });

  it('have neither test nor interval below 5 captions', () => {
    const few = metricsOf(100, 4, 0.1);
    for (const { value } of tests(few)) assert.equal(value, null);
    for (const figure of ['median', 'beta1']) {
      assert.equal(p(few, { id: `${id}.${figure}` }).ci, undefined);
      assert.ok(Number.isFinite(p(few, { id: `${id}.${figure}` }).value));
    }
  });

  it('do not count captions apart if no two images share one', () => {
    for (const { value, texts } of tests(metricsOf(40, 40, 0.1))) {
      assert.ok(value! < 0.001);
      assert.equal(texts, undefined);
    }
  });

  it('have no p value below 1 if images and captions differ in their sign', () => {
    const test = (side: number) => ({ observations: 30, side, pValue: 0.01 });
    assert.equal(largerOf([test(1), test(-1)]), 1);
    assert.equal(largerOf([test(1), { ...test(1), pValue: 0.2 }]), 0.2);
  });
});

/** Scores of generated captions: an effect of the caption, and of three groups of captions with `shift`. */
function scored(images: number, captions: number, shift = 0): Scored[] {
  return Array.from({ length: images }, (_, image) => {
    const caption = image % captions;
    const group = caption % 3;
    return {
      ...{ image, text: String(caption), category: categories[group], bin: bins[group] },
      coverage: 0.1 + 0.05 * Math.abs(noise('coverage', image)),
      score: noise('caption', caption) + 0.05 * noise('image', image) + shift * group,
    };
  });
}

const pOf = (metrics: readonly Metric[]): [number | null, number | undefined] => [
  metrics[0].value,
  metrics[0].texts,
];

function groupTests(rows: readonly Scored[]): [number | null, number | undefined][] {
  const groups = categories.map((name) => {
    const own = rows.filter(({ category }) => category === name);
    const [images, texts] = [own.map(({ image }) => image), own.map(({ text }) => text!)];
    return { name, values: own.map(({ score }) => score), images, texts };
  });
  const effect = atOnce(compositionMetrics(rows)).filter((one) => one.id.endsWith('category.adjusted.p'));
  return [pOf(atOnce(betweenGroups('p', 'category', groups))), pOf(effect)];
}

describe('groups of objects whose score depends on the caption', () => {
  it('are tested with one observation per caption', () => {
    for (const [value, texts] of groupTests(scored(120, 24))) {
      assert.ok(value! > 0.05, String(value));
      assert.equal(texts, 24);
    }
    for (const [value] of groupTests(scored(120, 24, 3))) assert.ok(value! < 0.001, String(value));
  });

  it('have no pair of groups with fewer than 5 captions', () => {
    for (const [value] of groupTests(scored(120, 4, 3))) assert.equal(value, null);
  });

  it('count images if no two share a caption', () => {
    for (const [value, texts] of groupTests(scored(60, 60, 3))) {
      assert.ok(value! < 0.001, String(value));
      assert.equal(texts, undefined);
    }
  });

  it('have the interval of means over captions, too', () => {
    const widthOf = (rows: readonly Scored[]): number => {
      const { ci } = atOnce(compositionMetrics(rows)).find(
        ({ id: own }) => own === 'invariance.object.mean',
      )!;
      return ci![1] - ci![0];
    };
    const rows = scored(120, 24);
    assert.ok(widthOf(rows) > 1.5 * widthOf(rows.map((row) => ({ ...row, text: undefined }))));
  });
});

describe('changes of images', () => {
  it('count images alone', () => {
    const [first, second] = [0, 1].map((at) => {
      const cell = new Cell();
      for (let image = 0; image < 30; image++)
        cell.add({ image, reference: String(image), category: '', against: 1, score: 1 + noise(at, image) });
      return { name: String(at), cell };
    });
    for (const { texts } of atOnce(contrastMetrics('f', [first, second], false)))
      assert.equal(texts, undefined);
  });
});
