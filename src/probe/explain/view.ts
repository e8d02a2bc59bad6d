import { scoreText } from '../../base/pValue';
import { inARow, say, type Words } from '../../base/say';
import { wordKinds } from '../../perturb/words/wordKinds';
import type { Card } from '../../protocol/panel';
import { relativeId } from '../../protocol/parts/spreads';
import type { Metric } from '../metric';
import { fixedCards, numberCard, type ProbeView, shareCard, wholeMetric } from '../view';
import { explainParts, kindNames, thirdNames } from './names';
import { type ExplainRow, thirds } from './row';
import { explainRows } from './rowView';

/** The card of a mean influence. */
function influenceCard(title: Words, metric: string, about: Words, more?: Partial<Card>): Card {
  return numberCard(title, `explain.${metric}`, about, [0, 0.05], more);
}

function cardsByKind(metric: string, group: Words, about: Words): Card[] {
  return wordKinds.map((kind) => influenceCard(kindNames[kind], `${metric}.${kind}`, about, { group }));
}

const cards: readonly Card[] = [
  influenceCard(say('explain.influence'), 'word', say('explain.influenceMeaning')),
  ...cardsByKind('word', say('explain.byKind'), say('explain.kindMeaning')),
  influenceCard(say('explain.shapleyInfluence'), 'shapley', say('explain.shapleyMeaning')),
  ...cardsByKind('shapley', say('explain.shapleyByKind'), say('explain.shapleyMeaning')),
  shareCard(say('explain.regionMass'), 'explain.region.mass', say('explain.regionMassMeaning')),
  shareCard(say('explain.regionArea'), 'explain.region.area', say('explain.regionAreaMeaning')),
  ...thirds.map((third) =>
    influenceCard(thirdNames[third], `position.${third}`, say('explain.positionMeaning'), {
      group: say('explain.byPosition'),
    }),
  ),
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
