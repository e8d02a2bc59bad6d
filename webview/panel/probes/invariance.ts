import { metricNamed, type Card, type ProbeModel } from './model';
import { t } from '../../base/words';

const axes = {
  spatial: t('Changes of the photo'),
  societal: t('Words that change nothing one sees'),
} as const;
const families: Readonly<Record<string, string>> = {
  vflip: t('Upside down'),
  hflip: t('Mirrored'),
  rotation: t('Turned a little'),
  reposition: t('Object moved'),
  blur: t('Blurred'),
  cultural: t('Words of culture'),
  economic: t('Words of wealth'),
  gender: t('Words of gender'),
  emotion: t('Words of feeling'),
  sociopolitical: t('Words of politics'),
  neutral: t('Neutral words'),
};

/** One card for each axis and each family of it: the middle shift in size. */
export const invarianceModel: ProbeModel = {
  before: t('caption'),
  after: t('caption or photo as changed'),

  cards(report) {
    const wanted = Object.entries(axes).flatMap(([axis, title]) => [
      { id: `invariance.${axis}.absDelta`, title: t('All of them'), group: title },
      ...Object.entries(families).map(([family, name]) => ({
        id: `invariance.${axis}.${family}.absDelta`,
        title: name,
        group: title,
      })),
    ]);
    const found = wanted.flatMap(({ id, title, group }) => {
      const metric = metricNamed(report, id);
      return metric === undefined ? [] : [{ title, group, metric }];
    });
    const most = Math.max(1e-9, ...found.flatMap(({ metric: { value, ci } }) => [value ?? 0, ci?.[1] ?? 0]));
    return found.map(({ title, group, metric: { id } }): Card => ({
      title,
      group,
      metric: id,
      style: 'number',
      range: [0, most],
      about: t(
        'The middle of how far a score moves, up or down, by a change that should not move it. All on one scale.',
      ),
    }));
  },
};
