import { type Card, fixedCards, type ProbeModel } from './model';

const cards: readonly Card[] = [
  {
    title: 'Captions told apart',
    metric: 'winoground.text',
    style: 'percent',
    chance: 0.25,
    range: [0, 1],
    about: 'Each photo scores higher with its own caption. Guessing gets a quarter.',
  },
  {
    title: 'Photos told apart',
    metric: 'winoground.image',
    style: 'percent',
    chance: 0.25,
    range: [0, 1],
    about: 'Each caption scores higher with its own photo. Guessing gets a quarter.',
  },
  {
    title: 'Both',
    metric: 'winoground.group',
    style: 'percent',
    chance: 1 / 6,
    range: [0, 1],
    about: 'All four comparisons come out right. Guessing gets a sixth.',
  },
];

export const winogroundModel: ProbeModel = {
  before: 'own caption',
  after: 'other caption',
  cards: fixedCards(cards),
};
