/* Writes a copy of a benchmark without the examples that filters remove, and a log that says why. */
import { resolve } from 'node:path';
import { inputError, interruptedError } from '../../base/errors';
import { Fingerprints } from '../../base/files/fingerprints';
import { homeFolder, storeFolder } from '../../base/files/home';
import { append } from '../../base/lists';
import { say } from '../../base/say';
import { inTurns } from '../../base/turns/steps';
import { drawKey, type Example, lineOf } from '../../dataset/example';
import { openDataset } from '../../dataset/open';
import type { TextDataset } from '../../dataset/reading';
import { refusal } from '../../probe/benchmark/benchmark';
import { type Item, itemsOf } from '../../probe/benchmark/items';
import { balanced, type Cells, cellsPerSide } from '../../probe/benchmark/refine/balance';
import {
  type Filter,
  filters,
  type Removal,
  removals,
  type Unit,
} from '../../probe/benchmark/refine/filters';
import { OutputFile } from '../../report/output';
import { noExamples } from '../exclusions';
import { checkCopy, checkTarget, copyWithout, textFile } from './copyFile';
import { ImageSearch } from './imageSearch';
import type { DatasetRequest } from '../scoring/datasetRequest';

export interface CopyRequest extends Omit<DatasetRequest, 'limit'> {
  /** The path of the copy. The log's name is this one with `.log.jsonl` at its end. */
  write: string;
  filters: readonly Filter[];
  /** Whether the copy and its log may replace files. */
  force: boolean;
  home?: string;
  seed: number;
}

/** The first line of the log. */
export interface CopySummary {
  source: { path: string; sha256: string };
  copy: { path: string; sha256: string };
  filters: readonly Filter[];
  seed: number;
  /** Numbers of rows. `other` have no example with a choice between captions, and stay as they are. */
  rows: { source: number; copy: number; other: number };
  items: { source: number; copy: number };
  /** How many rows each filter removed. */
  removed: Partial<Record<Filter, number>>;
  grid?: { scores: readonly string[]; cellsPerSide: number };
}

/** A row of the file whose examples have choices. */
interface RowUnit extends Unit {
  row: number;
  items: Item[];
}

/** Writes the copy and its log. Throws if there is nothing to remove, or if nothing would stay. */
export async function writeCopy(request: CopyRequest): Promise<CopySummary & { log: string }> {
  const { signal, seed, map, home = homeFolder() } = request;
  const chosen = filters.filter((filter) => request.filters.includes(filter));
  const source = resolve(request.dataset);
  const path = resolve(request.write);
  const log = `${path}.log.jsonl`;
  const dataset = textFile(await openDataset(source, { map, signal }));
  for (const target of [path, log]) await checkTarget(target, source, request.force);
  const fingerprints = new Fingerprints(storeFolder(home));
  const before = await fingerprints.sha256(source, signal);
  const { units, rows } = await unitsIn(dataset, signal);
  if (chosen.includes('balance')) checkPairs(source, units);
  const missing = chosen.includes('missingImage') ? await missingIn(dataset, units, request) : undefined;
  const removed = await inTurns(removals(units, { filters: chosen, seed, missing }), signal);
  checkSome(source, removed, units.length);
  const gone = new Set(removed.map(({ unit }) => unit));
  const kept = units.flatMap(({ items }, unit) => (gone.has(unit) ? [] : items));
  const file = await OutputFile.create(path);
  const logFile = await OutputFile.create(log).catch(async (error: unknown) => {
    await file.discard();
    throw error;
  });
  try {
    const numbers = new Set(removed.map(({ unit }) => units[unit].row));
    await copyWithout(dataset, numbers, file, signal);
    const sha256 = await file.seal();
    await checkCopy(file.temporary, kept, { map, signal });
    if ((await fingerprints.sha256(source, signal)) !== before)
      throw interruptedError(say('audit.datasetChangedDuringAudit'), say('resume.runAuditAgain'), source);
    const summary: CopySummary = {
      source: { path: source, sha256: before },
      copy: { path, sha256 },
      ...{ filters: chosen, seed },
      rows: { source: rows, copy: rows - gone.size, other: rows - units.length },
      items: { source: units.reduce((sum, { items }) => sum + items.length, 0), copy: kept.length },
      removed: countsOf(chosen, removed),
      ...(chosen.includes('balance') ? { grid: gridOf(units, removed) } : {}),
    };
    await logFile.line(summary);
    for (const removal of removed) await logFile.line(lineFor(removal));
    // A log without its copy is harmless, but not a copy without its log.
    await logFile.finish();
    await file.finish();
    return { ...summary, log };
  } finally {
    await file.discard();
    await logFile.discard();
    await fingerprints.flush();
  }
}

