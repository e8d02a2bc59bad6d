import assert from 'node:assert/strict';
import { confirmDraft } from '../../../../src/audit/precision/confirm';
import { exampleKey, type Rescoring } from '../../../../src/audit/precision/lines';
import { measureDraft, measuredWords } from '../../../../src/audit/precision/measure';
import { say } from '../../../../src/base/say';
import { exploitFamilies } from '../../../../src/perturb/exploit/families';
import { exploit } from '../../../../src/probe/exploit/exploit';
import type { Row } from '../../../../src/probe/metric';
import type { VislaRow } from '../../../../src/probe/visla/row';
import { visla } from '../../../../src/probe/visla/visla';

/** A row whose negative is behind by this margin; below zero, the row is wrong. */
function rowOf(row: number, margin: number): VislaRow {
  const [right, tie] = [margin > 0, margin === 0];
  const i2t = { p1: 0.5 + margin, p2: 0.5 + margin, n: 0.5, right, tie };
  const sizes = { p1p2: 1, p1n: 1, p2n: 1 };
  return {
    ...{ example: `e${row}`, row, p1: 'a', p2: 'b', n: 'c', i2t },
    ...{ words: sizes, characters: sizes },
  } as unknown as VislaRow;
}

/** Eighths and sixteenths have no rounding error. */
const unit = 1 / 1024;

interface Asked {
  run: Rescoring;
  wanted: ReadonlySet<string>[];
}

function planted(draft: readonly Row[], exact: readonly Row[], probe: Rescoring['probe'] = visla): Asked {
  const wanted: ReadonlySet<string>[] = [];
  const run: Rescoring = {
    probe,
    seed: 42,
    async *rows() {
      await Promise.resolve();
      yield* draft;
    },
    score(asked, onRow) {
      wanted.push(asked);
      for (const row of exact) if (asked.has(exampleKey(row))) onRow(row);
      return Promise.resolve();
    },
  };
  return { run, wanted };
}

/** The draft is off by 1 to 9 units. Rows 0 and 5 are 2 and 3 units from a tie, so only they change sides. */
const drafts = [2, 90, -80, 70, 0, -3, 60, -50, 40].map((margin, i) => rowOf(i, margin * unit));
const exacts = [-1, 92, -79, 74, 0, 2, 66, -57, 49].map((margin, i) => rowOf(i, margin * unit));
/** |−1−2| = 3, then 2, 1, 4, 0, 5, 6, 7, 9. */
const median = 4 * unit;
const largest = 9 * unit;

describe('the measurement of a draft', () => {
  it('has the median and the largest change, and the decisions, of planted differences', async () => {
    const { run, wanted } = planted(drafts, exacts);
    const found = await measureDraft(run);
    assert.deepEqual(found, {
      ...{ examples: 9, lines: 9, changes: { median, largest } },
      decisions: { same: 7, changed: 2 },
      // Rows 0, 1, 3, 6 and 8 are right in the draft; 1, 3, 5, 6 and 8 in float32.
      right: { draft: 5, exact: 5 },
    });
    assert.equal(wanted[0].size, 9);
    assert.deepEqual(
      measuredWords('int8', found!),
      say('draft.measuredDecisions', 'int8', 9, 2, 9, '0.0039', '0.0088', 5, 5),
    );
  });

  it('samples 200 examples by the seed alone, and pairs rows by their keys', async () => {
    const many = Array.from({ length: 1000 }, (_, i) => rowOf(i, (i + 1) * unit));
    const { run, wanted } = planted(many, many);
    const found = await measureDraft(run);
    assert.equal(found?.examples, 200);
    assert.deepEqual(found.changes, { median: 0, largest: 0 });
    await measureDraft(run);
    assert.deepEqual(wanted[1], wanted[0]);
    await measureDraft({ ...run, seed: 43 });
    assert.notDeepEqual(wanted[2], wanted[0]);
    // Examples of the whole file, not only of its beginning.
    const rows = [...wanted[0]].map((key) => (JSON.parse(key) as [number])[0]);
    assert.ok(rows.filter((row) => row >= 500).length > 60);
  });

  it('says nothing of fewer than five rows, or of rows that float32 has not', async () => {
    assert.equal(await measureDraft(planted(drafts.slice(0, 4), exacts).run), undefined);
    assert.equal(await measureDraft(planted(drafts, exacts.slice(0, 4)).run), undefined);
    assert.equal((await measureDraft(planted(drafts, exacts.slice(0, 5)).run))?.lines, 5);
  });

  it('compares no scores of different texts that a search found', async () => {
    const edited = (row: number, text: string, delta: number): Row => {
      const edit = { family: exploitFamilies[0], kind: 'own', text, delta, score: 0.5 };
      return { example: `e${row}`, row, text: 'a dog', edits: [edit], words: 2 } as unknown as Row;
    };
    const rows = (text: (i: number) => string, delta: number): Row[] =>
      Array.from({ length: 12 }, (_, i) => edited(i, text(i), delta));
    const same = rows(() => 'a dog best', 0.5);
    const other = rows((i) => (i < 5 ? 'a dog best' : 'a dog top'), 0.25);
    const found = await measureDraft(planted(same, other, exploit as Rescoring['probe']).run);
    assert.equal(found?.lines, 5);
    assert.equal(found.changes.largest, 0.25);
  });
});

describe('the confirmation of a draft', () => {
  it('scores wrong rows, ties and rows within the largest change again, and says which decisions stay', async () => {
    const { run, wanted } = planted(drafts, exacts);
    const { counts, lines } = await confirmDraft(run, largest);
    // Wrong are 2, 5 and 7. Close are 0 (2 units), 4 (a tie) and 5 (3 units).
    assert.deepEqual(counts, { worst: 3, close: 3, kept: 3, changed: 2, lost: 0 });
    assert.deepEqual(
      [...wanted[0]].sort(),
      [0, 2, 4, 5, 7].map((row) => exampleKey(drafts[row])),
    );
    assert.deepEqual(
      (lines as { row: number; kept: boolean }[]).map(({ row, kept }) => [row, kept]),
      [
        [0, false],
        [2, true],
        [4, true],
        [5, false],
        [7, true],
      ],
    );
    assert.deepEqual(lines[0], {
      ...{ example: 'e0', row: 0, line: 0, kept: false },
      draft: { delta: 2 * unit, verdict: 'right' },
      exact: { delta: -unit, verdict: 'wrong' },
    });
  });

  it('takes the 100 worst of many wrong rows, and only ties without a measured change', async () => {
    const many = Array.from({ length: 500 }, (_, i) => rowOf(i, -(i + 1) * unit)).concat(rowOf(500, 0));
    const { run, wanted } = planted(many, many);
    const { counts } = await confirmDraft(run);
    assert.deepEqual(counts, { worst: 100, close: 1, kept: 101, changed: 0, lost: 0 });
    const rows = [...wanted[0]].map((key) => (JSON.parse(key) as [number])[0]).sort((a, b) => a - b);
    assert.deepEqual([rows[0], rows.at(-1)], [400, 500]);
  });

  it('counts rows without a counterpart', async () => {
    const { counts } = await confirmDraft(planted(drafts, exacts.slice(0, 5)).run, largest);
    assert.deepEqual(counts, { worst: 3, close: 3, kept: 2, changed: 1, lost: 2 });
  });
});
