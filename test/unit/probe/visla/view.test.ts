import assert from 'node:assert/strict';
import { english } from '../../../../src/base/english';
import type { VislaRow } from '../../../../src/probe/visla/row';
import { vislaRows } from '../../../../src/probe/visla/rowView';
import { vislaView } from '../../../../src/probe/visla/view';
import { say, type Said, type Words } from '../../../../src/base/say';
import { sentence } from '../../../sentence';

const fromCaptions = (p1n: number) => ({
  t2t: { p1p2: 0.8, p1n, p2n: 0.5, right: p1n < 0.8, tie: p1n === 0.8 },
});
const withImage = (n: number) => ({ i2t: { p1: 0.4, p2: 0.3, n, right: n < 0.3, tie: n === 0.3 } });

/** The text of a row's mark, and 'wrong' if the mark has a wrong caption, otherwise 'right'. */
function markOf(scores: Pick<VislaRow, 't2t' | 'i2t'>): [Words, string] {
  const { words, captions } = vislaRows.mark(rowOf(scores));
  return [words, captions.some(({ verdict }) => verdict === 'wrong') ? 'wrong' : 'right'];
}

function rowOf(scores: Pick<VislaRow, 't2t' | 'i2t'>): VislaRow {
  const words = { p1p2: 1, p1n: 1, p2n: 1 };
  const texts = { p1: 'a cat', p2: 'one cat', n: 'a dog' };
  return { example: 'e', row: 0, ...texts, swapped: false, words, characters: words, ...scores };
}

describe('the cards of VISLA', () => {
  it('compare captions with each other, or with the image', () => {
    const aboutOf = (id: string) => {
      const metrics = ['', '.p1n', '.p2n'].map((part) => ({ id: `${id}${part}`, value: 0.5, n: 9 }));
      return vislaView.cards(metrics).map(({ about }) => (about as Said).code);
    };
    for (const [id, setting] of [
      ['visla.t2t', 'captions'],
      ['visla.i2t', 'image'],
    ])
      assert.deepEqual(
        aboutOf(id).slice(0, 4),
        ['Accuracy', 'First', 'Second', 'Margin'].map((part) => `visla.${setting}${part}Meaning`),
      );
  });
});

describe('an open triplet', () => {
  it('starts with the numbers of its row, and has the scores of both settings', () => {
    for (const scores of [
      fromCaptions(0.7),
      withImage(0.5),
      { ...fromCaptions(0.9), ...withImage(0.1) },
      { ...fromCaptions(0.7), ...withImage(0.5) },
    ]) {
      const row = rowOf(scores);
      const line = vislaRows.line(row, 0);
      const { captions } = vislaRows.detail(row, 0);
      // With the image alone, the row has the positive that scores lower.
      const own = captions.find(
        ({ score, text }) => score !== undefined && (row.t2t !== undefined || text === line.before),
      );
      assert.equal(own?.score, line.score);
      const judged = captions.find(({ delta }) => delta !== undefined);
      assert.deepEqual([judged?.delta, judged?.verdict], [0 - line.delta!, line.verdict]);
    }
    const { captions } = vislaRows.detail(rowOf({ ...fromCaptions(0.7), ...withImage(0.5) }), 0);
    assert.deepEqual(
      captions.map(({ label, score }) => [english(label), score]),
      [
        ['P1', undefined],
        [sentence('visla.secondAgainstFirst'), 0.8],
        [sentence('visla.negativeAgainstFirst'), 0.7],
        [sentence('visla.captionWithImage', 'P1'), 0.4],
        [sentence('visla.captionWithImage', 'P2'), 0.3],
        [sentence('visla.captionWithImage', 'N'), 0.5],
      ],
    );
  });
});

