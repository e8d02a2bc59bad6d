import { metricNamed, type ProbeModel } from './model';
import { t } from '../../base/words';

export const prsmModel: ProbeModel = {
  before: t('wording'),
  after: t('other wording'),

  cards: (report) => [
    {
      title: t('Same order'),
      metric: 'prsm.global',
      style: 'number',
      range: [-1, 1],
      about: t(
        "Spearman's rank correlation of all photos under two wordings of a query. One: the same order.",
      ),
    },
    {
      title: t('Same order, first places count most'),
      metric: 'prsm.global.listwise',
      style: 'number',
      range: [0, 1],
      about: t('Agreement of the two orders with more weight on the first places. One: the same order.'),
    },
    ...report.metrics.flatMap(({ id, slice, moot }) => {
      const size = /^prsm\.local@(\d+)$/.exec(id)?.[1];
      // A top that holds every photo keeps every photo.
      if (size === undefined || slice !== undefined || moot === true) return [];
      return [
        {
          title: t('Same photos among the first {0}', size),
          metric: metricNamed(report, id)!.id,
          style: 'percent' as const,
          range: [0, 1] as const,
          about: t('Share of the first {0} photos that both wordings find.', size),
        },
      ];
    }),
  ],
};
