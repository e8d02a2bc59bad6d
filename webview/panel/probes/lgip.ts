import { type Card, fixedCards, type ProbeModel } from './model';
import { t } from '../../base/words';

const cards: readonly Card[] = [
  {
    title: t('Invariance error'),
    metric: 'lgip.inv',
    style: 'number',
    range: [0, 0.1],
    about: t('How far a paraphrase moves the score, up or down. Nearer to zero is steadier.'),
  },
  {
    title: t('Sensitivity'),
    metric: 'lgip.sens',
    style: 'number',
    chance: 0,
    range: [-0.1, 0.1],
    about: t('How far a flip lowers the score. Below zero the wrong caption scores higher.'),
  },
  {
    title: t('Flips caught'),
    metric: 'lgip.pr',
    style: 'percent',
    chance: 0.5,
    range: [0, 1],
    about: t('Share of flips that score strictly lower than the caption. Guessing gets half.'),
  },
  {
    title: t('Object flips caught'),
    metric: 'lgip.pr.object',
    style: 'percent',
    chance: 0.5,
    range: [0, 1],
    about: t('Flips of an object that score strictly lower.'),
  },
  {
    title: t('Colour flips caught'),
    metric: 'lgip.pr.color',
    style: 'percent',
    chance: 0.5,
    range: [0, 1],
    about: t('Flips of a colour that score strictly lower.'),
  },
  {
    title: t('Number flips caught'),
    metric: 'lgip.pr.number',
    style: 'percent',
    chance: 0.5,
    range: [0, 1],
    about: t('Flips of a number that score strictly lower.'),
  },
];

export const lgipModel: ProbeModel = {
  before: t('caption'),
  after: t('variant'),
  cards: fixedCards(cards),
};
