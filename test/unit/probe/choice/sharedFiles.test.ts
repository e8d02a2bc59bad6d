import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { atOnce } from '../../../../src/base/turns/steps';
import { decisionMetrics } from '../../../../src/audit/decisions';
import type { Example } from '../../../../src/dataset/example';
import type { ImageItem } from '../../../../src/protocol/item';
import { leadsOf } from '../../../../src/probe/choice/decide';
import { choice } from '../../../../src/probe/choice/choice';
import type { Metric } from '../../../../src/probe/metric';
import type { PlanContext } from '../../../../src/probe/probe';
import { needSharedData, readAll, sharedData } from '../../dataset/support';
import { wholePlan } from '../wholePlan';
import { saying } from '../../../sentence';

interface Figures {
  matrices: { images: number; rightOf: number[]; trials: number; right: Record<string, number> }[];
  valse: Record<string, Record<string, number>>;
  bivlc: Record<string, Record<string, number>>;
}

/** The results of test/oracle/choice/make.py for the published files. */
const figures = JSON.parse(readFileSync('test/oracle/choice/figures.json', 'utf8')) as Figures;

/** A score from a hash of the image's name and the text. The Python script computes the same scores. */
function score(image: string, text: string): number {
  const digest = createHash('sha256').update(`${image}\0${text}`).digest();
  return digest.readUIntBE(0, 6) / 2 ** 48;
}

/** Runs the choice probe with `score`. */
function audit(
  examples: readonly Example[],
  options: PlanContext['options'],
): { metrics: Metric[]; refused: number } {
  const shared = { dataset: 'valse', seed: 42, options, scores: ['image-text' as const] };
  const summary = choice.summary(shared);
  let refused = 0;
  for (const example of examples) {
    const items = example.images.map(({ name }): ImageItem => ({
      kind: 'image',
      source: { name, path: name },
      transforms: [],
    }));
    const context = { ...shared, image: (i: number) => items[i] };
    if (choice.refuse(example, context) !== undefined) {
      refused++;
      continue;
    }
    const plan = wholePlan(choice, example, context);
    const scores = Float64Array.from(plan.wants, ({ left, right }) =>
      left.kind === 'image' && right.kind === 'text' ? score(left.source.name, right.text) : NaN,
    );
    for (const row of choice.measure(example, plan, scores, context)) {
      assert.ok(choice.rows.row.fits(JSON.parse(JSON.stringify(row))));
      summary.add(row);
    }
  }
  return { metrics: atOnce(summary.finish()).metrics, refused };
}

const whole = (metrics: readonly Metric[], id: string) =>
  metrics.find((metric) => metric.id === id && metric.slice === undefined);

describe('VALSE against a second implementation in Python', () => {
  for (const [file, expected] of Object.entries(figures.valse))
    it(`${file}: ${expected.n} valid items, acc_r, p_c, p_f, min and acc`, async function () {
      needSharedData(this);
      const { dataset, examples } = await readAll(join(sharedData, `valse/${file}.json`));
      assert.equal(dataset.format, 'valse');
      const { metrics, refused } = audit(examples, { votes: 2, threshold: '0.5' });
      assert.equal(whole(metrics, 'choice.pairwise')?.n, expected.n);
      assert.equal(examples.length - refused, expected.n);
      for (const id of ['pairwise', 'pc', 'pf', 'min', 'acc']) {
        const value = whole(metrics, `choice.${id}`)?.value;
        assert.ok(Math.abs(value! - expected[id]) < 1e-12, `${id}: ${value} instead of ${expected[id]}`);
      }
      assert.equal(audit(examples, { votes: 0, threshold: '' }).refused, 0);
    });

  it('counts the same items as the paper (existence 505, plurals 851)', () => {
    const counts = Object.entries(figures.valse).map(([name, { n }]) => [name, n]);
    assert.deepEqual(Object.fromEntries(counts), {
      existence: 505,
      plurals: 851,
      'counting-small-quant': 900,
      relations: 535,
      'foil-it': 943,
    });
  });

  it('reports no p_c and p_f for cosines', async function () {
    needSharedData(this);
    const { examples } = await readAll(join(sharedData, 'valse/existence.json'));
    assert.equal(whole(audit(examples, { votes: 2, threshold: '' }).metrics, 'choice.pc'), undefined);
  });
});

