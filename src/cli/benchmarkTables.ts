/* Short tables on what audited evaluators say about a benchmark. */
import type { BenchmarkRow } from '../probe/benchmark/row';
import type { Metric } from '../probe/metric';
import { interval, valueOf } from '../report/figures';
import { LeftOutRows } from '../report/rowChecks';
import { readRows } from '../report/rows';
import { table } from './terminal';
import type { WrittenReport } from '../audit/output/writtenReport';

/** One line for each evaluator, best first. Empty without evaluators. */
export function evaluatorTable(metrics: readonly Metric[]): string {
  const own = (id: string, evaluator: unknown): Metric | undefined =>
    metrics.find((metric) => metric.id === `benchmark.${id}` && metric.slice?.evaluator === evaluator);
  const cells = (metric: Metric | undefined): string[] =>
    metric === undefined ? ['', ''] : [valueOf(metric), interval(metric)];
  const lines = metrics
    .filter(({ id }) => id === 'benchmark.accuracy')
    .sort((a, b) => b.value! - a.value!)
    .map((accuracy) => {
      const name = accuracy.slice?.evaluator;
      const [p, rank, kept] = ['beyondBlind.p', 'rank', 'rank.kept'].map((id) => own(id, name));
      return [
        String(name),
        ...[...cells(accuracy), String(accuracy.n)],
        ...[...cells(own('beyondBlind', name)), p === undefined ? '' : valueOf(p)],
        ...cells(own('ability', name)),
        rank?.ci === undefined ? '' : `${rank.value} [${rank.ci.join(', ')}]`,
        kept === undefined ? '' : `${(100 * kept.value!).toFixed(1)} %`,
      ];
    });
  if (lines.length === 0) return '';
  const head = [
    'accuracy',
    '95 % interval',
    'n',
    'beyond blind',
    '95 % interval',
    'p',
    'ability',
    '95 % interval',
  ];
  return table(['evaluator', ...head, 'rank', 'before next'], lines);
}

/** One line for each size of a subset: how well it keeps the order of evaluators that did not choose it. */
export function subsetTable(metrics: readonly Metric[]): string {
  const own = (id: string, size: unknown, choice?: string): string => {
    const found = metrics.find(
      (metric) =>
        metric.id === `benchmark.subset.${id}` &&
        metric.slice?.size === size &&
        metric.slice?.choice === choice,
    );
    return found === undefined ? '' : valueOf(found);
  };
  const sizes = metrics.flatMap(({ id, slice }) => (id === 'benchmark.subset.p' ? [slice?.size] : []));
  if (sizes.length === 0) return '';
  const [chosen, random] = ['by answers', 'random'];
  return table(
    ['items', 'τ', 'τ of random ones', 'p', 'error', 'error of random ones'],
    sizes.map((size) => [
      String(size),
      ...[own('tau', size, chosen), own('tau', size, random), own('p', size)],
      ...[own('error', size, chosen), own('error', size, random)],
    ]),
  );
}

const suspectsShown = 5;

/** The items whose label is most likely wrong, of those that are suspected. */
export async function suspectTable({ path, report }: WrittenReport): Promise<string> {
  const suspects = report.metrics.find(({ id }) => id === 'benchmark.suspects')?.value ?? 0;
  const most = Math.min(suspects, suspectsShown);
  if (most === 0) return '';
  const found: BenchmarkRow[] = [];
  for await (const row of readRows(path, report, new LeftOutRows())) {
    const place = (row as BenchmarkRow).evaluators?.suspect;
    if (place !== undefined && place <= most) found[place - 1] = row as BenchmarkRow;
  }
  return table(
    ['label wrong', 'line', 'right', 'said to be right', 'said to be wrong'],
    found.map(({ evaluators, place, captions, right }) => {
      const credits = Object.values(evaluators?.credits ?? {});
      return [
        evaluators?.wrongLabel?.toFixed(2) ?? '',
        String(place?.line ?? ''),
        `${credits.filter((credit) => credit === 1).length} of ${credits.length}`,
        ...[captions[right], captions[right === 0 ? 1 : 0]].map(shortened),
      ];
    }),
  );
}

const longest = 60;

function shortened(caption: string): string {
  return caption.length > longest ? `${caption.slice(0, longest - 1)}…` : caption;
}
