import assert from 'node:assert/strict';
import { cp, mkdir, readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import * as vscode from 'vscode';
import type { AuditOutcome } from '../../src/editor/runs/following';
import { until } from '../until';

const evaluator = join(process.env.CAPTIOUS_REPOSITORY!, 'test/fixtures/models/bert-cls');
const inWorkspace = (name: string) => vscode.Uri.joinPath(vscode.workspace.workspaceFolders![0].uri, name);

describe('a report file', () => {
  const shown = (): unknown => vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  const isPanel = (uri: vscode.Uri): boolean => {
    const input = shown();
    return (
      input instanceof vscode.TabInputCustom &&
      input.viewType === 'captious.reportEditor' &&
      input.uri.toString() === uri.toString()
    );
  };
  const isText = (uri: vscode.Uri): boolean => {
    const input = shown();
    return input instanceof vscode.TabInputText && input.uri.toString() === uri.toString();
  };

  afterEach(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));

  it('opens in the panel, which writes nothing beside it, and as text by the button', async () => {
    const dataset = inWorkspace('triplets.tsv');
    const order = { probes: ['visla'], evaluators: [evaluator] };
    const outcome = await vscode.commands.executeCommand<AuditOutcome>('captious.audit', dataset, order);
    assert.equal(outcome.state, 'done', outcome.problem);
    // A copy, because the rows of the run were indexed when it ended.
    const folder = inWorkspace('copied').fsPath;
    await mkdir(folder, { recursive: true });
    await cp(dirname(outcome.reports[0]), folder, { recursive: true });
    const before = (await readdir(folder)).sort();
    assert.ok(before.includes('visla.bert-cls.rows.jsonl'), before.join());
    const report = vscode.Uri.file(join(folder, basename(outcome.reports[0])));
    await vscode.commands.executeCommand('vscode.open', report);
    await until(() => isPanel(report));
    // The panel of the command is the same tab.
    await vscode.commands.executeCommand('captious.openReport', report);
    await until(() => isPanel(report));
    assert.deepEqual((await readdir(folder)).sort(), before);
    await vscode.commands.executeCommand('captious.openReportAsText', report);
    await until(() => isText(report));
  });

  it('that is none opens with the reason instead of the panel, and as text by its link', async () => {
    const broken = inWorkspace('broken.report.json');
    await vscode.workspace.fs.writeFile(broken, Buffer.from('{ "schema": '));
    await vscode.commands.executeCommand('vscode.open', broken);
    await until(() => isPanel(broken));
    await vscode.commands.executeCommand('captious.openReportAsText', broken.toString());
    await until(() => isText(broken));
  });
});
