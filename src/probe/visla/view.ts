import { say } from '../../base/say';
import type { Metric } from '../metric';
import type { Card } from '../../protocol/panel';
import { vislaParts } from './names';
import type { VislaRow } from './row';
import { vislaRows } from './rowView';
import { wholeMetric, type ProbeView } from '../view';

const settings = [
  {
    id: 'visla.t2t',
    name: say`From the captions alone`,
    chance: 1 / 3,
    about: say`Share of triplets whose positives are closer to each other than to the negative. Chance level: 1/3.`,
    p1n: say`Share of triplets in which P1 is closer to P2 than N is. N has words similar to those of P1. Chance level: 50 %.`,
    p2n: say`Share of triplets in which P2, which has other words, is closer to P1 than N is. Chance level: 50 %.`,
    margin: say`Mean lead: similarity P1–P2 minus the higher of the similarities P1–N and P2–N. Below zero, N is closer.`,
  },
  {
    id: 'visla.i2t',
    name: say`With the image`,
    chance: 1 / 3,
    about: say`Share of triplets in which the image scores higher with both positives than with the negative. Chance level: 1/3.`,
    p1n: say`Share of triplets in which the image scores higher with P1 than with N, which has similar words. Chance level: 50 %.`,
    p2n: say`Share of triplets in which the image scores higher with P2, which has other words, than with N. Chance level: 50 %.`,
    margin: say`Mean lead: lower score of P1 and P2 with the image minus score of N. Below zero, N scores higher.`,
  },
] as const;

function cardsOf(metrics: readonly Metric[]): Card[] {
  return settings
    .filter(({ id }) => wholeMetric(metrics, id) !== undefined)
    .flatMap(({ id, name, chance, about, p1n, p2n, margin }): Card[] => [
      {
        title: say`Accuracy`,
        group: name,
        metric: id,
        style: 'percent',
        chance,
        range: [0, 1],
        about,
      },
      {
        title: say`P1 against N`,
        group: name,
        metric: `${id}.p1n`,
        style: 'percent',
        chance: 0.5,
        range: [0, 1],
        about: p1n,
      },
      {
        title: say`P2 against N`,
        group: name,
        metric: `${id}.p2n`,
        style: 'percent',
        chance: 0.5,
        range: [0, 1],
        about: p2n,
      },
      {
        title: say`Margin`,
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
  leading: [
    {
      metric: /^visla\.t2t$/,
      words: (value) => say`${value} right`,
      sentence: (evaluator, value) =>
        say`${evaluator} distinguishes meaning from wording in ${value} of triplets (captions alone)`,
      parts: [{ metric: 'visla.i2t', name: say`with the image` }],
    },
    {
      metric: /^visla\.i2t$/,
      words: (value) => say`${value} right`,
      sentence: (evaluator, value) =>
        say`${evaluator} prefers both positives to the negative in ${value} of triplets (with the image)`,
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
