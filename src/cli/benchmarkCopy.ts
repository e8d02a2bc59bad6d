/* The option --write of `captious benchmark`: a copy without the examples that filters remove. */
import type { CopyRequest, CopySummary } from '../audit/benchmark/copy';
import { usageError } from '../base/errors';
import { isNear } from '../dataset/fields/near';
import { type Filter, filters, usualFilters } from '../probe/benchmark/refine/filters';
import { wholeMetric } from '../probe/view';
import { valueOf } from '../report/figures';
import { type CommandOption, list, repeated, text, type Values } from './arguments';
import { print, table } from './terminal';
import type { WrittenReport } from '../audit/output/writtenReport';

export const copyOptions = {
  write: {
    value: 'FILE2',
    describe:
      'write a copy of FILE without the examples that --filters removes, and FILE2.log.jsonl, which says why each of them was removed. Then report on the copy, too. The copy has the format of FILE, and all other rows are the same bytes',
  },
  filters: {
    value: 'NAME,…',
    multiple: true,
    describe: `with --write: which examples to remove (default: ${usualFilters.join(',')}, and missingImage with --images). ${[
      'missingImage: without an image file',
      'equal: a wrong caption equals the right one',
      'contradiction: a caption is right in one item and wrong in another one of the image; both go',
      'duplicate: the image and captions of an example that stays',
      'similar: nearly the captions of an example that stays, or the same',
      'long: a caption is longer than the limit of CLIP',
      'orderBlind: a model that ignores the order of words can decide it, so that only examples about order stay',
      'balance: surplus examples whose right caption is shorter, longer, of more or less frequent words, or of a higher or lower probability, so that these do not help to choose it',
    ].join('; ')}`,
  },
  force: { describe: 'with --write: replace FILE2 and its log if they exist' },
} satisfies Record<string, CommandOption>;

type Asked = Pick<CopyRequest, 'write' | 'filters' | 'force'>;

/** The copy that the options ask for; undefined without --write. */
export function askedCopy(values: Values, files: readonly string[]): Asked | undefined {
  const write = text(values, 'write');
  const names = list(values, 'filters');
  if (write === undefined) {
    if (names.length === 0 && values.force !== true) return undefined;
    throw usageError('--filters and --force need --write.', 'Add --write FILE2 with the name of the copy.');
  }
  if (files.length > 1 || text(values, 'limit') !== undefined)
    throw usageError('--write copies one whole file.', 'Name one FILE, and remove --limit.');
  const hasImages = repeated(values, 'images').length > 0;
  const usual: readonly Filter[] = hasImages ? ['missingImage', ...usualFilters] : usualFilters;
  const chosen = names.length === 0 ? usual : names.map(filterNamed);
  if (chosen.includes('missingImage') && !hasImages)
    throw usageError('The filter missingImage needs the image folders.', 'Add --images DIR.');
  return { write, filters: chosen, force: values.force === true };
}

function filterNamed(name: string): Filter {
  const found = filters.find((own) => own === name);
  if (found !== undefined) return found;
  const plain = (own: string): string => own.toLowerCase().replace(/s$/, '');
  const near = filters.find((own) => plain(own) === plain(name) || isNear(plain(name), plain(own)));
  throw usageError(
    `"${name}" is not a filter.`,
    near === undefined ? `Choose from: ${filters.join(', ')}.` : `Did you mean ${near}?`,
  );
}

/** What was removed, and the metrics of the file and of its copy. */
export function showCopy(
  { rows, items, removed, copy, log }: CopySummary & { log: string },
  reports: readonly [before: WrittenReport, after: WrittenReport],
): void {
  const [before, after] = reports.map(({ report }) => report.metrics);
  const ids = [...new Set([...before, ...after].map(({ id }) => id))].filter((id) => !id.endsWith('.p'));
  const lines = ids.flatMap((id) => {
    const own = [before, after].map((metrics) => wholeMetric(metrics, id));
    if (own.every((metric) => metric === undefined)) return [];
    return [[id, ...own.map((metric) => valueOf({ id, value: metric?.value ?? null }))]];
  });
  print(`\n${table(['metric', 'file', 'copy'], lines)}`);
  for (const [filter, count] of Object.entries(removed)) print(`${filter}: removed ${count}`);
  const others = rows.other === 0 ? '' : `, of which ${rows.other} without a choice stay as they were`;
  print(`rows: ${rows.copy} of ${rows.source}${others}; items: ${items.copy} of ${items.source}`);
  print([`copy: ${copy.path}`, `log: ${log}`, ...reports.map(({ path }) => `report: ${path}`)].join('\n'));
}
