import { metricNamed, type Card, type ProbeModel } from './model';

const axes = { spatial: 'Changes of the photo', societal: 'Words that change nothing one sees' } as const;
const families: Readonly<Record<string, string>> = {
  vflip: 'Upside down',
  hflip: 'Mirrored',
  rotation: 'Turned a little',
  reposition: 'Object moved',
  blur: 'Blurred',
  cultural: 'Words of culture',
  economic: 'Words of wealth',
  gender: 'Words of gender',
  emotion: 'Words of feeling',
  sociopolitical: 'Words of politics',
  neutral: 'Neutral words',
};

/** One card for each axis and each family of it: the middle shift in size. */
export const auditModel: ProbeModel = {
  before: 'caption',
  after: 'caption or photo as changed',

  cards(report) {
    const wanted = Object.entries(axes).flatMap(([axis, title]) => [
      { id: `audit.${axis}.absDelta`, title: 'All of them', group: title },
      ...Object.entries(families).map(([family, name]) => ({
        id: `audit.${axis}.${family}.absDelta`,
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
      about:
        'The middle of how far a score moves, up or down, by a change that should not move it. All on one scale.',
    }));
  },
};
