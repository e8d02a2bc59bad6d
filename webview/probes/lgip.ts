import { type Card, fixedCards, type ProbeModel } from './model';

const cards: readonly Card[] = [
  {
    title: 'Invariance error',
    metric: 'lgip.inv',
    style: 'number',
    range: [0, 0.1],
    about: 'How far a paraphrase moves the score, up or down. Nearer to zero is steadier.',
  },
  {
    title: 'Sensitivity',
    metric: 'lgip.sens',
    style: 'number',
    chance: 0,
    range: [-0.1, 0.1],
    about: 'How far a flip lowers the score. Below zero the wrong caption scores higher.',
  },
  {
    title: 'Flips caught',
    metric: 'lgip.pr',
    style: 'percent',
    chance: 0.5,
    range: [0, 1],
    about: 'Share of flips that score strictly lower than the caption. Guessing gets half.',
  },
  {
    title: 'Object flips caught',
    metric: 'lgip.pr.object',
    style: 'percent',
    chance: 0.5,
    range: [0, 1],
    about: 'Flips of an object that score strictly lower.',
  },
  {
    title: 'Colour flips caught',
    metric: 'lgip.pr.color',
    style: 'percent',
    chance: 0.5,
    range: [0, 1],
    about: 'Flips of a colour that score strictly lower.',
  },
  {
    title: 'Number flips caught',
    metric: 'lgip.pr.number',
    style: 'percent',
    chance: 0.5,
    range: [0, 1],
    about: 'Flips of a number that score strictly lower.',
  },
];

export const lgipModel: ProbeModel = {
  before: 'caption',
  after: 'variant',
  cards: fixedCards(cards),
};
