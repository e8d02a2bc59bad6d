import assert from 'node:assert/strict';
import { Random } from '../../../../src/base/random';
import type { Example } from '../../../../src/dataset/example';
import { long } from '../../../../src/probe/long/long';
import { longRows } from '../../../../src/probe/long/rowView';
import { metricOf } from '../../../../src/probe/metric';
import { normalQuantile } from '../../../../src/stats/normal';
import { drive } from './drive';

const count = 150;
const noise = (i: number, purpose: string): number => normalQuantile(new Random(i, purpose).uniform());
const sentences = (i: number): number => 3 + new Random(i, 'length').below(20);
const textOf = (i: number): string =>
  `Image ${i} shows a room. ${'There is one more table here. '.repeat(sentences(i) - 1)}`.trim();
const numberIn = (text: string): number => Number(/Image (\d+)/.exec(text)![1]);

/** One rated candidate an image. */
function rated(ratingOf: (i: number) => number): Example[] {
  return Array.from({ length: count }, (_, i) => ({
    ...{ id: `${i}`, form: 'rating', row: i, images: [{ name: `${i}.jpg` }], attributes: {} },
    captions: [
      { text: textOf(i), role: 'candidate', image: 0, field: 'caption', ratings: [ratingOf(i), ratingOf(i)] },
    ],
  }));
}

describe('long captions that people rated', () => {
  const likesLength = (i: number): number => sentences(i) / 6 + noise(i, 'people');

  it('have no agreement beyond length if only length is common, and an interval that says so', () => {
    const { rows, findings } = drive(rated(likesLength), (text) => {
      const i = numberIn(text);
      return sentences(i) / 6 + noise(i, 'score');
    });
    assert.equal(rows.length, count);
    assert.ok(
      rows.every(({ variants }) => variants.length === 0),
      'no error is planted in a candidate',
    );
    const of = (id: string) => metricOf(findings.metrics, id)!;
    const [raw, partial, normal] = ['', '.length', '.length.normal'].map((end) => of(`long.tauB${end}`));
    assert.ok(raw.value! > 0.2 && raw.ci![0] > 0, `${raw.value}`);
    assert.ok(Math.abs(normal.value!) < 0.05, `${normal.value}`);
    assert.ok(normal.ci![0] < 0 && normal.ci![1] > 0);
    assert.equal(partial.n, count);
    // The formula, from the three coefficients of the report and that of both with length.
    const [scores, people] = [of('long.length.scores').value!, of('long.length.people').value!];
    const expected = (raw.value! - scores * people) / Math.sqrt((1 - scores ** 2) * (1 - people ** 2));
    assert.ok(Math.abs(partial.value! - expected) < 1e-12);
    assert.ok(Math.abs(of('long.length.overPeople').value! - (scores - people)) < 1e-12);
    assert.ok(of('long.length.overPeople.p').value! > 0.05);
    assert.equal(of('long.pr').value, null);
    assert.deepEqual(findings.warnings, []);
    assert.deepEqual(long.claims(findings.metrics), []);
    assert.ok(longRows.row.fits(rows[0]));
  });

  it('have more agreement with length held constant if people alone prefer long captions', () => {
    const quality = (i: number): number => noise(i, 'quality');
    const { findings } = drive(
      rated((i) => quality(i) + sentences(i) / 6),
      (text) => quality(numberIn(text)),
    );
    const of = (id: string) => metricOf(findings.metrics, id)!;
    // Without length, scores and ratings are the same order. A linear share of length is not all of it in ranks.
    assert.ok(of('long.tauB.length').value! > of('long.tauB').value! + 0.05);
    assert.ok(of('long.tauB.length.normal').value! > of('long.tauB').value! + 0.1);
    const over = of('long.length.overPeople');
    assert.ok(over.ci![1] < 0 && of('long.length.overPeople.p').value! < 0.01);
  });

  it('have no adjusted agreement if length alone decides the scores', () => {
    const { findings } = drive(rated(likesLength), (text) => text.split(' ').length);
    const metric = metricOf(findings.metrics, 'long.tauB.length')!;
    assert.equal(metric.value, null);
    assert.match(JSON.stringify(metric.note), /stats\.(heldDecides|constantVariable)/);
  });

  it('are absent from other reports', () => {
    const { findings } = drive([], () => 0);
    assert.ok(!findings.metrics.some(({ id }) => /tauB|length/.test(id)));
  });
});
