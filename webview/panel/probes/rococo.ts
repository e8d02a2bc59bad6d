import { type Card, fixedCards, type ProbeModel } from './model';
import { t } from '../../base/words';

const share = { style: 'percent', range: [0, 1] } as const;

const cards: readonly Card[] = [
  {
    ...share,
    group: t('Photos find captions'),
    title: t('Own caption first'),
    metric: 'rococo.i2t.r1',
    about: t('How often a photo finds its own caption first, among true captions only.'),
  },
  {
    ...share,
    group: t('Photos find captions'),
    title: t('Still first among altered captions'),
    metric: 'rococo.i2t.stressed.r1',
    about: t('The same search with altered captions put among the true ones.'),
  },
  {
    ...share,
    group: t('Photos find captions'),
    title: t('Altered caption first'),
    metric: 'rococo.i2t.rsms',
    chance: 0.05,
    about: t('How often an altered caption comes first. The mark stands at one in twenty.'),
  },
  {
    ...share,
    group: t('Captions find photos'),
    title: t('Own photo first'),
    metric: 'rococo.t2i.r1',
    about: t('How often a caption finds its own photo first, among true photos only.'),
  },
  {
    ...share,
    group: t('Captions find photos'),
    title: t('Still first among altered photos'),
    metric: 'rococo.t2i.stressed.r1',
    about: t('The same search with altered photos put among the true ones.'),
  },
  {
    ...share,
    group: t('Captions find photos'),
    title: t('Altered photo first'),
    metric: 'rococo.t2i.rsms',
    chance: 0.05,
    about: t('How often an altered photo comes first. The mark stands at one in twenty.'),
  },
  {
    ...share,
    group: t('Captions among themselves'),
    title: t('Altered caption closer than another wording'),
    metric: 'rococo.text.closer',
    chance: 0.5,
    about: t(
      'How often a caption with one word changed lies closer to it than another caption of the same photo.',
    ),
  },
];

export const rococoModel: ProbeModel = {
  before: t('caption'),
  after: t('altered or found first'),
  cards: fixedCards(cards),
};
