import { readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { makeFolder } from '../../base/files/cannotWrite';
import { readJson } from '../../base/files/readJson';
import { replaceFile } from '../../base/files/writeFile';
import { viewFor } from '../../probe/views';
import { orderFields } from '../../protocol/runner';
import { partialMetrics, probeTitle } from '../../protocol/panel';
import { checkedProbes } from '../../sessions/check';
import { metricPrefix } from '../../evaluator/clipscore';
import { parsePythonReference } from '../../evaluator/python/reference';
import { choice, count, flag, list, object, optional, record, type Shaped, text } from '../../base/shape';

const runRecord = object({
  id: text,
  ...orderFields,
  /** Titles of the probes that have started. */
  titles: list(probeTitle),
  /** The folder of the reports, for a run of an experiment file. Otherwise, reports are beside the record. */
  out: optional(text),
  state: choice('queued', 'running', 'done', 'interrupted', 'failed'),
  /** How many times in a row the run was resumed automatically. */
  takenUp: optional(count),
  createdAt: count,
  endedAt: optional(count),
  /** File names of the reports in the run's folder. */
  reports: list(text),
  /** Why the run failed or stopped, with the remedy. */
  problem: optional(text),
  /** The main metric as text, or the verdict of several reports, for the tree of runs. */
  figure: optional(text),
  /** The full names of the evaluators, as in the reports. Runs of older versions have none. */
  names: optional(list(text)),
  /** The run's verdict on one line, with its evaluators' names. */
  sentence: optional(text),
  /** Maps a probe to its short verdict. Absent in runs of older versions. */
  sentences: optional(record(text)),
  /** The metrics of a run that stopped early. */
  stopped: optional(partialMetrics),
  /** Whether a finished run has results. */
  measured: optional(flag),
});
export type RunRecord = Shaped<typeof runRecord>;

/** Whether a run is in progress or waits for another one. */
export function isGoing({ state }: RunRecord): boolean {
  return state === 'running' || state === 'queued';
}

/** Removes the results of a run that starts again. */
export function clear(record: RunRecord): void {
  record.reports = [];
  record.problem = undefined;
  record.figure = undefined;
  record.sentence = undefined;
  record.sentences = undefined;
  record.endedAt = undefined;
  record.measured = undefined;
  record.stopped = undefined;
}

/** A probe's title: from the record if the probe has started, otherwise the probe's usual title. */
export function titleOf({ titles }: Pick<RunRecord, 'titles'>, probe: string): string {
  return titles.find(({ id }) => id === probe)?.title ?? viewFor(probe).title;
}

/** The fields that `isRepeated` compares. */
type Named = Pick<RunRecord, 'id' | 'dataset' | 'probes' | 'evaluators'>;

/** Whether another run has the same dataset, probes and evaluators, so that only the date tells the runs apart. */
export function isRepeated(record: Named, all: readonly Named[]): boolean {
  const key = ({ dataset, probes, evaluators }: Named) => JSON.stringify([dataset, probes, evaluators]);
  return all.some((other) => other.id !== record.id && key(other) === key(record));
}

/** Whether a run has ended with complete reports: if one evaluator fails, those of the others are written. */
export function hasReports({ state, reports }: Pick<RunRecord, 'state' | 'reports'>): boolean {
  return (state === 'done' || state === 'failed') && reports.length > 0;
}

/** For each probe, the dataset's newest ended run with a report of this probe. Newest run first. */
export function newestOfProbes(
  records: readonly RunRecord[],
  dataset: string,
): { probe: string; record: RunRecord }[] {
  const newest = new Map<string, RunRecord>();
  for (const own of records) {
    if (own.dataset !== dataset || !hasReports(own)) continue;
    for (const probe of own.probes) {
      const isReported = own.reports.some((name) => name.startsWith(`${probe}.`));
      if (isReported && !newest.has(probe)) newest.set(probe, own);
    }
  }
  return [...newest].map(([probe, own]) => ({ probe, record: own }));
}

/** How the tree of runs is grouped and sorted. */
export const arrangement = object({ group: choice('dataset', 'probe'), sort: choice('newest', 'name') });
export type Arrangement = Shaped<typeof arrangement>;
export const usualArrangement: Arrangement = { group: 'dataset', sort: 'newest' };

/**
 * The runs by dataset or by probe. A run with several probes is in the group of each. `records` are newest first; so
 * are the groups and their runs, or else both are in the order of their names.
 */
export function arranged<R extends Pick<RunRecord, 'dataset' | 'probes'>>(
  records: readonly R[],
  { group, sort }: Arrangement,
  nameOf: { group: (key: string) => string; run: (record: R) => string },
): { key: string; records: R[] }[] {
  const groups = new Map<string, R[]>();
  for (const record of records)
    for (const key of new Set(group === 'dataset' ? [record.dataset] : record.probes))
      groups.set(key, [...(groups.get(key) ?? []), record]);
  const all = [...groups].map(([key, own]) => ({ key, records: own }));
  if (sort === 'newest') return all;
  const order = new Intl.Collator(undefined, { numeric: true });
  for (const own of all) own.records.sort((a, b) => order.compare(nameOf.run(a), nameOf.run(b)));
  return all.sort((a, b) => order.compare(nameOf.group(a.key), nameOf.group(b.key)));
}

/** Whether a probe of the run has variants that people can check. */
export function hasVariants({ probes }: Pick<RunRecord, 'probes'>): boolean {
  return checkedProbes.some((probe) => probes.includes(probe));
}

/** When the run ended or, if it has not ended, when it was created. */
export function dateOf({ createdAt, endedAt }: Pick<RunRecord, 'createdAt' | 'endedAt'>): Date {
  return new Date(endedAt ?? createdAt);
}

/** The most evaluators that a title names. */
const mostNamed = 3;

/** The short names of the runs' evaluators: at most `mostNamed`, then the number of the others. */
export function evaluatorNames(records: readonly Pick<RunRecord, 'evaluators'>[]): string {
  const references = [...new Set(records.flatMap(({ evaluators }) => evaluators))];
  const names = references.map(shortName);
  // If two evaluators have the same file name, the name of the folder tells them apart.
  const all = references.map((reference, i) =>
    names.indexOf(names[i]) === names.lastIndexOf(names[i])
      ? names[i]
      : join(basename(dirname(reference)), names[i]),
  );
  const further = all.length - mostNamed;
  return all.slice(0, mostNamed).join(' ⇄ ') + (further > 0 ? ` +${further}` : '');
}

/** The evaluator's name for titles, without its folder and its Python arguments. */
export function shortName(evaluator: string): string {
  const metric = metricPrefix(evaluator);
  try {
    const python = parsePythonReference(evaluator.slice(metric.length), (path) => path);
    if (python !== undefined) return `${metric}${python.id}`;
  } catch {
    // An invalid reference is shown like a file name.
  }
  return basename(evaluator).replace(/\.evaluator\.json$/, '');
}

const recordFile = 'run.json';
/** Contains deleted runs, so that a deletion can be undone. The next window that loads the runs empties it. */
const trashFolder = '.trash';

/** Stores a workspace's runs. Each run has a folder with its record and reports. */
export class RecordStore {
  private saving: Promise<unknown> = Promise.resolve();

  constructor(private readonly folder: string) {}

  folderOf(id: string): string {
    return join(this.folder, id);
  }

  /** Loads the records, newest first. `onBroken` receives the path of each unreadable record. */
  async load(onBroken: (path: string, why: unknown) => void): Promise<RunRecord[]> {
    const names = await readdir(this.folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return [];
      throw error;
    });
    const records = await Promise.all(
      names
        .filter((name) => name !== trashFolder)
        .map(async (name) => {
          try {
            return [await this.read(name)];
          } catch (error) {
            onBroken(join(this.folder, name, recordFile), error);
            return [];
          }
        }),
    );
    return records.flat().sort((a, b) => b.createdAt - a.createdAt);
  }

  async read(id: string): Promise<RunRecord> {
    const record = runRecord(await readJson(join(this.folder, id, recordFile)), '');
    if (record.id !== id) throw new Error(`This record belongs to another run, ${record.id}.`);
    return record;
  }

  /** Saves a record. Saves are queued, so that the latest state is saved last. */
  save(record: RunRecord): Promise<void> {
    const saved = this.saving.then(() => this.saveNow(record));
    this.saving = saved.catch(() => undefined);
    return saved;
  }

  /** Moves a run to the trash. Replaces a run with the same id that is already in the trash. */
  async discard(id: string): Promise<void> {
    const trash = join(this.folder, trashFolder);
    await makeFolder(trash);
    await rm(join(trash, id), { recursive: true, force: true });
    await rename(this.folderOf(id), join(trash, id));
  }

  async restore(id: string): Promise<RunRecord> {
    await rename(join(this.folder, trashFolder, id), this.folderOf(id));
    return this.read(id);
  }

  async emptyTrash(): Promise<void> {
    await rm(join(this.folder, trashFolder), { recursive: true, force: true });
  }

  private async saveNow(record: RunRecord): Promise<void> {
    const folder = this.folderOf(record.id);
    await makeFolder(folder);
    await replaceFile(join(folder, recordFile), JSON.stringify(record, null, 1));
  }
}
