/* Writes a table's footnotes: n, ties, left-out examples, and differences between reports. */
import { english } from '../../base/english';
import { largest, smallest } from '../../base/extent';
import { say } from '../../base/say';
import { imagesOf, type Metric, observationsIn } from '../../probe/metric';
import { shownOption, withoutPaths } from '../figures';
import { metricTitles } from '../titles';
import { leastImages, nominalImages } from '../../stats/decisions/smallSample';
import { type Entry, inOrder, unitsOf } from './entry';
import { isNumber, type NumberCell, type PaperRow } from './table';

export function footnotes(rows: readonly PaperRow[], entries: readonly Entry[]): string[] {
  const cells = rows.flatMap((row) => row.cells.filter(isNumber));
  const used = entries.filter((entry) => cells.some((cell) => cell.entry === entry));
  const shown = rows.length === 0 ? entries : used;
  return [
    ...counts(cells, used),
    ...ties(cells),
    ...leftOut(used),
    ...differences(used),
    ...unpublishable(shown),
  ];
}

/** Warnings if results come from the bundled encoder, which exists to try Captious without a download, or are drafts. */
export function unpublishable(entries: readonly Entry[]): string[] {
  const warning = (own: readonly Entry[], why: string): string[] => {
    const names = inOrder(own, ({ evaluator }) => evaluator).join(', ');
    return names === '' ? [] : [`Do not publish the values of ${names}: ${why}.`];
  };
  const tried = entries.filter(({ report }) => /(?:^|:)starter$/.test(report.evaluator.id));
  const drafts = entries.filter(({ report }) => report.evaluator.draft === true);
  const precisions = inOrder(drafts, ({ report }) => report.evaluator.precision).join(', ');
  return [
    ...warning(tried, 'the bundled starter serves to try Captious'),
    ...warning(drafts, `they are a draft, computed in ${precisions} although the model has float32 graphs`),
  ];
}

function rangeOf(values: readonly number[]): string {
  const [low, high] = [smallest(values), largest(values)];
  return low === high ? String(low) : `${low} to ${high}`;
}

function counts(cells: readonly NumberCell[], used: readonly Entry[]): string[] {
  const notes = inOrder(used, ({ dataset }) => dataset).map((dataset) => {
    const own = cells.filter(({ entry }) => entry.dataset === dataset);
    const examples = [...new Set(own.map(({ entry }) => entry.report.dataset.examples))];
    const n = rangeOf(own.map(({ metric }) => metric.n));
    const images = own.some(({ metric }) => metric.images !== undefined)
      ? `, ${unitsOf(own.map(({ entry }) => entry))} = ${rangeOf(own.map(({ metric }) => imagesOf(metric)))}`
      : '';
    return `${dataset}: ${examples.join(' or ')} examples, n = ${n}${images}.`;
  });
  const units = unitsOf(used);
  const few = (what: string, least: number, own: readonly NumberCell[]): string[] => {
    if (own.length === 0) return [];
    // Images that share their captions may be many, and their captions few.
    const [images, texts] = [imagesOf, ({ texts = Infinity }: Metric) => texts].map((of) =>
      own.some(({ metric }) => of(metric) < least),
    );
    const limits = [...(images ? [units] : []), ...(texts ? [english(say('report.distinctCaptions'))] : [])];
    return [
      `${own.length} of ${cells.length} values have ${what}, because they are based on fewer than ${least} ${limits.join(' or ')}.`,
    ];
  };
  const below = (least: number): NumberCell[] => cells.filter(({ metric }) => observationsIn(metric) < least);
  return [
    ...notes,
    ...few('no interval', leastImages, below(leastImages)),
    ...few(
      'an approximate interval',
      nominalImages,
      below(nominalImages).filter(({ ci }) => ci !== undefined),
    ),
  ];
}

function ties(cells: readonly NumberCell[]): string[] {
  // In a check of a benchmark, a tie counts as a part.
  const tied = cells.filter(
    ({ metric, entry }) => (metric.ties ?? 0) > 0 && entry.report.probe !== 'benchmark',
  );
  if (tied.length === 0) return [];
  const most = tied.reduce((a, b) => (b.metric.ties! / b.metric.n > a.metric.ties! / a.metric.n ? b : a));
  const { report, evaluator } = most.entry;
  const title = metricTitles(report.probe, report.metrics)(most.metric);
  return [
    `Equal scores do not count as right: ${tied.length} of ${cells.length} values have ties, at most ${most.metric.ties} of ${most.metric.n} (${evaluator}, ${title}).`,
  ];
}

function leftOut(used: readonly Entry[]): string[] {
  const by = new Map<string, string[]>();
  for (const { report, evaluator, dataset } of used) {
    const { skipped, examples, leftOut: reasons } = report.dataset;
    if (skipped === 0) continue;
    const why = reasons.map(({ reason, count }) => `${count} ${english(withoutPaths(reason))}`).join('; ');
    const text = `${dataset}: ${skipped} of ${examples + skipped} examples were left out${why === '' ? '' : ` (${why})`}`;
    by.set(text, [...(by.get(text) ?? []), evaluator]);
  }
  const all = inOrder(used, ({ evaluator }) => evaluator).length;
  return [...by].map(([text, evaluators]) =>
    evaluators.length === all ? `${text}.` : `${text} for ${evaluators.join(', ')}.`,
  );
}

/** The settings that differ between the reports of a table, and the evaluators with each value. */
function differences(used: readonly Entry[]): string[] {
  const notes: string[] = [];
  const spread = (what: string, of: (entry: Entry) => string) => {
    const values = new Map<string, string[]>();
    for (const entry of used) values.set(of(entry), [...(values.get(of(entry)) ?? []), entry.evaluator]);
    if (values.size > 1)
      notes.push(
        `The reports differ in ${what}: ${[...values].map(([value, own]) => `${value} (${[...new Set(own)].join(', ')})`).join('; ')}.`,
      );
  };
  spread('the seed', ({ report }) => String(report.seed));
  for (const key of new Set(used.flatMap(({ report }) => Object.keys(report.options))))
    spread(`the option ${key}`, ({ report }) => shownOption(report.options[key] ?? 'none'));
  for (const key of new Set(used.flatMap(({ report }) => Object.keys(report.versions))))
    spread(`the version of ${key}`, ({ report }) => report.versions[key] ?? 'none');
  return notes;
}
