import { say } from '../../base/say';
import type { Metric } from '../metric';
import type { Card } from '../../protocol/panel';
import { besideCards, betterBeside } from '../benchmark/beside/view';
import { vislaParts } from './names';
import type { VislaRow } from './row';
import { vislaRows } from './rowView';
import { wholeMetric, type ProbeView } from '../view';

const settings = [
  {
    id: 'visla.t2t',
    name: say('visla.captionsAlone'),
    chance: 1 / 3,
    about: say('visla.captionsAccuracyMeaning'),
    p1n: say('visla.captionsFirstMeaning'),
    p2n: say('visla.captionsSecondMeaning'),
    margin: say('visla.captionsMarginMeaning'),
  },
  {
    id: 'visla.i2t',
    name: say('visla.withImage'),
    chance: 1 / 3,
    about: say('visla.imageAccuracyMeaning'),
    p1n: say('visla.imageFirstMeaning'),
    p2n: say('visla.imageSecondMeaning'),
    margin: say('visla.imageMarginMeaning'),
  },
] as const;

function cardsOf(metrics: readonly Metric[]): Card[] {
  return settings
    .filter(({ id }) => wholeMetric(metrics, id) !== undefined)
    .flatMap(({ id, name, chance, about, p1n, p2n, margin }): Card[] => [
      {
        title: say('visla.accuracy'),
        group: name,
        metric: id,
        style: 'percent',
        chance,
        range: [0, 1],
        about,
      },
      ...besideCards(metrics, id, name),
      {
        title: say('visla.firstAgainstNegative'),
        group: name,
        metric: `${id}.p1n`,
        style: 'percent',
        chance: 0.5,
        range: [0, 1],
        about: p1n,
      },
      {
        title: say('visla.secondAgainstNegative'),
        group: name,
        metric: `${id}.p2n`,
        style: 'percent',
        chance: 0.5,
        range: [0, 1],
        about: p2n,
      },
      {
        title: say('visla.margin'),
        group: name,
        metric: `${id}.margin`,
        style: 'number',
        chance: 0,
        range: [-0.2, 0.2],
        about: margin,
      },
    ]);
}

export const vislaView = {
  id: 'visla',
  title: 'VISLA',
  question:
    'Are two captions with the same meaning closer than two with similar words and different meanings?',
  mode: 'pairs',
  madeFor: ['triplet'],
  rows: vislaRows,
  columns: { before: 'P1', after: 'N' },
  cards: cardsOf,
  metricParts: vislaParts,
  better: betterBeside,
  leading: [
    {
      metric: /^visla\.t2t$/,
      words: (value) => say('choice.rightShare', value),
      sentence: (evaluator, value) => say('visla.captionsHeadline', evaluator, value),
      parts: [{ metric: 'visla.i2t', name: say('visla.headlineWithImage') }],
    },
    {
      metric: /^visla\.i2t$/,
      words: (value) => say('choice.rightShare', value),
      sentence: (evaluator, value) => say('visla.imageHeadline', evaluator, value),
    },
  ],
  demo: {
    file: 'triplets.tsv',
    lines: [
      { metric: 'visla.t2t', words: 'same meaning closer than same words', style: 'percent' },
      {
        metric: 'visla.i2t',
        words: 'with the image, both right captions beat the wrong one',
        style: 'percent',
      },
    ],
  },
} satisfies ProbeView<VislaRow>;