describe('scores of random matrices', () => {
  for (const { images, rightOf, trials, right } of figures.matrices)
    it(`equal a second implementation for ${images} × ${rightOf.length} with ${rightOf.join(', ')}`, () => {
      const counts: Record<string, number> = {};
      for (let trial = 0; trial < trials; trial++) {
        const scores = Array.from({ length: images }, (_, i) =>
          rightOf.map((_own, c) => score(`${trial}/${i}`, String(c))),
        );
        const leads = leadsOf({ scores, rightOf });
        for (const name of ['text', 'image', 'group', 'match'] as const) {
          const lead = leads[name];
          if (lead !== undefined) counts[name] = (counts[name] ?? 0) + (lead > 0 ? 1 : 0);
        }
      }
      assert.deepEqual(counts, right);
    });
});

describe("BiVLC's published decisions", () => {
  it("give the published scores, also for the slices of the paper's tables", async function () {
    needSharedData(this);
    const metrics = await decisionMetrics(join(sharedData, 'bivlc/BiVLC_ViT-B-32.csv'));
    let compared = 0;
    for (const [name, { n, ...expected }] of Object.entries(figures.bivlc)) {
      const slice =
        name === 'all' ? undefined : Object.fromEntries(name.split('&').map((of) => of.split('=')));
      for (const [id, value] of Object.entries(expected)) {
        const found = metrics.filter(
          (metric) => metric.id === `choice.${id}` && isDeepStrictEqual(metric.slice, slice),
        );
        assert.equal(found.length, 1, `${name} ${id}`);
        assert.equal(found[0].n, n, name);
        assert.ok(Math.abs(found[0].value! - value) < 1e-12, `${name} ${id}: ${found[0].value}`);
        assert.ok(found[0].chance !== undefined, `${name} ${id}`);
        compared++;
      }
    }
    // All examples, 3 types, 3 subtypes and 7 combinations have three scores each. All examples and 3 types have
    // four comparisons each.
    assert.equal(compared, 3 * (1 + 3 + 3 + 7) + 4 * (1 + 3));
    const published = { text: 0.7583, image: 0.524, group: 0.4906 };
    for (const [name, value] of Object.entries(published))
      assert.equal(Number(whole(metrics, `choice.${name}`)!.value!.toFixed(4)), value);
  });

  it('need a file with decisions; otherwise the error has a remedy', async () => {
    await assert.rejects(decisionMetrics('samples/sugarcrepe.json'), saying('audit.notDecisions'));
  });
});

describe('macro averages and groups', () => {
  const example = (i: number, kind: string, set: string): Example => ({
    id: String(i),
    form: 'choice',
    row: i,
    images: [{ name: `${i}.jpg` }],
    captions: [
      { text: `right ${i}`, role: 'caption', image: 0, field: 'c' },
      { text: `wrong ${i}`, role: 'negative', image: 0, field: 'n' },
    ],
    by: { tag: 'kind', atLeast: 1 },
    groups: { set },
    attributes: { kind },
  });

  it('weigh each kind equally, and need every example of a group', () => {
    const examples = [0, 1, 2, 3, 4, 5].map((i) => example(i, i < 4 ? 'a' : 'b', i % 2 ? 'x' : 'y'));
    const { metrics } = audit(examples, { votes: 2, threshold: '' });
    const isRight = examples.map(({ images, captions }) =>
      score(images[0].name, captions[0].text) > score(images[0].name, captions[1].text) ? 1 : 0,
    );
    const mean = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
    const expected = (mean(isRight.slice(0, 4)) + mean(isRight.slice(4))) / 2;
    assert.ok(Math.abs(whole(metrics, 'choice.accuracy.macro')!.value! - expected) < 1e-12);
    const sets = [0, 1].map((at) =>
      isRight.filter((_, i) => i % 2 === at).every((value) => value === 1) ? 1 : 0,
    );
    const set = whole(metrics, 'choice.set')!;
    assert.deepEqual([set.value, set.n, set.chance], [mean(sets), 2, 1 / 8]);
  });
});
