import assert from 'node:assert/strict';
import { lgipSideBySide } from '../../../../src/probe/lgip/sideBySide';
import type { LgipRow } from '../../../../src/probe/lgip/row';
import type { TextChart } from '../../../../src/chart/draw';
import { translated } from '../../../../src/report/export/chartMarkup';
import { inEnglish } from '../../../../src/report/export/speech';
import { drawn } from '../../../../src/report/export/chartMarkup';
import { drive, example, madeUpScore } from './drive';

const captions = ['A red bus on a street.', 'Two dogs by a white car.', 'A cat on a brown chair.'];
const examples = Array.from({ length: 8 }, (_, i) => example(`photo${i}`, captions));
const own = drive(examples).rows;
/** The same rows with another evaluator's scores, on another scale. */
const other = drive(examples, {
  score: (want) => 100 * madeUpScore({ left: want.right, right: want.left }),
}).rows;

function reportOf(name: string, rows: readonly LgipRow[]) {
  return {
    name,
    async *rows() {
      yield* rows;
    },
  };
}

const table = async (rows: readonly LgipRow[][]): Promise<(TextChart & { type: 'table' }) | undefined> => {
  const [chart] = await lgipSideBySide(rows.map((each, i) => reportOf('AB'[i], each)));
  assert.ok(chart === undefined || chart.type === 'table');
  return chart && (translated(chart, inEnglish) as TextChart & { type: 'table' });
};

describe('LGIP, examples side by side', () => {
  it('are flips on which the evaluators disagree, the clearest first, one per caption', async () => {
    const chart = await table([own, other]);
    const gapsOf = (rows: readonly LgipRow[]) =>
      rows.flatMap(({ variants }) =>
        variants.filter(({ family }) => family === 'flip').map(({ gap }) => gap!),
      );
    const [a, b] = [gapsOf(own), gapsOf(other)];
    const unit = (gaps: readonly number[]) => gaps.reduce((sum, gap) => sum + Math.abs(gap), 0) / gaps.length;
    const sizes = a.map((gap, i) => (gap * b[i] < 0 ? Math.abs(gap / unit(a) - b[i] / unit(b)) : 0));
    assert.ok(chart !== undefined && chart.rows.length > 1 && chart.rows.length <= 12);
    const [first] = drawn([chart]);
    const best = sizes.indexOf(sizes.reduce((most, size) => Math.max(most, size)));
    const flips = (rows: readonly LgipRow[]) =>
      rows.flatMap((row) =>
        row.variants.filter(({ family }) => family === 'flip').map(({ score }) => [row.score!, score]),
      );
    const expected = [flips(own)[best], flips(other)[best]].map((scores) => scores.map((s) => s.toFixed(3)));
    const cells = chart.rows[0].slice(2);
    for (const [i, [caption, flip]] of expected.entries()) {
      const bold = Number(flip) > Number(caption) ? { strong: flip } : flip;
      assert.deepEqual(cells[i], { runs: [caption, { quiet: 'flip' }, bold] });
    }
    assert.doesNotMatch(first, /flip of color/);
    assert.match(first, /flip of (colour|number|object)/);
    assert.match(first, /<th class="n">A<\/th><th class="n">B<\/th>/);
  });

  it('are empty if the evaluators agree or share no flips', async () => {
    assert.equal(await table([own, own]), undefined);
    const elsewhere = other.map((row) => ({ ...row, example: `not ${row.example}` }));
    assert.equal(await table([own, elsewhere]), undefined);
  });
});
