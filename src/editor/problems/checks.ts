import { extname } from 'node:path';
import * as vscode from 'vscode';
import { messageOf } from '../../base/errors';
import type { CheckedFile } from '../../protocol/service';
import { readReport } from '../../report/report';
import { isNeverDataset } from './neverDatasets';
import type { Reader } from '../../process/readerClient';
import { sum } from '../../stats/summary';
import { hasReports } from '../runs/runRecord';
import type { Runs } from '../runs/runs';
import * as settings from '../settings';
import { localized } from '../messages';
import { inKinds, moreOfKind, unlistedOf } from './kinds';
import { diagnostic, inert } from '../notify';

export type Finding = CheckedFile['findings'][number];

const endings = ['.json', '.jsonc', '.jsonl', '.ndjson', '.csv', '.tsv', '.token'];
/** A problem with several findings links to at most this many other places. */
const mostPlaces = 20;
/** At most this many characters of an entry are underlined. */
const longest = 2000;

/** Shows the problems of open dataset files. Checks the file on disk when it is opened or saved, and after a run. */
export class Checks implements vscode.Disposable {
  private readonly problems = vscode.languages.createDiagnosticCollection('captious');
  private readonly found = new Map<string, Map<vscode.Diagnostic, readonly Finding[]>>();
  private readonly counts = new Map<string, number>();
  private readonly subscriptions: vscode.Disposable[];
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  /** Fires when a file was checked. */
  readonly onDidChange = this.changed.event;
  private queue: Promise<void> = Promise.resolve();

  constructor(
    private readonly reader: Reader,
    private readonly runs: Runs,
    private readonly log: vscode.LogOutputChannel,
  ) {
    const all = () => {
      for (const document of vscode.workspace.textDocuments) this.soon(document);
    };
    this.subscriptions = [
      this.problems,
      this.changed,
      vscode.workspace.onDidOpenTextDocument((document) => this.soon(document)),
      vscode.workspace.onDidSaveTextDocument((document) => this.soon(document)),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => {
        this.problems.delete(uri);
        this.found.delete(uri.toString());
        this.counts.delete(uri.toString());
      }),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration('captious.imageFolders')) all();
      }),
      vscode.workspace.onDidGrantWorkspaceTrust(all),
      runs.onDidChange((record) => {
        if (record === undefined || !hasReports(record)) return;
        for (const document of vscode.workspace.textDocuments)
          if (document.uri.fsPath === record.dataset) this.soon(document);
      }),
    ];
    all();
  }

  /** The findings that a problem shows: one finding, or all findings of one kind. */
  findingsOf(uri: vscode.Uri, problem: vscode.Diagnostic): readonly Finding[] {
    for (const [known, findings] of this.found.get(uri.toString()) ?? [])
      if (known.message === problem.message && known.range.isEqual(problem.range)) return findings;
    return [];
  }

  /** How many problems the file has, with those that are too many to list, and in how many entries the editor lists them. */
  problemCount(uri: vscode.Uri): readonly [count: number, entries: number] {
    const key = uri.toString();
    return [this.counts.get(key) ?? 0, this.found.get(key)?.size ?? 0];
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  /** Queues a check. Only one file is checked at a time, because the reading process also serves the panel. */
  private soon(document: vscode.TextDocument): void {
    if (document.uri.scheme !== 'file' || !endings.includes(extname(document.uri.fsPath).toLowerCase()))
      return;
    if (isNeverDataset(document.uri.fsPath)) return;
    this.queue = this.queue
      .then(() => this.check(document))
      .catch((error: unknown) => this.log.warn(`${document.uri.fsPath}: ${messageOf(error)}`));
  }

  private async check(document: vscode.TextDocument): Promise<void> {
    const { uri } = document;
    if (document.isClosed) return;
    const checked = await this.reader.ask('check', {
      path: uri.fsPath,
      images: settings.imageFolders(uri),
      home: settings.home(),
      evaluator: await this.evaluatorOf(uri.fsPath),
    });
    // The document may have been closed during the check.
    if (vscode.workspace.textDocuments.every((open) => open.uri.toString() !== uri.toString())) return;
    const { findings, count } = checked;
    const kinds = inKinds(findings);
    const unlisted = kinds.map((kind) => unlistedOf(kind, checked));
    const found = new Map(kinds.map((kind, i) => [problemOf(document, kind, unlisted[i]), kind]));
    this.found.set(uri.toString(), found);
    this.counts.set(uri.toString(), count);
    const problems = [...found.keys()];
    const unsaid = count - findings.length - sum(unlisted);
    if (unsaid > 0) {
      const more = diagnostic(
        new vscode.Range(0, 0, 0, 0),
        vscode.l10n.t('More problems of the same kinds, not listed here: {0}.', unsaid),
        vscode.DiagnosticSeverity.Information,
      );
      more.source = 'Captious';
      problems.push(more);
    }
    this.problems.set(uri, problems);
    this.changed.fire(uri);
  }

  /** The path of the evaluator in the first report of the dataset's latest run; undefined if the path is unknown. */
  private async evaluatorOf(dataset: string): Promise<string | undefined> {
    await this.runs.load();
    const record = this.runs.latest(dataset);
    const path = record && this.runs.reportPaths(record).at(0);
    if (path === undefined) return undefined;
    try {
      return (await readReport(path)).evaluator.path;
    } catch (error) {
      this.log.warn(messageOf(error));
      return undefined;
    }
  }
}

