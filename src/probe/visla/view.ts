import { say } from '../../base/say';
import type { Metric } from '../metric';
import type { Card } from '../../protocol/panel';
import { besideCards, betterBeside } from '../benchmark/beside/view';
import { vislaParts } from './names';
import type { VislaRow } from './row';
import { vislaRows } from './rowView';
import { numberCard, type ProbeView, shareCard, wholeMetric } from '../view';

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
    .flatMap(({ id, name: group, chance, about, p1n, p2n, margin }): Card[] => [
      shareCard(say('visla.accuracy'), id, about, { group, chance }),
      ...besideCards(metrics, id, group),
      shareCard(say('visla.firstAgainstNegative'), `${id}.p1n`, p1n, { group, chance: 0.5 }),
      shareCard(say('visla.secondAgainstNegative'), `${id}.p2n`, p2n, { group, chance: 0.5 }),
      numberCard(say('visla.margin'), `${id}.margin`, margin, [-0.2, 0.2], { group, chance: 0 }),
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
  legend: say('visla.legend'),
  columns: { before: say('visla.positive'), after: 'N', score: say('probe.firstScore') },
  cards: cardsOf,
  metricParts: vislaParts,
  better: betterBeside,
  leading: [
    {
      metric: /^visla\.t2t$/,
      words: (value) => say('choice.rightShare', value),
      sentence: (evaluator, value) => say('visla.captionsHeadline', evaluator, value),
      parts: [
        {
          metric: 'visla.i2t',
          name: say('visla.headlineWithImage'),
          label: say('visla.headlineWithImageLabel'),
        },
      ],
    },
    {
      metric: /^visla\.i2t$/,
      words: (value) => say('choice.rightShare', value),
      sentence: (evaluator, value) => say('visla.imageHeadline', evaluator, value),
    },
  ],
} satisfies ProbeView<VislaRow>;
