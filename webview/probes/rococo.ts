import { type Card, fixedCards, type ProbeModel } from './model';

const share = { style: 'percent', range: [0, 1] } as const;
const searches = [
  { id: 'rococo.i2t', group: 'Photos find captions', from: 'photo', found: 'caption', altered: 'captions' },
  { id: 'rococo.t2i', group: 'Captions find photos', from: 'caption', found: 'photo', altered: 'photos' },
] as const;

const cards: readonly Card[] = [
  ...searches.flatMap(({ id, group, from, found, altered }): Card[] => [
    {
      ...share,
      group,
      title: `Own ${found} first`,
      metric: `${id}.r1`,
      about: `How often a ${from} finds its own ${found} first, among true ${altered} only.`,
    },
    {
      ...share,
      group,
      title: `Still first among altered ${altered}`,
      metric: `${id}.stressed.r1`,
      about: `The same search with altered ${altered} put among the true ones.`,
    },
    {
      ...share,
      group,
      title: `Altered ${found} first`,
      metric: `${id}.rsms`,
      chance: 0.05,
      about: `How often an altered ${found} comes first. The mark stands at one in twenty.`,
    },
  ]),
  {
    ...share,
    group: 'Captions among themselves',
    title: 'Altered caption closer than another wording',
    metric: 'rococo.text.closer',
    chance: 0.5,
    about:
      'How often a caption with one word changed lies closer to it than another caption of the same photo.',
  },
];

export const rococoModel: ProbeModel = {
  before: 'caption',
  after: 'altered or found first',
  cards: fixedCards(cards),
};