function problemOf(
  document: vscode.TextDocument,
  [finding, ...more]: readonly Finding[],
  unlisted: number,
): vscode.Diagnostic {
  const message = localized(finding.message);
  const problem = diagnostic(
    rangeOf(document, finding),
    more.length + unlisted === 0 ? message : localized(moreOfKind([finding, ...more], unlisted)),
    finding.severity === 'error' ? vscode.DiagnosticSeverity.Error : vscode.DiagnosticSeverity.Warning,
  );
  problem.source = 'Captious';
  problem.code = finding.code;
  problem.relatedInformation = more
    .slice(0, mostPlaces)
    .map(
      (other) =>
        new vscode.DiagnosticRelatedInformation(
          new vscode.Location(document.uri, rangeOf(document, other)),
          inert(localized(other.message)),
        ),
    );
  return problem;
}

/** The range to underline: the finding's place, narrowed to the image's name if the finding is about an image. */
export function rangeOf(document: vscode.TextDocument, { code, place, text }: Finding): vscode.Range {
  if (place === undefined)
    return (text !== undefined && wordIn(document, text)) || new vscode.Range(0, 0, 0, 0);
  const range = placeIn(document, place);
  if (text !== undefined && code.endsWith('-image')) {
    const at = document.getText(range).indexOf(JSON.stringify(text).slice(1, -1));
    if (at >= 0) {
      const start = document.offsetAt(range.start) + at;
      return new vscode.Range(document.positionAt(start), document.positionAt(start + text.length));
    }
  }
  return range;
}

/** The editor's range for a place. A place has a length in bytes, but the editor counts characters. */
export function placeIn(
  document: vscode.TextDocument,
  { line, column, length }: NonNullable<Finding['place']>,
): vscode.Range {
  const start = document.validatePosition(new vscode.Position(line - 1, column - 1));
  const from = document.offsetAt(start);
  const most = document.positionAt(from + Math.min(length, longest));
  const bytes = Buffer.from(document.getText(new vscode.Range(start, most))).subarray(0, length);
  return new vscode.Range(start, document.positionAt(from + bytes.toString().length));
}

/** Searches the top of the file for the word, first in quotes and then without quotes. */
function wordIn(document: vscode.TextDocument, word: string): vscode.Range | undefined {
  const top = new vscode.Range(0, 0, Math.min(document.lineCount, 200), 0);
  const text = document.getText(top).slice(0, 200_000);
  const quoted = text.indexOf(`"${word}"`);
  const at = quoted >= 0 ? quoted + 1 : text.indexOf(word);
  return at < 0
    ? undefined
    : new vscode.Range(document.positionAt(at), document.positionAt(at + word.length));
}
