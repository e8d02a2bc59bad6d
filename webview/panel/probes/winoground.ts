import { type Card, fixedCards, type ProbeModel } from './model';
import { t } from '../../base/words';

const cards: readonly Card[] = [
  {
    title: t('Captions told apart'),
    metric: 'winoground.text',
    style: 'percent',
    chance: 0.25,
    range: [0, 1],
    about: t('Each photo scores higher with its own caption. Guessing gets a quarter.'),
  },
  {
    title: t('Photos told apart'),
    metric: 'winoground.image',
    style: 'percent',
    chance: 0.25,
    range: [0, 1],
    about: t('Each caption scores higher with its own photo. Guessing gets a quarter.'),
  },
  {
    title: t('Both'),
    metric: 'winoground.group',
    style: 'percent',
    chance: 1 / 6,
    range: [0, 1],
    about: t('All four comparisons come out right. Guessing gets a sixth.'),
  },
];

export const winogroundModel: ProbeModel = {
  before: t('own caption'),
  after: t('other caption'),
  cards: fixedCards(cards),
};
