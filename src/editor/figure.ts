import type { Report } from '../report/report';

/** The metric that stands for a probe where there is room for one, and how it reads. */
const leading: Readonly<Record<string, readonly [id: RegExp, words: (value: string) => string][]>> = {
  lgip: [[/^lgip\.pr$/, (value) => `catches ${value}`]],
  visla: [
    [/^visla\.t2t$/, (value) => `${value} right`],
    [/^visla\.i2t$/, (value) => `${value} right`],
  ],
  rococo: [[/^rococo\.i2t\.dropRate$/, (value) => `drops ${value}`]],
  prsm: [[/^prsm\.local@100$/, (value) => `${value} the same`]],
  // Its figures are named by the file they are of.
  sugarcrepe: [[/^sugarcrepe\.[^.]+$/, (value) => `${value} right`]],
  winoground: [[/^winoground\.group$/, (value) => `${value} right`]],
};

/** The first figure of a report in words; undefined where it has none to show. */
export function figureOf({ probe, metrics }: Pick<Report, 'probe' | 'metrics'>): string | undefined {
  for (const [id, words] of leading[probe] ?? []) {
    const metric = metrics.find((candidate) => id.test(candidate.id) && candidate.slice === undefined);
    if (typeof metric?.value === 'number') return words(`${Math.round(metric.value * 100)} %`);
  }
  return undefined;
}

/** What the lens over a file says, where that is more than the first figure. */
export function sentenceOf({ probe, metrics }: Pick<Report, 'probe' | 'metrics'>): string | undefined {
  if (probe !== 'lgip') return undefined;
  const value = (id: string) =>
    metrics.find((metric) => metric.id === id && metric.slice === undefined)?.value ?? undefined;
  const [moved, caught] = [value('lgip.inv'), value('lgip.pr')];
  const parts = [
    moved === undefined ? undefined : `steady ±${moved.toFixed(3)}`,
    caught === undefined ? undefined : `catches ${Math.round(caught * 100)} % of flips`,
  ].filter((part) => part !== undefined);
  return parts.length === 0 ? undefined : parts.join(', ');
}
