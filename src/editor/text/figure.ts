import { inARow, say, type Words } from '../../base/say';
import type { Report } from '../../report/report';

/** The metric that stands for a probe where there is room for one, and how it reads. */
const leading: Readonly<Record<string, readonly [id: RegExp, words: (value: string) => Words][]>> = {
  lgip: [[/^lgip\.pr$/, (value) => say`catches ${value}`]],
  visla: [
    [/^visla\.t2t$/, (value) => say`${value} right`],
    [/^visla\.i2t$/, (value) => say`${value} right`],
  ],
  rococo: [[/^rococo\.i2t\.dropRate$/, (value) => say`drops ${value}`]],
  prsm: [[/^prsm\.local@100$/, (value) => say`${value} the same`]],
  // Its figures are named by the file they are of.
  sugarcrepe: [[/^sugarcrepe\.[^.]+$/, (value) => say`${value} right`]],
  winoground: [[/^winoground\.group$/, (value) => say`${value} right`]],
};

/** The first figure of a report in words; undefined where it has none to show. */
export function figureOf({ probe, metrics }: Pick<Report, 'probe' | 'metrics'>): Words | undefined {
  for (const [id, words] of leading[probe] ?? []) {
    const metric = metrics.find((candidate) => id.test(candidate.id) && candidate.slice === undefined);
    if (typeof metric?.value === 'number') return words(`${Math.round(metric.value * 100)} %`);
  }
  return undefined;
}

/** What the lens over a file says, where that is more than the first figure. */
export function sentenceOf({ probe, metrics }: Pick<Report, 'probe' | 'metrics'>): Words | undefined {
  if (probe !== 'lgip') return undefined;
  const value = (id: string) =>
    metrics.find((metric) => metric.id === id && metric.slice === undefined)?.value ?? undefined;
  const [moved, caught] = [value('lgip.inv'), value('lgip.pr')];
  const parts = [
    moved === undefined ? undefined : say`steady ±${moved.toFixed(3)}`,
    caught === undefined ? undefined : say`catches ${Math.round(caught * 100)} % of flips`,
  ].filter((part) => part !== undefined);
  return parts.length === 0 ? undefined : inARow(parts, ', ');
}
