import type * as vscode from 'vscode';
import type { BesideMarks } from './besideMarks';
import type { ExampleMark, Known } from './evaluatorMarks';
import type { MarkSource } from './marks';
import { isReportFile, type RunMarks } from './runMarks';

/** The newest results of each probe, from the workspace's runs and from reports next to the dataset. */
export class AllMarks implements MarkSource {
  readonly onDidChange: vscode.Event<unknown>;

  constructor(
    private readonly runs: RunMarks,
    private readonly beside: BesideMarks,
  ) {
    this.onDidChange = (listener, self, disposables) => {
      const both = [runs.onDidChange(listener, self), beside.onDidChange(listener, self)];
      const stop = { dispose: () => both.forEach((one) => one.dispose()) };
      disposables?.push(stop);
      return stop;
    };
  }

  load(): Promise<void> {
    return this.runs.load();
  }

  latest(uri: vscode.Uri): Known[] {
    const ofRuns = this.runs.latest(uri);
    const beside = this.beside.latest(uri, ofRuns.length > 0);
    const brief = beside.length === 0 ? ofRuns : this.runs.latest(uri, true);
    const newestFirst = [...brief, ...beside].sort((a, b) => b.at - a.at);
    const [newest] = newestFirst;
    return newestFirst
      .filter((own, i) => newestFirst.findIndex(({ probe }) => probe === own.probe) === i)
      .map((own) => ({ ...own, isOlder: own.isOlder || (own !== newest && !isReportFile(own.id)) }));
  }

  marks(known: Known, from: number, to: number): Promise<ExampleMark[]> {
    return this.sourceOf(known).marks(known, from, to);
  }

  /** The reports of the results, one per evaluator. */
  reports(known: Known): Promise<{ report: string; evaluator: string }[]> {
    return this.sourceOf(known).reports(known);
  }

  worst(known: Known): Promise<Set<number>> {
    return this.sourceOf(known).worst(known);
  }

  async image(known: Known, mark: ExampleMark): Promise<Uint8Array | undefined> {
    return isReportFile(known.id)
      ? this.runs.imageIn(mark, this.beside.imageFolders(known.id))
      : this.runs.image(known, mark);
  }

  private sourceOf({ id }: Known): RunMarks | BesideMarks {
    return isReportFile(id) ? this.beside : this.runs;
  }
}
