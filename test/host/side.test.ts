import assert from 'node:assert/strict';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { AuditOutcome } from '../../src/editor/runs/following';
import { reportSource } from '../../src/editor/panel/reportSource';
import { WebReports } from '../../src/editor/panel/webReports';
import { SidePage } from '../../src/editor/side/sidePage';
import { Marks, type MarkSource } from '../../src/editor/text/marks';
import { type SideState, toSide, type ToSide } from '../../src/protocol/side';
import { turns, until } from '../until';

const evaluator = join(process.env.CAPTIOUS_REPOSITORY!, 'test/fixtures/models/bert-cls');

/** A view that records messages instead of sending them to a page. */
class RecordedView implements vscode.WebviewView {
  readonly viewType = 'captious.example';
  visible = true;
  readonly sent: ToSide[] = [];
  private readonly heard = new vscode.EventEmitter<unknown>();
  private readonly visibility = new vscode.EventEmitter<void>();
  readonly onDidDispose = new vscode.EventEmitter<void>().event;
  readonly onDidChangeVisibility = this.visibility.event;
  readonly webview: vscode.Webview = {
    options: {},
    html: '',
    cspSource: 'self',
    asWebviewUri: (uri) => uri,
    onDidReceiveMessage: this.heard.event,
    postMessage: (message: unknown) => {
      this.sent.push(toSide(message, ''));
      return Promise.resolve(true);
    },
  };

  show(): void {
    // Unused in these tests.
  }

  say(message: unknown): void {
    this.heard.fire(message);
  }

  setVisible(visible: boolean): void {
    this.visible = visible;
    this.visibility.fire();
  }

  get state(): SideState | undefined {
    return this.sent.flatMap((message) => (message.type === 'state' ? [message.state] : [])).at(-1);
  }

  /** The line and the first caption of the last example that the view received. */
  get example(): [number, string | undefined] | undefined {
    const last = this.sent.flatMap((message) => (message.type === 'example' ? [message] : [])).at(-1);
    return last && [last.line, last.example?.entries[0].detail.captions[0].text];
  }
}

describe('the side panel', () => {
  const view = new RecordedView();
  const reports = new WebReports();
  const log = vscode.window.createOutputChannel('side panel', { log: true });
  let page: SidePage;
  let marks: Marks;
  let editor: vscode.TextEditor;
  let report: vscode.Uri;
  let reads = 0;

  before(async () => {
    const [folder] = vscode.workspace.workspaceFolders!;
    const uri = vscode.Uri.joinPath(folder.uri, 'side.tsv');
    await vscode.workspace.fs.copy(vscode.Uri.joinPath(folder.uri, 'triplets.tsv'), uri, { overwrite: true });
    const outcome = await vscode.commands.executeCommand<AuditOutcome>('captious.audit', uri, {
      probes: ['visla'],
      evaluators: [evaluator],
    });
    assert.equal(outcome.state, 'done', outcome.problem);
    report = vscode.Uri.file(outcome.reports[0]);
    const source: MarkSource = {
      onDidChange: new vscode.EventEmitter<unknown>().event,
      load: () => Promise.resolve(),
      latest: ({ path }) =>
        path === uri.path
          ? [
              {
                ...{ id: report.toString(), probe: 'visla', title: 'VISLA', words: 'VISLA' },
                ...{ isOlder: false, again: undefined },
              },
            ]
          : [],
      worst: () => Promise.resolve(new Set()),
      marks: (_, from, to) => reports.answer(report, 'marks', { report: report.toString(), from, to }),
    };
    marks = new Marks(source, log);
    editor = await vscode.window.showTextDocument(uri, { viewColumn: vscode.ViewColumn.One });
    page = new SidePage(view, {
      extensionUri: vscode.extensions.getExtension('captious.captious')!.extensionUri,
      log,
      marks,
      memory: { keys: () => [], get: () => undefined, update: () => Promise.resolve() },
      datasets: {
        canAudit: true,
        has: () => true,
        onDidChange: () => new vscode.Disposable(() => undefined),
      },
      runs: { all: [], onDidChange: () => new vscode.Disposable(() => undefined) },
      open: async ({ run }) => {
        const opened = await reportSource(run, reports);
        return {
          folder: undefined,
          state: () => opened.state(),
          datasetOf: (key) => opened.datasetOf(key),
          export: (key) => opened.export(key),
          exportForPaper: () => opened.exportForPaper(),
          answer: (ask, context) => {
            reads++;
            return opened.answer(ask, context);
          },
        };
      },
    });
  });

  after(async () => {
    page.dispose();
    marks.dispose();
    log.dispose();
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });

  const captionOf = (line: number) => editor.document.lineAt(line - 1).text.split('\t')[1];
  const moveTo = (line: number) => {
    editor.selection = new vscode.Selection(line - 1, 0, line - 1, 0);
  };
  const shows = (line: number) =>
    until(
      () => view.example?.[0] === line && view.example[1] === captionOf(line),
      () => `shown is ${JSON.stringify(view.example)}, not line ${line}: ${captionOf(line)}`,
    );

  it('reads nothing before its page is ready', async () => {
    moveTo(2);
    await turns(20);
    assert.deepEqual([reads, view.sent], [0, []]);
  });

  it('sends the example under the cursor, and the next one when the cursor moves', async () => {
    moveTo(3);
    view.say({ type: 'ready' });
    await shows(3);
    assert.equal(view.state?.file, 'side.tsv');
    assert.deepEqual(
      view.state.reports.map(({ probe }) => probe),
      ['visla'],
    );
    moveTo(5);
    await shows(5);
  });

  it('sends nothing twice when the cursor moves within its line', async () => {
    const { length } = view.sent;
    editor.selection = new vscode.Selection(4, 6, 4, 6);
    moveTo(6);
    await shows(6);
    assert.equal(view.sent.length, length + 1);
  });

  it('moves the cursor to the row of the list that was clicked', async () => {
    const { key } = view.state!.reports[0];
    view.say({ type: 'go', report: key, index: 1 });
    await until(() => editor.selection.active.line === 2);
    await shows(3);
  });

  it('finds the example again on the line that it has moved to', async () => {
    const caption = captionOf(4);
    await editor.edit((edit) => {
      edit.insert(new vscode.Position(1, 0), 'x.jpg\ta\tb\tc\n');
    });
    moveTo(5);
    await until(() => view.example?.[0] === 5 && view.example[1] === caption);
    moveTo(2);
    await until(() => view.example?.[0] === 2 && view.example[1] === undefined);
    await vscode.commands.executeCommand('undo');
  });

  it('reads nothing while it is hidden, and shows the current line when it returns', async () => {
    moveTo(4);
    await shows(4);
    view.setVisible(false);
    const before = [reads, view.sent.length];
    moveTo(8);
    await editor.edit((edit) => {
      edit.insert(new vscode.Position(7, 0), 'x');
    });
    await vscode.commands.executeCommand('undo');
    await turns(50);
    assert.deepEqual([reads, view.sent.length], before);
    view.setVisible(true);
    view.say({ type: 'ready' });
    await shows(8);
  });
});
