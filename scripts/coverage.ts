/* Counts how often intervals contain the truth, for the tables of simulate*.ts: [DATASETS] [PART] [NAME]. */
import type { Metric } from '../src/probe/metric';
import { Draws } from '../src/stats/draws';

const datasets = Number(process.argv[2] ?? 1000);
/** Simulates only data whose name contains this text. */
const only = process.argv[4] ?? '';
export const sizes = [20, 50, 200];

export interface Captions {
  name: string;
  of: (image: number) => number;
}
export const captionCounts: readonly Captions[] = [
  { name: '1', of: () => 1 },
  { name: '1 to 5', of: (image) => 1 + (image % 5) },
];

/** Prints how often the intervals contain the truth and, where the truth is 0, how often a test rejects it. */
export function covers(
  name: string,
  truthsOf: () => ReadonlyMap<string, number>,
  metricsOf: (draws: Draws, images: number, captions: Captions) => readonly Metric[],
): void {
  if (!name.includes(only)) return;
  const truths = truthsOf();
  for (const captions of captionCounts) {
    const counts = sizes.map((images) => {
      const own = new Map([...truths.keys()].map((id) => [id, { inside: 0, n: 0, rejected: 0, tested: 0 }]));
      for (let i = 0; i < datasets; i++)
        for (const { id, value, ci } of metricsOf(
          new Draws(name, captions.name, images, i),
          images,
          captions,
        )) {
          const [tally, tested] = [own.get(id), own.get(id.replace(/\.p$/, ''))];
          if (tally !== undefined && ci !== undefined) {
            tally.n++;
            if (ci[0] <= truths.get(id)! && truths.get(id)! <= ci[1]) tally.inside++;
          } else if (tested !== undefined && id.endsWith('.p') && value !== null) {
            tested.tested++;
            if (value <= 0.05) tested.rejected++;
          }
        }
      return own;
    });
    const row = (as: string, truth: number, cells: readonly [number, number][]): void => {
      const shares = cells.map(([count, n]) =>
        n === 0 ? '–' : (count / n).toFixed(3) + (n < datasets ? ` (${n})` : ''),
      );
      console.log(`| ${name} | ${captions.name} | ${as} | ${truth.toFixed(3)} | ${shares.join(' | ')} |`);
    };
    for (const [id, truth] of truths) {
      const own = counts.map((of) => of.get(id)!);
      row(
        `\`${id}\``,
        truth,
        own.map(({ inside, n }) => [inside, n]),
      );
      if (own.some(({ tested }) => tested > 0))
        row(
          `\`${id}.p\` ≤ .05`,
          truth,
          own.map(({ rejected, tested }) => [rejected, tested]),
        );
    }
  }
}
