import { findInstances } from '../dataset/instances';
import { openDataset } from '../dataset/open';
import { readReport } from '../report/report';
import { rowsPath } from '../report/rows';
import type { Evaluators } from './evaluators';
import type { Folders } from '../assistant/folders';
import { isReportName } from './reports';
import { inputError } from '../base/errors';

export interface Permissions {
  folders: Folders;
  evaluators: Evaluators;
  home: string;
  /** Whether the user consents to run and contact the evaluators that the command line allows. */
  consents: boolean;
}

/** What a call of a tool may use. */
export class ToolContext {
  readonly folders: Folders;
  readonly evaluators: Evaluators;
  readonly home: string;
  readonly consents: boolean;

  constructor(
    { folders, evaluators, home, consents }: Permissions,
    readonly signal: AbortSignal,
    readonly progress: (done: number, total: number, message: string) => void,
  ) {
    this.folders = folders;
    this.evaluators = evaluators;
    this.home = home;
    this.consents = consents;
  }

  /** The path of a dataset file. Files next to it that formats and probes read must be inside the folders, too. */
  async dataset(given: string): Promise<string> {
    const path = await this.folders.existing(given, 'file');
    const { beside } = await openDataset(path, { signal: this.signal });
    for (const other of [beside, findInstances(path)])
      if (other !== undefined) await this.folders.existing(other, 'file');
    return path;
  }

  /** The path of a report. Its rows must be inside the folders, too. */
  async report(given: string): Promise<string> {
    const path = await this.folders.existing(given, 'file');
    if (!isReportName(path))
      throw inputError('This is not a report.', 'Choose a *.report.json file that an audit wrote.', given);
    await this.folders.existing(rowsPath(path, await readReport(path)), 'file');
    return path;
  }

  imageFolders(given: readonly string[] = []): Promise<string[]> {
    return Promise.all(given.map((folder) => this.folders.existing(folder, 'folder')));
  }
}
