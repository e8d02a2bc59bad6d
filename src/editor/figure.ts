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
