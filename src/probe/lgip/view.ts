import { shortText } from '../../base/pValue';
import { say } from '../../base/say';
import type { Card } from '../../protocol/panel';
import { lgipParts } from './names';
import type { LgipRow } from './row';
import { fairLevel } from './rates/fairLevel';
import { byWord, sideByWord } from './rates/overWords';
import { lgipRows } from './rowView';
import { fixedCards, numberCard, type ProbeView, shareCard, wholeMetric } from '../view';
import { relativeId } from '../../protocol/parts/spreads';

const cards: readonly Card[] = [
  numberCard(say('lgip.invarianceError'), 'lgip.inv', say('lgip.invarianceErrorMeaning'), [0, 0.1]),
  numberCard(say('lgip.sensitivity'), 'lgip.sens', say('lgip.sensitivityMeaning'), [-0.1, 0.1], {
    chance: 0,
  }),
  shareCard(say('lgip.flipsCaught'), 'lgip.pr', say('lgip.flipsCaughtMeaning')),
  shareCard(say('lgip.objectFlips'), 'lgip.pr.object', say('lgip.objectFlipsMeaning')),
  shareCard(say('lgip.colourFlips'), 'lgip.pr.color', say('lgip.colourFlipsMeaning')),
  shareCard(say('lgip.numberFlips'), 'lgip.pr.number', say('lgip.numberFlipsMeaning')),
];

export const lgipView = {
  id: 'lgip',
  title: 'LGIP',
  question:
    'Is the score stable when a caption is reworded, and does it fall when the caption becomes wrong?',
  mode: 'pairs',
  madeFor: ['captions'],
  rows: lgipRows,
  columns: { before: say('dataset.caption'), after: say('lgip.variant') },
  cards: (metrics) =>
    fixedCards(cards)(metrics).map((card) =>
      card.style === 'percent' ? { ...card, chance: fairLevel(metrics, card.metric) } : card,
    ),
  metricParts: lgipParts,
  better: (metric) =>
    /^lgip\.(inv|keepFlips@)/.test(metric)
      ? 'lower'
      : /^lgip\.(sens|pr|margin)/.test(metric)
        ? 'higher'
        : undefined,
  // A score that does not depend on the caption is the most stable one.
  ground: (metric) =>
    /^lgip\.(inv|margin)(\.|$)/.test(metric)
      ? { metric: 'lgip.pr', chance: (_, metrics) => fairLevel(metrics, 'lgip.pr') }
      : undefined,
  families: [
    { name: 'invariance and sensitivity', metrics: /^lgip\.(inv|sens|margin|pr)$/ },
    { name: 'by type of flip', metrics: /^lgip\.(sens|pr)\./ },
  ],
  unit: (metric) =>
    /^lgip\.(inv|sens|margin|beyond\.sens)(\.|$)/.test(metric) && !metric.endsWith('.advancedIncrease')
      ? 'difference'
      : undefined,
  leading: [
    {
      metric: /^lgip\.pr$/,
      words: (value) => say('lgip.caughtShare', value),
      sentence: (evaluator, value) => say('lgip.caughtHeadline', evaluator, value),
      doubt: (metrics) =>
        sideByWord(metrics, 'lgip.pr', 'above', fairLevel(metrics, 'lgip.pr', byWord)) === 'above'
          ? undefined
          : say('lgip.doubtByWord'),
      parts: [
        { metric: 'lgip.pr.object', name: say('lgip.headlineObjects') },
        { metric: 'lgip.pr.color', name: say('lgip.headlineColours') },
        { metric: 'lgip.pr.number', name: say('lgip.headlineNumbers') },
      ],
    },
  ],

  sentence(metrics, evaluator) {
    const { value, ci } = wholeMetric(metrics, 'lgip.inv') ?? {};
    if (typeof value !== 'number') return undefined;
    const spreads = wholeMetric(metrics, relativeId('lgip.inv'))?.value;
    return typeof spreads === 'number'
      ? say('lgip.errorHeadlineSpreads', evaluator, shortText(value, ci), spreads.toFixed(2))
      : say('lgip.errorHeadline', evaluator, shortText(value, ci));
  },
} satisfies ProbeView<LgipRow>;
