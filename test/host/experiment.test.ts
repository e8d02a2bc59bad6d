import assert from 'node:assert/strict';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { AuditOutcome } from '../../src/editor/runs/following';
import type { RunRecord } from '../../src/editor/runs/runRecord';
import { until } from '../until';

const clip = join(process.env.CAPTIOUS_REPOSITORY!, 'test/fixtures/models/clip');
const samples = vscode.Uri.file(join(process.env.CAPTIOUS_REPOSITORY!, 'samples'));

describe('an experiment file', () => {
  const folder = vscode.Uri.joinPath(vscode.workspace.workspaceFolders![0].uri, 'experiment');
  const uri = vscode.Uri.joinPath(folder, 'captious.json');
  const exists = (path: string) =>
    vscode.workspace.fs.stat(vscode.Uri.joinPath(folder, path)).then(
      () => true,
      () => false,
    );

  before(async () => {
    for (const name of ['one.tsv', 'two.tsv'])
      await vscode.workspace.fs.copy(
        vscode.Uri.joinPath(samples, 'triplets.tsv'),
        vscode.Uri.joinPath(folder, name),
      );
    const images = join(samples.fsPath, 'images');
    const file = {
      ...{ datasets: ['one.tsv'], probes: ['visla'], evaluators: [clip], images, limit: 4, out: 'reports' },
      runs: { both: { datasets: ['one.tsv', 'two.tsv'], limit: 3 } },
    };
    const text = `// An experiment\n${JSON.stringify(file, undefined, 1)}\n`;
    await vscode.workspace.fs.writeFile(uri, Buffer.from(text));
  });

  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await vscode.workspace.fs.delete(folder, { recursive: true });
  });

  const commands = async (): Promise<string[]> => {
    const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>(
      'vscode.executeCodeLensProvider',
      uri,
    );
    return lenses.map(({ command }) => command!.command);
  };

  it('has lenses, runs in the queue, and opens the results', async () => {
    const document = await vscode.workspace.openTextDocument(uri);
    assert.equal(document.languageId, 'jsonc');
    await vscode.window.showTextDocument(document);
    assert.deepEqual(await commands(), Array(4).fill('captious.runExperiment'));

    const outcome = await vscode.commands.executeCommand<AuditOutcome>('captious.runExperiment', uri, {});
    assert.equal(outcome.state, 'done', outcome.problem);
    assert.equal(outcome.reports.length, 1);
    assert.ok(await exists('reports/visla.clip.report.json'));
    await until(async () => (await commands()).includes('captious.openExperiment'));
    await vscode.commands.executeCommand('captious.openExperiment', uri, {});
  });

  it('queues a run for each dataset of a named run', async () => {
    const records = await vscode.commands.executeCommand<RunRecord[]>(
      'captious.runExperiment',
      uri.toString(),
      {
        run: 'both',
        all: true,
      },
    );
    assert.deepEqual(
      records.map(({ state, problem }) => problem ?? state),
      ['done', 'done'],
    );
    for (const name of ['one', 'two']) assert.ok(await exists(`reports/both/${name}/visla.clip.report.json`));
  });
});
