import { shortText } from '../../base/pValue';
import { say } from '../../base/say';
import type { Card } from '../../protocol/panel';
import { lgipParts } from './names';
import type { LgipRow } from './row';
import { lgipRows } from './rowView';
import { fixedCards, wholeMetric, type ProbeView } from '../view';
import { relativeId } from '../../protocol/parts/spreads';

const cards: readonly Card[] = [
  {
    title: say`Invariance error`,
    metric: 'lgip.inv',
    style: 'number',
    range: [0, 0.1],
    about: say`Mean size of the change in score for a paraphrase. Lower is better.`,
  },
  {
    title: say`Sensitivity`,
    metric: 'lgip.sens',
    style: 'number',
    chance: 0,
    range: [-0.1, 0.1],
    about: say`Mean drop of the score for a flip. Below zero, the wrong caption scores higher.`,
  },
  {
    title: say`Flips caught`,
    metric: 'lgip.pr',
    style: 'percent',
    chance: 0.5,
    range: [0, 1],
    about: say`Share of flips that score strictly lower than the caption. Chance level: 50 %.`,
  },
  {
    title: say`Object flips caught`,
    metric: 'lgip.pr.object',
    style: 'percent',
    chance: 0.5,
    range: [0, 1],
    about: say`Share of object flips that score strictly lower than the caption.`,
  },
  {
    title: say`Colour flips caught`,
    metric: 'lgip.pr.color',
    style: 'percent',
    chance: 0.5,
    range: [0, 1],
    about: say`Share of colour flips that score strictly lower than the caption.`,
  },
  {
    title: say`Number flips caught`,
    metric: 'lgip.pr.number',
    style: 'percent',
    chance: 0.5,
    range: [0, 1],
    about: say`Share of number flips that score strictly lower than the caption.`,
  },
];

export const lgipView = {
  id: 'lgip',
  title: 'LGIP',
  question:
    'Is the score stable when a caption is reworded, and does it fall when the caption becomes wrong?',
  mode: 'pairs',
  madeFor: ['captions'],
  rows: lgipRows,
  columns: { before: say`caption`, after: say`variant` },
  cards: fixedCards(cards),
  metricParts: lgipParts,
  better: (metric) =>
    metric.startsWith('lgip.inv') ? 'lower' : /^lgip\.(sens|pr|margin)/.test(metric) ? 'higher' : undefined,
  // A score that does not depend on the caption is the most stable one.
  ground: (metric) =>
    /^lgip\.(inv|margin)(\.|$)/.test(metric) ? { metric: 'lgip.pr', chance: () => 0.5 } : undefined,
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
      words: (value) => say`${value} of flips caught`,
      sentence: (evaluator, value) => say`${evaluator} catches ${value} of flips`,
      parts: [
        { metric: 'lgip.pr.object', name: say`objects` },
        { metric: 'lgip.pr.color', name: say`colours` },
        { metric: 'lgip.pr.number', name: say`numbers` },
      ],
    },
  ],

  sentence(metrics, evaluator) {
    const { value, ci } = wholeMetric(metrics, 'lgip.inv') ?? {};
    if (typeof value !== 'number') return undefined;
    const spreads = wholeMetric(metrics, relativeId('lgip.inv'))?.value;
    return typeof spreads === 'number'
      ? say`A rewording changes the score of ${evaluator} by ${shortText(value, ci)} (${spreads.toFixed(2)} SD)`
      : say`A rewording changes the score of ${evaluator} by ${shortText(value, ci)}`;
  },

  demo: {
    file: 'captions.json',
    lines: [
      { metric: 'lgip.inv', words: 'a caption reworded: the score changes by', style: 'number' },
      { metric: 'lgip.sens', words: 'a caption made wrong: the score falls by', style: 'number' },
      { metric: 'lgip.pr', words: 'wrong captions that score lower', style: 'percent' },
      { metric: 'lgip.pr.object', words: '… another object (dog → cat)', style: 'percent' },
      { metric: 'lgip.pr.color', words: '… another colour (red → blue)', style: 'percent' },
      { metric: 'lgip.pr.number', words: '… another number (two → three)', style: 'percent' },
    ],
  },
} satisfies ProbeView<LgipRow>;