describe('the row of a triplet', () => {
  it('has the comparison that is lost, or nearly lost', () => {
    const t2t = { p1p2: 0.8, p1n: 0.7, p2n: 0.9, right: false, tie: false };
    const row = rowOf({ t2t });
    const { before, after, label } = vislaRows.line(row, 0);
    const lost = say('visla.wrongComparison', say('visla.firstAgainstNegative'));
    assert.deepEqual([before, after, label], ['a cat', 'a dog', lost]);
    assert.deepEqual(
      vislaRows.detail(row, 0).captions.map(({ label: of, text, score }) => [english(of), text, score]),
      [
        [sentence('visla.firstAgainstSecond'), 'a cat', 0.8],
        ['P2', 'one cat', undefined],
        [sentence('visla.negativeAgainstSecond'), 'a dog', 0.9],
      ],
    );
    const other = rowOf({ t2t: { ...t2t, p1n: 0.9, p2n: 0.7 } });
    assert.deepEqual(vislaRows.line(other, 0).before, 'one cat');
  });

  it('says whether the image changes the result, because right and wrong are from the captions alone', () => {
    const labelOf = (row: Partial<VislaRow>) => vislaRows.line(rowOf(row), 0).label;
    const lost = say('visla.secondAgainstNegative');
    for (const [settings, alone, image, label] of [
      ['both right', 0.7, 0.1, say('visla.rightInBoth')],
      ['only t2t', 0.7, 0.5, say('visla.rightOnlyWithoutImage')],
      ['only i2t', 0.9, 0.1, say('visla.wrongUnlikeImage', lost)],
      ['both wrong', 0.9, 0.5, say('visla.wrongComparison', lost)],
    ] as const)
      assert.deepEqual(labelOf({ ...fromCaptions(alone), ...withImage(image), settings }), label);
    assert.deepEqual(labelOf(fromCaptions(0.7)), say('visla.right'));
  });
});

describe('the filter "With and without the image"', () => {
  it('says which settings are right, and which one was scored', () => {
    const at = vislaRows.facets.findIndex(({ id }) => id === 'settings');
    const valueOf = (row: Partial<VislaRow>): string => {
      const characters = { p1p2: 1, p1n: 1, p2n: 1 };
      return vislaRows.facts({ ...rowOf(fromCaptions(0.7)), characters, ...row })[0].facets[at];
    };
    assert.equal(valueOf({}), sentence('visla.scoredOnlyWithoutImage'));
    assert.equal(valueOf({ t2t: undefined, ...withImage(0.1) }), sentence('visla.scoredOnlyWithImage'));
    assert.equal(
      valueOf({ ...withImage(0.5), settings: 'only t2t' }),
      sentence('visla.rightOnlyWithoutImage'),
    );
  });
});

describe('the lens above a triplet', () => {
  it('agrees with the verdict if only the captions were scored, or both settings agree', () => {
    assert.deepEqual(markOf(fromCaptions(0.7)), [say('choice.rightBy', '0.100'), 'right']);
    assert.deepEqual(markOf(fromCaptions(0.9)), [
      say('visla.wrongBy', say('visla.secondAgainstNegative'), '0.100'),
      'wrong',
    ]);
    assert.deepEqual(markOf(withImage(0.5)), [
      say('visla.wrongBy', say('visla.failedBothPositives'), '0.200'),
      'wrong',
    ]);
    assert.deepEqual(markOf({ ...fromCaptions(0.7), ...withImage(0.1) }), [
      say('choice.rightBy', '0.100'),
      'right',
    ]);
  });

  it('does not call a tie with the image wrong', () => {
    const [words] = markOf({ ...fromCaptions(0.7), ...withImage(0.3) });
    assert.deepEqual(words, say('visla.rightWithoutImageBy', '0.100'));
  });

  it('names both settings if they disagree, and is right or wrong as in the list', () => {
    assert.deepEqual(markOf({ ...fromCaptions(0.7), ...withImage(0.5) }), [
      say('visla.rightWithoutImageBy', '0.100'),
      'right',
    ]);
    assert.deepEqual(markOf({ ...fromCaptions(0.9), ...withImage(0.1) }), [
      say('visla.rightWithImageBy', '0.100'),
      'wrong',
    ]);
  });
});
