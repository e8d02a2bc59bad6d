/* Remembers which reports of an experiment are made, so that the next run makes only what changed. */
import { readdir, stat } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import * as z from 'zod/mini';
import { Fingerprints } from '../base/files/fingerprints';
import { readJson } from '../base/files/readJson';
import { replaceFile } from '../base/files/writeFile';
import { parsed } from '../base/schema';
import type { Part } from './parts';
import type { FinishedCell } from '../audit/matrix/cell';

export const stateName = 'experiment.state.json';
const schema = 'captious/experiment-state@1';

const cell = z.object({
  /** The path of the report, relative to the state file, with slashes. */
  report: z.string(),
  sha256: z.string(),
  rows: z.string(),
  /** Files that the key of the cell does not cover, with their hashes. */
  uncovered: z.record(z.string(), z.string()),
});
const stateFile = z.object({ schema: z.literal(schema), cells: z.record(z.string(), cell) });
type Cells = z.infer<typeof stateFile>['cells'];

export class ExperimentState {
  private readonly own: string;

  constructor(
    private readonly folder: string,
    private readonly fingerprints: Pick<Fingerprints, 'sha256'> = new Fingerprints(undefined),
    /** Parts may run at once on several machines, so each writes a file of its own. */
    part?: Part,
  ) {
    this.own = part === undefined ? stateName : `experiment.state.${part.index}-of-${part.count}.json`;
  }

  /** The path of the unchanged report with this key in the folder `out`. */
  async find(key: string, out: string): Promise<string | undefined> {
    for (const cells of await this.readAll()) {
      const id = idOf(key, this.nameOf(out));
      const found = Object.hasOwn(cells, id) ? await this.unchanged(cells[id], out) : undefined;
      if (found !== undefined) return found;
    }
    return undefined;
  }

  private async unchanged(own: Cells[string], out: string): Promise<string | undefined> {
    const report = resolve(this.folder, own.report);
    if (dirname(report) !== resolve(out)) return undefined;
    const rows = await stat(join(dirname(report), own.rows)).catch(() => undefined);
    if (rows?.isFile() !== true || !(await this.isSame(report, own.sha256))) return undefined;
    for (const [path, sha256] of Object.entries(own.uncovered))
      if (!(await this.isSame(path, sha256))) return undefined;
    return report;
  }

  /** Adds a report. Reads the file again, because another run may have written it. */
  async add(out: string, { key, written, uncovered }: FinishedCell): Promise<void> {
    const report = this.nameOf(written.path);
    const sha256 = await this.fingerprints.sha256(written.path);
    const others = Object.entries(await this.readFile(this.own)).filter(
      ([, known]) => known.report !== report,
    );
    const own = { report, sha256, rows: written.report.rows, uncovered: { ...uncovered } };
    const cells: Cells = { ...Object.fromEntries(others), [idOf(key, this.nameOf(out))]: own };
    await replaceFile(join(this.folder, this.own), `${JSON.stringify({ schema, cells }, undefined, 1)}\n`);
  }

  private async readAll(): Promise<Cells[]> {
    const names = await readdir(this.folder).catch(() => []);
    const states = names.filter((name) => /^experiment\.state(\.\d+-of-\d+)?\.json$/.test(name));
    return Promise.all(states.map((name) => this.readFile(name)));
  }

  /** Without a readable file, everything runs again. */
  private async readFile(name: string): Promise<Cells> {
    try {
      return parsed(stateFile, await readJson(join(this.folder, name))).cells;
    } catch {
      return {};
    }
  }

  private async isSame(path: string, sha256: string): Promise<boolean> {
    return sha256 !== '' && (await this.fingerprints.sha256(path).catch(() => undefined)) === sha256;
  }

  private nameOf(path: string): string {
    return relative(this.folder, path).split(sep).join('/');
  }
}

/** Equal datasets in two folders have two reports. */
function idOf(key: string, folder: string): string {
  return folder === '' ? key : `${folder} ${key}`;
}
