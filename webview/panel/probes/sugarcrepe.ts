import type { Card, ProbeModel } from './model';
import { t } from '../../base/words';

/** Its figures are named by the file they are of. */
const cards: readonly (Omit<Card, 'metric'> & { ending: RegExp })[] = [
  {
    title: t('Own caption wins'),
    ending: /^sugarcrepe\.[^.]+$/,
    style: 'percent',
    chance: 0.5,
    range: [0, 1],
    about: t(
      "How often the photo's own caption scores strictly higher than the wrong one. Guessing gets half.",
    ),
  },
  {
    title: t('Lead of the own caption'),
    ending: /\.gap$/,
    style: 'number',
    chance: 0,
    range: [-0.2, 0.2],
    about: t("Mean of the own caption's score minus the wrong one's. Below zero the wrong one leads."),
  },
  {
    title: t('Similarity of the two captions'),
    ending: /\.textSimilarity$/,
    style: 'number',
    range: [0, 1],
    about: t('How alike the evaluator finds the two captions before it has seen the photo. One is the same.'),
  },
];

export const sugarcrepeModel: ProbeModel = {
  before: t('caption'),
  after: t('wrong caption'),
  cards: ({ metrics }) =>
    cards.flatMap(({ ending, ...card }): Card[] => {
      const metric = metrics.find(({ id, slice }) => slice === undefined && ending.test(id));
      return metric === undefined ? [] : [{ ...card, metric: metric.id }];
    }),
};
