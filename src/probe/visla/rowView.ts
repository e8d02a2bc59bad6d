import { english } from '../../base/english';
import { say, type Words } from '../../base/say';
import { type VislaRow, vislaRowCheck } from './row';
import { letterBands, wordingBands } from './names';
import { failedOf, leadFromCaptions, leadWithImage, read, verdictOf } from './reading';
import type { MetricKey } from '../../protocol/parts/chart';
import { type LineFacts, rowView, type ShownCaption } from '../view';

type Alone = Pick<VislaRow, 'p1' | 'p2' | 'n'> & { t2t: NonNullable<VislaRow['t2t']> };

function bandOf(bands: readonly Words[], each: number, size: number): string {
  return english(bands[Math.min(bands.length - 1, Math.floor(size / each))]);
}

/** The metrics of a band. The metric without the image comes first, as in `read`. */
function accuracyBy(slice: string): (band: string) => MetricKey[] {
  return (band) => ['visla.t2t', 'visla.i2t'].map((id) => ({ id, slice: { [slice]: band } }));
}

const settingWords: Record<NonNullable<VislaRow['settings']>, Words> = {
  'both right': say('visla.rightInBoth'),
  'both wrong': say('visla.wrongInBoth'),
  'only i2t': say('visla.rightOnlyWithImage'),
  'only t2t': say('visla.rightOnlyWithoutImage'),
};

function settingsOf({ settings, i2t }: VislaRow): Words {
  if (settings !== undefined) return settingWords[settings];
  return i2t === undefined ? say('visla.scoredOnlyWithoutImage') : say('visla.scoredOnlyWithImage');
}

/** The captions with their similarities to the positive that is closer to the negative, because it decides the result. */
function captionsAlone({ p1, p2, n, t2t }: Alone): ShownCaption[] {
  const lost = { text: n, delta: 0 - leadFromCaptions(t2t), verdict: verdictOf(t2t) };
  if (t2t.p1n >= t2t.p2n)
    return [
      { label: 'P1', text: p1 },
      { label: say('visla.secondAgainstFirst'), text: p2, score: t2t.p1p2, against: 0 },
      { label: say('visla.negativeAgainstFirst'), score: t2t.p1n, against: 0, ...lost },
    ];
  return [
    { label: say('visla.firstAgainstSecond'), text: p1, score: t2t.p1p2, against: 1 },
    { label: 'P2', text: p2 },
    { label: say('visla.negativeAgainstSecond'), score: t2t.p2n, against: 1, ...lost },
  ];
}

/** The captions with their scores: from the captions alone, then with the image, as in `read`. */
function captionsOf({ p1, p2, n, t2t, i2t }: VislaRow, sub: number | undefined): ShownCaption[] {
  const alone = t2t ? captionsAlone({ p1, p2, n, t2t }) : [];
  if (!i2t) return alone;
  const named = (name: string): Words => (t2t ? say('visla.captionWithImage', name) : name);
  return [
    ...alone,
    { label: named('P1'), text: p1, score: i2t.p1, ...(t2t ? { against: 0 } : {}) },
    { label: named('P2'), text: p2, score: i2t.p2, against: 0 },
    {
      label: named('N'),
      text: n,
      score: i2t.n,
      delta: 0 - leadWithImage(i2t),
      // In the text as in the list, a row with both settings is right or wrong from the captions alone.
      verdict: t2t && sub === undefined ? 'none' : verdictOf(i2t),
      // The positive that scores lower decides the result.
      against: alone.length + (i2t.p1 <= i2t.p2 ? 0 : 1),
    },
  ];
}

export const vislaRows = rowView<VislaRow>({
  row: vislaRowCheck,
  facets: [
    { id: 'verdict', title: say('choice.result'), share: false, outcome: true },
    {
      id: 'wording',
      title: say('visla.wordsChanged'),
      share: true,
      metrics: accuracyBy('words changed from P1 to P2'),
    },
    { id: 'edge', title: say('visla.failedComparison'), share: false, outcome: true },
    {
      id: 'letters',
      title: say('visla.charactersChanged'),
      share: true,
      metrics: accuracyBy('characters changed from P1 to N'),
    },
    { id: 'settings', title: say('visla.settings'), share: false },
  ],
  chance: 1 / 3,
  delta: { title: say('visla.smallestLead'), head: say('choice.lead') },
  points: {
    title: say('visla.rightPairChart'),
    x: say('visla.rightPairSimilarity'),
    y: say('visla.negativeSimilarity'),
    border: 'diagonal',
  },

  facts(row): LineFacts[] {
    const reading = read(row);
    return [
      {
        delta: reading.margin,
        harm: -reading.margin,
        verdict: verdictOf(reading),
        facets: [
          verdictOf(reading),
          bandOf(wordingBands, 4, row.words.p1p2),
          english(failedOf(reading)),
          bandOf(letterBands, 10, row.characters.p1n),
          english(settingsOf(row)),
        ],
        point: reading.point,
      },
    ];
  },

  words: (row) => `${row.p1}\n${row.p2}\n${row.n}\n${row.image ?? ''}`,

  /** The negative beside the positive that it comes closest to beating. */
  line(row) {
    const { p1, p2, t2t, i2t } = row;
    const isFirst = t2t ? t2t.p2n > t2t.p1n : i2t !== undefined && i2t.p1 <= i2t.p2;
    const score = t2t?.p1p2 ?? (isFirst ? i2t?.p1 : i2t?.p2);
    return { before: isFirst ? p1 : p2, after: row.n, label: labelOf(row), score };
  },

  captions: captionsOf,

  detail(row) {
    const { t2t } = row;
    const notes: Words[] = [];
    if (row.swapped) notes.push(say('visla.positivesSwapped'));
    if (row.settings !== undefined) notes.push(say('visla.settingsResult', settingWords[row.settings]));
    return {
      triangle: t2t && {
        corners: ['P1', 'P2', 'N'],
        sides: [
          { from: 0, to: 1, value: t2t.p1p2, wrong: false },
          { from: 0, to: 2, value: t2t.p1n, wrong: t2t.p1n >= t2t.p1p2 },
          { from: 1, to: 2, value: t2t.p2n, wrong: t2t.p2n >= t2t.p1p2 },
        ],
      },
      notes,
    };
  },

  mark: (row) => ({
    texts: [row.p1, row.p2, row.n],
    words: wordsOf(row),
    ...(row.t2t && row.i2t ? { hint: `${Number(row.t2t.right) + Number(row.i2t.right)}/2` } : {}),
  }),
});

/** The result from the captions alone if these were compared, and whether the image changes it. */
function labelOf(row: VislaRow): Words {
  const reading = read(row);
  if (reading.tie) return say('visla.tiedComparison', failedOf(reading));
  if (!reading.right)
    return row.settings === 'only i2t'
      ? say('visla.wrongUnlikeImage', failedOf(reading))
      : say('visla.wrongComparison', failedOf(reading));
  return row.settings === undefined ? say('visla.right') : settingsOf(row);
}

function wordsOf(row: VislaRow): Words {
  const reading = read(row);
  const by = Math.abs(reading.margin).toFixed(3);
  if (reading.tie) return say('visla.tie');
  // If the row has both settings, `reading` is from the captions alone, and `isRight` is with the image.
  const isRight = row.i2t?.right ?? reading.right;
  if (reading.right) return isRight ? say('choice.rightBy', by) : say('visla.rightWithoutImageBy', by);
  return isRight ? say('visla.rightWithImageBy', by) : say('visla.wrongBy', failedOf(reading), by);
}
