import { scoreText } from '../../base/pValue';
import { inARow, say, type Words } from '../../base/say';
import { wordKinds } from '../../perturb/words/wordKinds';
import type { Card } from '../../protocol/panel';
import { relativeId } from '../../protocol/parts/spreads';
import type { Metric } from '../metric';
import { fixedCards, type ProbeView, wholeMetric } from '../view';
import { explainParts, kindNames, thirdNames } from './names';
import { type ExplainRow, thirds } from './row';
import { explainRows } from './rowView';

const card: Pick<Card, 'style' | 'range'> = { style: 'number', range: [0, 0.05] };
const cards: readonly Card[] = [
  {
    ...card,
    title: say('explain.influence'),
    metric: 'explain.word',
    about: say('explain.influenceMeaning'),
  },
  ...wordKinds.map((kind): Card => ({
    ...card,
    title: kindNames[kind],
    group: say('explain.byKind'),
    metric: `explain.word.${kind}`,
    about: say('explain.kindMeaning'),
  })),
  {
    ...card,
    title: say('explain.shapleyInfluence'),
    metric: 'explain.shapley',
    about: say('explain.shapleyMeaning'),
  },
  ...wordKinds.map((kind): Card => ({
    ...card,
    title: kindNames[kind],
    group: say('explain.shapleyByKind'),
    metric: `explain.shapley.${kind}`,
    about: say('explain.shapleyMeaning'),
  })),
  {
    ...{ style: 'percent', range: [0, 1], title: say('explain.regionMass'), metric: 'explain.region.mass' },
    about: say('explain.regionMassMeaning'),
  },
  {
    ...{ style: 'percent', range: [0, 1], title: say('explain.regionArea'), metric: 'explain.region.area' },
    about: say('explain.regionAreaMeaning'),
  },
  ...thirds.map((third): Card => ({
    ...card,
    title: thirdNames[third],
    group: say('explain.byPosition'),
    metric: `explain.position.${third}`,
    about: say('explain.positionMeaning'),
  })),
];

/** The mean influence of a word and of each kind, in spreads of the evaluator if they are known. */
function sentence(metrics: readonly Metric[], evaluator: string): Words | undefined {
  const isRelative = typeof wholeMetric(metrics, relativeId('explain.word'))?.value === 'number';
  const valueOf = (id: string): number | null | undefined =>
    wholeMetric(metrics, isRelative ? relativeId(id) : id)?.value;
  const shown = (value: number): string => (isRelative ? value.toFixed(2) : scoreText(value));
  const all = valueOf('explain.word');
  if (typeof all !== 'number') return undefined;
  const kinds = wordKinds.flatMap((kind) => {
    const value = valueOf(`explain.word.${kind}`);
    return typeof value === 'number' ? [{ kind, value }] : [];
  });
  const parts = kinds
    .sort((a, b) => b.value - a.value)
    .map(({ kind, value }) => inARow([kindNames[kind], shown(value)], ' '));
  const by = isRelative ? say('exploit.inSpreads', shown(all)) : shown(all);
  return parts.length === 0
    ? say('explain.headline', evaluator, by)
    : say('explain.headlineByKind', evaluator, by, inARow(parts, ', '));
}

export const explainView = {
  id: 'explain',
  title: 'Word influence',
  question: 'Which words move the score, and where? (scores each caption once more for each of its words)',
  mode: 'pairs',
  madeFor: ['captions'],
  rows: explainRows,
  columns: { before: say('dataset.caption'), after: say('explain.withoutWord') },
  cards: fixedCards(cards),
  metricParts: explainParts,
  better: () => undefined,
  families: [
    { name: 'kinds of words', metrics: /^explain\.(word|shapley)\.[a-z]+$/ },
    { name: 'positions', metrics: /^explain\.position\.(first|middle|last)$/ },
    { name: 'against', metrics: /^explain\..*\.(againstNouns|lastAgainstFirst)$/ },
  ],
  unit: (metric) =>
    /^explain\.(word|shapley|position)\b/.test(metric) && !metric.endsWith('.p') ? 'difference' : undefined,
  sentence,
} satisfies ProbeView<ExplainRow>;
