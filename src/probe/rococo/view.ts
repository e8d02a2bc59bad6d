import { say } from '../../base/say';
import type { Card } from '../../protocol/panel';
import { fixedCards, type ProbeView } from '../view';
import type { RococoRow } from './row';
import { rococoRows } from './rowView';

const share: Pick<Card, 'style' | 'range'> = { style: 'percent', range: [0, 1] };

const cards: readonly Card[] = [
  {
    ...share,
    group: say`Photos find captions`,
    title: say`Own caption first`,
    metric: 'rococo.i2t.r1',
    about: say`How often a photo finds its own caption first, among true captions only.`,
  },
  {
    ...share,
    group: say`Photos find captions`,
    title: say`Still first among altered captions`,
    metric: 'rococo.i2t.stressed.r1',
    about: say`The same search with altered captions put among the true ones.`,
  },
  {
    ...share,
    group: say`Photos find captions`,
    title: say`Altered caption first`,
    metric: 'rococo.i2t.rsms',
    chance: 0.05,
    about: say`How often an altered caption comes first. The mark stands at one in twenty.`,
  },
  {
    ...share,
    group: say`Captions find photos`,
    title: say`Own photo first`,
    metric: 'rococo.t2i.r1',
    about: say`How often a caption finds its own photo first, among true photos only.`,
  },
  {
    ...share,
    group: say`Captions find photos`,
    title: say`Still first among altered photos`,
    metric: 'rococo.t2i.stressed.r1',
    about: say`The same search with altered photos put among the true ones.`,
  },
  {
    ...share,
    group: say`Captions find photos`,
    title: say`Altered photo first`,
    metric: 'rococo.t2i.rsms',
    chance: 0.05,
    about: say`How often an altered photo comes first. The mark stands at one in twenty.`,
  },
  {
    ...share,
    group: say`Captions among themselves`,
    title: say`Altered caption closer than another wording`,
    metric: 'rococo.text.closer',
    chance: 0.5,
    about: say`How often a caption with one word changed lies closer to it than another caption of the same photo.`,
  },
];

export const rococoView = {
  id: 'rococo',
  title: 'RoCOCO',
  question:
    'When altered captions and photos are put among the true ones, does the search still find the true ones?',
  mode: 'gallery',
  madeFor: ['altered'],
  rows: rococoRows,
  columns: { before: say`caption`, after: say`altered or found first` },
  cards: fixedCards(cards),
  leading: [{ metric: /^rococo\.i2t\.dropRate$/, words: (value) => say`drops ${value}` }],
} satisfies ProbeView<RococoRow>;
