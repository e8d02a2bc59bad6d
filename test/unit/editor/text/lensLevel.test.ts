import assert from 'node:assert/strict';
import type { Mark, Verdict } from '../../../../src/protocol/rows';
import {
  hasLens,
  lensLevelOf,
  sharedText,
  worstFirst,
  worstLines,
  worstShown,
} from '../../../../src/editor/text/lensLevel';

const mark = (line: number, verdict: Verdict): Mark => ({
  ...{ line, texts: ['cat'], words: verdict },
  captions: [{ label: 'flip', text: 'cats', verdict, chosen: false, against: 0 }],
});
const placed = (line: number, verdict: Verdict, stale = false, fresh = false) => ({
  ...{ mark: mark(line, verdict), stale, fresh },
});

describe('levels of lenses', () => {
  it('read the values of earlier versions as what they showed, and unknown ones as the default', () => {
    assert.deepEqual([true, false, 'all', 'wrong', 'worst', 'off', undefined, 'some'].map(lensLevelOf), [
      'wrong',
      'off',
      'all',
      'wrong',
      'worst',
      'off',
      'wrong',
      'wrong',
    ]);
  });

  it('show all, the wrong, the worst or no examples, and the edited ones at every level but off', () => {
    const examples = [
      placed(1, 'right'),
      placed(2, 'wrong'),
      placed(3, 'tie'),
      placed(4, 'right', true),
      placed(5, 'right', false, true),
    ];
    const linesAt = (level: Parameters<typeof hasLens>[0]) =>
      examples.filter((each) => hasLens(level, each, new Set([1, 3]))).map((each) => each.mark.line);
    assert.deepEqual(linesAt('all'), [1, 2, 3, 4, 5]);
    assert.deepEqual(linesAt('wrong'), [2, 3, 4, 5]);
    // Line 1 is among the worst of a report, but its example is right.
    assert.deepEqual(linesAt('worst'), [3, 4, 5]);
    assert.deepEqual(linesAt('off'), []);
  });
});

describe('the worst examples', () => {
  const answer = (...lines: [number | undefined, Verdict][]) => ({
    lines: lines.map(([line, verdict], index) => ({
      ...{ index, before: '', after: '', label: '', verdict },
      ...(line === undefined ? {} : { line }),
    })),
  });

  it('are the worst of each evaluator in turn, without those that are right', () => {
    const one = answer([7, 'wrong'], [7, 'wrong'], [undefined, 'wrong'], [8, 'right'], [9, 'tie']);
    const other = answer([3, 'wrong'], [7, 'wrong'], [4, 'none']);
    assert.deepEqual([...worstLines([one, other])], [7, 3, 9]);
    assert.deepEqual([...worstLines([])], []);
  });

  it('are at most twenty', () => {
    const many = answer(
      ...Array.from({ length: worstFirst.limit }, (_, i): [number, Verdict] => [i, 'wrong']),
    );
    assert.deepEqual(
      [...worstLines([many])],
      Array.from({ length: worstShown }, (_, i) => i),
    );
  });
});

describe('lenses that say the same', () => {
  const wrongBy = (count: number) => Array.from({ length: count }, (_, i) => `wrong by 0.${10 + i}`);

  it('have one text with the range of each number', () => {
    assert.deepEqual(sharedText([...wrongBy(36), 'tie'], 40), {
      text: 'wrong by 0.10–0.45',
      count: 36,
    });
    const tied = Array.from({ length: 40 }, () => 'tie with 2 captions');
    assert.deepEqual(sharedText(tied, 40), { text: 'tie with 2 captions', count: 40 });
    // The order is by value: 9 is less than 10, and a decimal comma counts.
    const german = Array.from({ length: 40 }, (_, i) => `um ${i === 3 ? '10,5' : '9,5'}`);
    assert.equal(sharedText(german, 40)?.text, 'um 9,5–10,5');
  });

  it('do not become one if they are few, if too many differ, or if they name different words', () => {
    assert.equal(sharedText(wrongBy(34), 34), undefined);
    assert.equal(sharedText(wrongBy(35), 40), undefined);
    assert.equal(sharedText([], 0), undefined);
    const words = Array.from(
      { length: 40 },
      (_, i) => `"red" → "${String.fromCharCode(97 + i)}" higher by 0.1`,
    );
    assert.equal(sharedText(words, 40), undefined);
  });
});
