import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { readJson } from '../../base/files/readJson';
import { replaceFile } from '../../base/files/writeFile';
import { probeTitle } from '../../protocol/panel';
import { choice, count, list, number, object, optional, type Shaped, text } from '../../base/shape';

const runRecord = object({
  id: text,
  dataset: text,
  probes: list(text),
  /** How they call themselves, once they have started. */
  titles: list(probeTitle),
  evaluators: list(text),
  images: list(text),
  seed: optional(number),
  limit: optional(count),
  state: choice('queued', 'running', 'done', 'interrupted', 'failed'),
  /** How often in a row it was taken up by itself. */
  takenUp: optional(count),
  /** Milliseconds since 1970. */
  createdAt: count,
  endedAt: optional(count),
  /** File names of the reports, inside the run's folder. */
  reports: list(text),
  /** Why it failed or stopped, with the way out. */
  problem: optional(text),
  /** The first figure, in words, for the tree. */
  figure: optional(text),
  /** The first figures, for the lens over the file. */
  sentence: optional(text),
});
export type RunRecord = Shaped<typeof runRecord>;

/** What a probe of a run is called; before it has started, by its id. */
export function titleOf({ titles }: Pick<RunRecord, 'titles'>, probe: string): string {
  return titles.find(({ id }) => id === probe)?.title ?? probe.toUpperCase();
}

const recordFile = 'run.json';

/** Runs of a workspace: a folder each, with what was ordered and what came of it. */
export class RecordStore {
  private saving: Promise<unknown> = Promise.resolve();

  constructor(private readonly folder: string) {}

  folderOf(id: string): string {
    return join(this.folder, id);
  }

  /** The newest first. A folder without a readable record is no run, and is told to `onBroken`. */
  async load(onBroken: (path: string, why: unknown) => void): Promise<RunRecord[]> {
    const names = await readdir(this.folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return [];
      throw error;
    });
    const records = await Promise.all(
      names.map(async (name) => {
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
    if (record.id !== id) throw new Error(`This is the record of another run, ${record.id}.`);
    return record;
  }

  /** One after the other: each is written beside the last and moved into its place. */
  save(record: RunRecord): Promise<void> {
    const saved = this.saving.then(() => this.saveNow(record));
    this.saving = saved.catch(() => undefined);
    return saved;
  }

  async remove(id: string): Promise<void> {
    await rm(this.folderOf(id), { recursive: true, force: true });
  }

  private async saveNow(record: RunRecord): Promise<void> {
    const folder = this.folderOf(record.id);
    await mkdir(folder, { recursive: true });
    await replaceFile(join(folder, recordFile), JSON.stringify(record, null, 1));
  }
}
