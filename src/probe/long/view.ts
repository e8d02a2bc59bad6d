import { say } from '../../base/say';
import type { Card } from '../../protocol/panel';
import { lengthNames } from '../inference/lengthNames';
import { fixedCards, numberCard, type ProbeView, shareCard } from '../view';
import { longParts } from './names';
import type { LongRow } from './row';
import { longRows } from './rowView';

const cards: readonly Card[] = [
  shareCard(say('long.errorsDetected'), 'long.pr', say('long.errorsDetectedMeaning'), { chance: 0.5 }),
  numberCard(say('long.slope'), 'long.slope', say('long.slopeMeaning'), [-1, 1], { chance: 0 }),
  shareCard(say('long.pastLimit'), 'long.ignored', say('long.pastLimitMeaning')),
  ...[
    { kind: 'delete', about: say('long.deleteMeaning') },
    { kind: 'repeat', about: say('long.repeatMeaning') },
    { kind: 'move', about: say('long.moveMeaning') },
  ].map(({ kind, about }) => numberCard(longParts[kind], `long.${kind}`, about, [-0.1, 0.1], { chance: 0 })),
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
