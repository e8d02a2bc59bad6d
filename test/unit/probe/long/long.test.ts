import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { findSaid, type Said } from '../../../../src/base/say';
import { Random } from '../../../../src/base/random';
import { long } from '../../../../src/probe/long/long';
import { isError, type LongRow, type PlantedVariant } from '../../../../src/probe/long/row';
import { type Metric, metricOf } from '../../../../src/probe/metric';
import { caption, drive, example } from './drive';

const examples = Array.from({ length: 24 }, (_, image) => example(`image-${image}`, caption(image)));
const wordsOf = (text: string): string[] => text.split(/\s+/);
const own = [...new Set(examples.flatMap(({ captions }) => wordsOf(captions[0].text)))];
const value = (metrics: readonly Metric[], id: string): number | null | undefined =>
  metricOf(metrics, id)?.value;
const errorsOf = (rows: readonly LongRow[]): PlantedVariant[] =>
  rows.flatMap(({ variants }) => variants.filter(isError));
const codes = (metrics: readonly Metric[]): string[] =>
  long.claims(metrics).map(({ text }) => (text as Said).code);

/** A number that every text determines, and that differs for different texts. */
function hashed(text: string): number {
  return new Random(1, text).uniform();
}

describe('the probe of long captions', () => {
  it('plants errors of all kinds, over the whole caption', () => {
    const errors = errorsOf(drive(examples, () => 0).rows);
    assert.deepEqual([...new Set(errors.map(({ kind }) => kind))].sort(), [
      'color',
      'number',
      'object',
      'relation',
    ]);
    assert.ok(new Set(errors.map(({ decile }) => decile)).size >= 6);
  });

  it('finds every error with an evaluator that knows the truth, and gives no verdict on positions', () => {
    // A text scores 1 if its words are those of a true caption, and 0 if one is wrong. Moved sentences keep the words.
    const sorted = (text: string): string => wordsOf(text).sort().join(' ');
    const score = (text: string, truth: string) => (sorted(text) === sorted(truth) ? 1 : 0);
    const { findings, rows } = drive(examples, score);
    const { metrics } = findings;
    assert.equal(value(metrics, 'long.pr'), 1);
    for (let decile = 1; decile <= 10; decile++)
      assert.ok([1, null].includes(value(metrics, `long.pr.position.${decile}`)!));
    assert.equal(metricOf(metrics, 'long.pr')!.ties, 0);
    assert.equal(metricOf(metrics, 'long.pr')!.n, errorsOf(rows).length);
    assert.equal(value(metrics, 'long.slope'), 0);
    assert.equal(value(metrics, 'long.slope.p'), null);
    assert.deepEqual(
      ['delete', 'repeat', 'move'].map((kind) => value(metrics, `long.${kind}`)),
      [-1, -1, 0],
    );
    assert.ok(!codes(metrics).some((code) => /later|unread/.test(code)), codes(metrics).join());
  });

  for (const limit of [12, 25])
    it(`ties every error after the first ${limit} words with an evaluator that reads no more`, () => {
      const read = (text: string): string => wordsOf(text).slice(0, limit).join(' ');
      const truncates = (text: string) => wordsOf(text).length > limit;
      const { findings, rows } = drive(examples, (text, truth) => (read(text) === read(truth) ? 1 : 0), {
        truncates,
      });
      const errors = errorsOf(rows).map((error) => {
        const { text } = rows.find(({ variants }) => variants.includes(error))!;
        return { ...error, before: wordsOf(text.slice(0, error.was[0]).trim()).length };
      });
      const isPast = ({ before }: { before: number }): boolean => before >= limit;
      const past = errors.filter(isPast).length;
      assert.ok(past > 20 && past < errors.length - 20, `${past} of ${errors.length}`);
      for (const error of errors) {
        assert.equal(error.past, isPast(error), error.text);
        assert.equal(error.delta === 0, isPast(error), error.text);
      }
      const { metrics, warnings } = findings;
      assert.equal(value(metrics, 'long.ignored'), past / errors.length);
      assert.equal(value(metrics, 'long.pr'), (errors.length - past) / errors.length);
      assert.equal(metricOf(metrics, 'long.pr')!.ties, past);
      assert.equal(value(metrics, 'long.ignored.changed'), 0);
      assert.equal(value(metrics, 'long.slope.read'), 0);
      assert.ok(metricOf(metrics, 'long.slope')!.ci![1] < 0);
      for (const code of ['long.unread', 'long.laterLess'])
        assert.ok(codes(metrics).includes(code), codes(metrics).join());
      assert.ok(!warnings.some((one) => (one as Said).code === 'long.pastLimitChanged'));
    });

  it('does not blame the place of an error for what the token limit hides', () => {
    const firstWords = (text: string): string => wordsOf(text).slice(0, 25).join(' ');
    const truncates = (text: string) => wordsOf(text).length > 25;
    // Each read error is detected or not by a coin, and no later one is read.
    const coin = (text: string) => hashed(firstWords(text));
    const known = long.claims(drive(examples, coin, { truncates }).findings.metrics);
    assert.ok(
      known.some(({ text }) => (text as Said).code === 'long.laterReadUndecided'),
      JSON.stringify(known),
    );
    const unknown = drive(examples, coin).findings.metrics;
    const later = long.claims(unknown).find(({ text }) => findSaid(text, 'long.laterLess') !== undefined);
    const { n, ties } = metricOf(unknown, 'long.pr')!;
    const share = `${((100 * ties!) / n!).toFixed(1)} %`;
    assert.deepEqual(findSaid(later!.text, 'long.errorsTied')?.values, [share]);
    assert.ok(findSaid(later!.text, 'long.limitMayExplain') !== undefined);
  });

  it('warns if an error after the limit changes the score', () => {
    const truncates = (text: string) => wordsOf(text).length > 20;
    const { findings, rows } = drive(examples, hashed, { truncates });
    const past = errorsOf(rows).filter((error) => error.past === true).length;
    assert.equal(value(findings.metrics, 'long.ignored.changed'), 1);
    const warning = findings.warnings.find((one) => (one as Said).code === 'long.pastLimitChanged');
    assert.deepEqual((warning as Said).values, [String(past), String(past)]);
  });

  it('counts right words: an error loses one, a repeated sentence gains its length', () => {
    // Other words than those of all true captions count as wrong.
    const known = new Set(own);
    const score = (text: string) => wordsOf(text).filter((word) => known.has(word)).length;
    const { findings, rows } = drive(examples, score);
    for (const row of rows)
      for (const variant of row.variants) {
        const length = wordsOf(row.text.slice(...variant.was)).length;
        if (variant.kind === 'repeat') assert.equal(variant.delta, length);
        if (variant.kind === 'delete') assert.equal(variant.delta, -length);
        if (variant.kind === 'move') assert.equal(variant.delta, 0);
      }
    const lengths = (kind: string): number[] =>
      rows.flatMap(({ text, variants }) =>
        variants.filter((one) => one.kind === kind).map(({ was }) => wordsOf(text.slice(...was)).length),
      );
    const mean = (list: readonly number[]): number => list.reduce((sum, one) => sum + one, 0) / list.length;
    assert.equal(value(findings.metrics, 'long.repeat'), mean(lengths('repeat')));
    assert.equal(value(findings.metrics, 'long.delete'), -mean(lengths('delete')));
    assert.equal(value(findings.metrics, 'long.move'), 0);
    assert.ok(codes(findings.metrics).includes('long.repeatRaises'));
  });

  it('does not know the limit of an evaluator that cannot measure texts', () => {
    const { metrics } = drive(examples, hashed).findings;
    for (const id of ['long.ignored', 'long.ignored.changed', 'long.slope.read'])
      assert.deepEqual(
        [value(metrics, id), (metricOf(metrics, id)!.note as Said).code],
        [null, 'long.limitUnknown'],
      );
  });

  it('leaves out captions with fewer sentences, with the reason', () => {
    const short = example('short', 'A dog runs. A cat sleeps.');
    const { rows, refused } = drive([short, examples[0]], hashed);
    assert.equal(rows.length, 1);
    assert.deepEqual(refused, [{ code: 'long.tooFewSentences', values: ['3'] }]);
    assert.equal(drive([short], hashed, { options: { leastSentences: 2 } }).rows.length, 1);
  });

  it('has no row without a score of the caption, and counts lost variants', () => {
    const [first] = examples;
    const lost = drive([first], (text) => (text === first.captions[0].text ? NaN : 1));
    assert.equal(lost.rows.length, 0);
    const [row] = drive([first], (text) => (text === first.captions[0].text ? 1 : NaN)).rows;
    assert.deepEqual(row.variants, []);
    assert.ok(row.lost! > 3);
  });

  it('plants at most as many errors as the option says', () => {
    for (const mostErrors of [0, 2])
      for (const { variants } of drive(examples, hashed, { options: { mostErrors } }).rows)
        assert.ok(variants.filter(isError).length <= mostErrors);
    assert.throws(() => drive(examples, hashed, { options: { mostErrors: -1 } }));
  });

  it('shows the sentence before and after, with both scores', () => {
    const { rows } = drive([examples[0]], hashed);
    for (const [sub, variant] of rows[0].variants.entries()) {
      const line = long.rows.line(rows[0], sub);
      assert.ok(rows[0].text.includes(line.before));
      assert.equal(line.score, variant.score);
      if (isError(variant)) {
        assert.notEqual(line.before, line.after);
        assert.ok(variant.text.includes(line.after) && line.after.endsWith('.'));
      }
      assert.equal(long.rows.detail(rows[0], sub).captions[0].score, rows[0].score);
      assert.ok(long.rows.row !== undefined);
    }
    assert.equal(long.rows.facts(rows[0]).length, rows[0].variants.length);
  });

  it('charts the detection over the position with its intervals', async () => {
    const { metrics } = drive(examples, hashed).findings;
    const none = Readable.from([]) as AsyncIterable<LongRow>;
    const charts = await long.charts!({ evaluator: { name: 'toy' }, metrics }, none);
    const curves = charts.find(({ type }) => type === 'curves')!;
    assert.ok(curves.type === 'curves' && curves.curves[0].points.length >= 6);
    assert.ok(curves.curves[0].points.every(({ ci }) => ci === undefined || ci[0] <= ci[1]));
  });
});