/** The images without a file in the user's folders or next to the dataset. */
async function missingIn(
  dataset: TextDataset,
  units: readonly RowUnit[],
  { images = [], signal }: CopyRequest,
): Promise<Set<string>> {
  const names = new Map<string, string>();
  for (const { imageKey, image } of units.flatMap(({ items }) => items))
    if (imageKey !== undefined && image !== undefined) names.set(imageKey, image);
  const found = await new ImageSearch(dataset, images, signal).sourcesOf(
    Array.from(names.values(), (name) => ({ name })),
  );
  return new Set([...names.keys()].filter((_, i) => found[i] === undefined));
}

/** The rows with choices, in the order of the file, and the number of all its rows. */
async function unitsIn(
  dataset: TextDataset,
  signal: AbortSignal,
): Promise<{ units: RowUnit[]; rows: number }> {
  const units: RowUnit[] = [];
  const known = new Map<number, RowUnit>();
  const rows = new Set<number>();
  const reading = dataset.read({ signal, onProblem: ({ row }) => row !== undefined && rows.add(row) });
  for await (const example of reading) {
    rows.add(example.row);
    if (refusal(example) !== undefined) continue;
    let unit = known.get(example.row);
    if (unit === undefined) {
      unit = { row: example.row, items: [], key: keyOf(example) };
      known.set(example.row, unit);
      units.push(unit);
    }
    append(unit.items, itemsOf(example));
  }
  if (units.length === 0) throw noExamples(dataset.path);
  return { units, rows: rows.size };
}

const keyOf = (example: Example): readonly string[] => drawKey(example, ...example.captions);

function checkPairs(path: string, units: readonly RowUnit[]): void {
  const odd = units.flatMap(({ items }) => items).find(({ captions }) => captions.length !== 2);
  if (odd === undefined) return;
  throw inputError(
    say('benchmark.balanceNeedsPairs'),
    say('benchmark.otherFiltersOrPairs'),
    odd.place === undefined ? path : `${path}:${lineOf(odd.place)}`,
  );
}

function checkSome(path: string, removed: readonly Removal[], units: number): void {
  if (removed.length === 0)
    throw inputError(say('benchmark.nothingRemoved'), say('benchmark.useFileAsIs'), path);
  if (removed.length < units) return;
  throw inputError(
    say('benchmark.allRemoved'),
    say(
      'benchmark.fewerFilters',
      Object.entries(countsOf(filters, removed))
        .map(([filter, count]) => `${filter} ${count}`)
        .join(', '),
    ),
    path,
  );
}

function countsOf(chosen: readonly Filter[], removed: readonly Removal[]): Partial<Record<Filter, number>> {
  return Object.fromEntries(
    chosen.flatMap((filter) => {
      const { length } = removed.filter((removal) => removal.filter === filter);
      return length === 0 && chosen === filters ? [] : [[filter, length]];
    }),
  );
}

function gridOf(units: readonly RowUnit[], removed: readonly Removal[]): CopySummary['grid'] {
  const before = new Set(removed.flatMap(({ unit, filter }) => (filter === 'balance' ? [] : [unit])));
  const hasSeveral = units.some(({ items }, unit) => items.length > 1 && !before.has(unit));
  return { scores: balanced, cellsPerSide: cellsPerSide(hasSeveral) };
}

/** What the log says of a removed row. */
function lineFor({ filter, item, partner, cells }: Removal): object {
  return {
    filter,
    ...described(item),
    ...(partner === undefined ? {} : { of: described(partner) }),
    ...(cells === undefined
      ? {}
      : {
          ...{ gaps: byScore(cells.gaps), cells: byScore(cells.cells) },
          ...{ inCell: cells.own, inOppositeCell: cells.opposite },
        }),
  };
}

/** The numbers of each item, by score. */
function byScore(numbers: Cells): Record<string, number>[] {
  return numbers.map((own) => Object.fromEntries(balanced.map((score, i) => [score, own[i]])));
}

function described({ example, row, place, image, captions, right }: Item): object {
  return {
    ...{ example, row, line: lineOf(place), image },
    ...{ right: captions[right], wrong: captions.toSpliced(right, 1) },
  };
}
