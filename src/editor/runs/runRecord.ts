import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { readJson } from '../../base/files/readJson';
import { replaceFile } from '../../base/files/writeFile';
import { viewFor } from '../../probe/views';
import { partialMetrics, probeTitle } from '../../protocol/panel';
import { metricPrefix } from '../../evaluator/clipscore';
import { parsePythonReference } from '../../evaluator/python/reference';
import {
  choice,
  count,
  flag,
  list,
  number,
  object,
  optional,
  record,
  type Shaped,
  text,
} from '../../base/shape';

const runRecord = object({
  id: text,
  dataset: text,
  probes: list(text),
  /** Titles of the started probes. */
  titles: list(probeTitle),
  evaluators: list(text),
  images: list(text),
  seed: optional(number),
  limit: optional(count),
  options: optional(record(record(text))),
  python: optional(list(text)),
  state: choice('queued', 'running', 'done', 'interrupted', 'failed'),
  /** How many times in a row the run was resumed automatically. */
  takenUp: optional(count),
  createdAt: count,
  endedAt: optional(count),
  /** File names of the reports in the run's folder. */
  reports: list(text),
  /** Why the run failed or stopped, with the remedy. */
  problem: optional(text),
  /** The most important metric as text, for the tree. */
  figure: optional(text),
  /** The full names of the evaluators, as in the reports. Runs of older versions have none. */
  names: optional(list(text)),
  /** The run's verdict on one line, with its evaluators' names. */
  sentence: optional(text),
  /** Each probe's short verdict, for files with results of several probes. Absent in runs of older versions. */
  sentences: optional(record(text)),
  /** The metrics of a run that stopped early. */
  stopped: optional(partialMetrics),
  /** Whether a finished run measured anything. */
  measured: optional(flag),
});
export type RunRecord = Shaped<typeof runRecord>;

/** A probe's title, even before it has started. */
export function titleOf({ titles }: Pick<RunRecord, 'titles'>, probe: string): string {
  return titles.find(({ id }) => id === probe)?.title ?? viewFor(probe).title;
}

/** The fields that determine a run's name in the tree, in tabs and in lenses. */
type Named = Pick<RunRecord, 'id' | 'dataset' | 'probes' | 'evaluators'>;

/** Whether another run has the same dataset, probes and evaluators, so only the date differs. */
export function isRepeated(record: Named, all: readonly Named[]): boolean {
  const key = ({ dataset, probes, evaluators }: Named) => JSON.stringify([dataset, probes, evaluators]);
  return all.some((other) => other.id !== record.id && key(other) === key(record));
}

/** Per probe, a dataset's newest finished run with a report, newest first. */
export function newestOfProbes(
  records: readonly RunRecord[],
  dataset: string,
): { probe: string; record: RunRecord }[] {
  const newest = new Map<string, RunRecord>();
  for (const own of records) {
    if (own.dataset !== dataset || own.state !== 'done') continue;
    for (const probe of own.probes) {
      const isReported = own.reports.some((name) => name.startsWith(`${probe}.`));
      if (isReported && !newest.has(probe)) newest.set(probe, own);
    }
  }
  return [...newest].map(([probe, own]) => ({ probe, record: own }));
}

/** The run's end, or its start if it has not ended. */
export function dateOf({ createdAt, endedAt }: Pick<RunRecord, 'createdAt' | 'endedAt'>): Date {
  return new Date(endedAt ?? createdAt);
}

/** More names would fill the title. */
const mostNamed = 3;

/** The runs' evaluators without folders and endings. */
export function evaluatorNames(records: readonly Pick<RunRecord, 'evaluators'>[]): string {
  const references = [...new Set(records.flatMap(({ evaluators }) => evaluators))];
  const names = references.map(shortName);
  // Two evaluators with the same file name differ in their folders.
  const all = references.map((reference, i) =>
    names.indexOf(names[i]) === names.lastIndexOf(names[i])
      ? names[i]
      : join(basename(dirname(reference)), names[i]),
  );
  const further = all.length - mostNamed;
  return all.slice(0, mostNamed).join(' ⇄ ') + (further > 0 ? ` +${further}` : '');
}

/** The evaluator's name without folder and Python arguments, which would fill the title. */
export function shortName(evaluator: string): string {
  const metric = metricPrefix(evaluator);
  try {
    const python = parsePythonReference(evaluator.slice(metric.length), (path) => path);
    if (python !== undefined) return `${metric}${python.id}`;
  } catch {
    // The reference is invalid, so its run failed.
  }
  return basename(evaluator).replace(/\.evaluator\.json$/, '');
}

const recordFile = 'run.json';
/** Keeps deleted runs until the window closes. */
const trashFolder = '.trash';

/** Stores a workspace's runs. Each run has a folder with its record and reports. */
export class RecordStore {
  private saving: Promise<unknown> = Promise.resolve();

  constructor(private readonly folder: string) {}

  folderOf(id: string): string {
    return join(this.folder, id);
  }

  /** Loads the records, newest first. `onBroken` receives folders without a readable record. */
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

  /** Saves are queued, because the latest state must be saved last. */
  save(record: RunRecord): Promise<void> {
    const saved = this.saving.then(() => this.saveNow(record));
    this.saving = saved.catch(() => undefined);
    return saved;
  }

  /** Moves a run to the trash, and replaces an earlier run with this id there. */
  async discard(id: string): Promise<void> {
    const trash = join(this.folder, trashFolder);
    await mkdir(trash, { recursive: true });
    await rm(join(trash, id), { recursive: true, force: true });
    await rename(this.folderOf(id), join(trash, id));
  }

  /** Restores a run from the trash. */
  async restore(id: string): Promise<RunRecord> {
    await rename(join(this.folder, trashFolder, id), this.folderOf(id));
    return this.read(id);
  }

  async emptyTrash(): Promise<void> {
    await rm(join(this.folder, trashFolder), { recursive: true, force: true });
  }

  private async saveNow(record: RunRecord): Promise<void> {
    const folder = this.folderOf(record.id);
    await mkdir(folder, { recursive: true });
    await replaceFile(join(folder, recordFile), JSON.stringify(record, null, 1));
  }
}
