import { say } from '../../base/say';
import type { Card } from '../../protocol/panel';
import { lengthNames } from '../inference/lengthNames';
import { fixedCards, type ProbeView } from '../view';
import { longParts } from './names';
import type { LongRow } from './row';
import { longRows } from './rowView';

const cards: readonly Card[] = [
  {
    title: say('long.errorsDetected'),
    metric: 'long.pr',
    style: 'percent',
    chance: 0.5,
    range: [0, 1],
    about: say('long.errorsDetectedMeaning'),
  },
  {
    title: say('long.slope'),
    metric: 'long.slope',
    style: 'number',
    chance: 0,
    range: [-1, 1],
    about: say('long.slopeMeaning'),
  },
  {
    title: say('long.pastLimit'),
    metric: 'long.ignored',
    style: 'percent',
    range: [0, 1],
    about: say('long.pastLimitMeaning'),
  },
  ...[
    { kind: 'delete', about: say('long.deleteMeaning') },
    { kind: 'repeat', about: say('long.repeatMeaning') },
    { kind: 'move', about: say('long.moveMeaning') },
  ].map(({ kind, about }): Card => ({
    title: longParts[kind],
    metric: `long.${kind}`,
    style: 'number',
    chance: 0,
    range: [-0.1, 0.1],
    about,
  })),
];

export const longView = {
  id: 'long',
  title: 'Long captions',
  question: 'Does the score fall for one error in a long caption, wherever it is?',
  mode: 'pairs',
  madeFor: ['captions'],
  rows: longRows,
  columns: { before: say('long.sentence'), after: say('long.changedSentence') },
  cards: fixedCards(cards),
  metricParts: { ...longParts, 'long.tauB': say('human.kendallB'), ...lengthNames('long') },
  better: (metric) =>
    /^long\.(pr|slope|tauB)/.test(metric) && !metric.endsWith('.p')
      ? 'higher'
      : /^long\.(ignored|repeat)/.test(metric)
        ? 'lower'
        : undefined,
  families: [
    { name: 'planted errors', metrics: /^long\.(pr|slope|ignored)$/ },
    { name: 'by position', metrics: /^long\.pr\.position\./ },
  ],
  unit: (metric) => (/^long\.(delete|repeat|move)$/.test(metric) ? 'difference' : undefined),
  leading: [
    {
      metric: /^long\.pr$/,
      words: (value) => say('long.detectedShare', value),
      sentence: (evaluator, value) => say('long.detectedHeadline', evaluator, value),
    },
  ],
} satisfies ProbeView<LongRow>;
