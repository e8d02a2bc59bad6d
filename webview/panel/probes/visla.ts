import { type Card, metricNamed, type ProbeModel } from './model';
import { t } from '../../base/words';

const settings = [
  { id: 'visla.t2t', name: t('From the captions alone'), chance: 1 / 3 },
  { id: 'visla.i2t', name: t('With the photo'), chance: 1 / 3 },
] as const;

export const vislaModel: ProbeModel = {
  before: 'P1',
  after: 'N',

  cards(report): Card[] {
    return settings
      .filter(({ id }) => metricNamed(report, id) !== undefined)
      .flatMap(({ id, name, chance }): Card[] => [
        {
          title: t('Right'),
          group: name,
          metric: id,
          style: 'percent',
          chance,
          range: [0, 1],
          about: t('Both positives are closer to each other than to the negative. Guessing gets a third.'),
        },
        {
          title: t('P1 against N'),
          group: name,
          metric: `${id}.p1n`,
          style: 'percent',
          chance: 0.5,
          range: [0, 1],
          about: t('The positive that is worded like the negative beats it. Guessing gets half.'),
        },
        {
          title: t('P2 against N'),
          group: name,
          metric: `${id}.p2n`,
          style: 'percent',
          chance: 0.5,
          range: [0, 1],
          about: t('The positive that is worded differently beats the negative. Guessing gets half.'),
        },
        {
          title: t('Margin'),
          group: name,
          metric: `${id}.margin`,
          style: 'number',
          chance: 0,
          range: [-0.2, 0.2],
          about: t('Mean lead of the closest right pair over the negative. Below zero the negative leads.'),
        },
      ]);
  },
};
