/* Remembers which reports of an experiment are made, so that the next run makes only what changed. */
import { stat } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import * as z from 'zod/mini';
import type { FinishedCell } from '../audit/matrix/matrix';
import { Fingerprints } from '../base/files/fingerprints';
import { readJson } from '../base/files/readJson';
import { replaceFile } from '../base/files/writeFile';
import { parsed } from '../base/schema';

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
  private readonly path: string;

  constructor(
    private readonly folder: string,
    private readonly fingerprints: Pick<Fingerprints, 'sha256'> = new Fingerprints(undefined),
  ) {
    this.path = join(folder, stateName);
  }

  /** The path of the unchanged report with this key in the folder `out`. */
  async find(key: string, out: string): Promise<string | undefined> {
    const cells = await this.read();
    const own = Object.hasOwn(cells, idOf(key, this.nameOf(out)))
      ? cells[idOf(key, this.nameOf(out))]
      : undefined;
    if (own === undefined) return undefined;
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
    const others = Object.entries(await this.read()).filter(([, known]) => known.report !== report);
    const own = { report, sha256, rows: written.report.rows, uncovered: { ...uncovered } };
    const cells: Cells = { ...Object.fromEntries(others), [idOf(key, this.nameOf(out))]: own };
    await replaceFile(this.path, `${JSON.stringify({ schema, cells }, undefined, 1)}\n`);
  }

  /** Without a readable file, everything runs again. */
  private async read(): Promise<Cells> {
    try {
      return parsed(stateFile, await readJson(this.path)).cells;
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
