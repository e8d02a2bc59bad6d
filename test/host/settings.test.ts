import assert from 'node:assert/strict';
import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { AuditOutcome } from '../../src/editor/runs/following';
import { until } from '../until';

const models = join(process.env.CAPTIOUS_REPOSITORY!, 'test/fixtures/models');
const inWorkspace = (name: string) => vscode.Uri.joinPath(vscode.workspace.workspaceFolders![0].uri, name);

describe('settings that name folders', () => {
  let scratch: string;

  before(async () => {
    scratch = await mkdtemp(join(tmpdir(), 'captious-settings-'));
  });

  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await rm(scratch, { recursive: true, force: true });
  });

  it('captious.imageFolders takes effect at once', async () => {
    const elsewhere = join(scratch, 'elsewhere');
    await mkdir(elsewhere);
    await cp(join(models, 'pictures/wide.png'), join(elsewhere, 'far.png'));
    const uri = inWorkspace('far.jsonl');
    await writeFile(uri.fsPath, `${JSON.stringify({ image: 'far.png', caption: 'A red bus' })}\n`);
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri));
    const isMissing = () => vscode.languages.getDiagnostics(uri).some(({ code }) => code === 'missing-image');
    await until(isMissing);
    const settings = vscode.workspace.getConfiguration('captious', uri);
    await settings.update('imageFolders', [elsewhere], vscode.ConfigurationTarget.Workspace);
    await until(() => !isMissing());
    await settings.update('imageFolders', undefined, vscode.ConfigurationTarget.Workspace);
    await until(isMissing);
  });

  it('a run caches its results in captious.home', async () => {
    const home = join(scratch, 'home');
    const settings = vscode.workspace.getConfiguration('captious');
    await settings.update('home', home, vscode.ConfigurationTarget.Global);
    try {
      const outcome = await vscode.commands.executeCommand<AuditOutcome>(
        'captious.audit',
        inWorkspace('triplets.tsv'),
        { probes: ['visla'], evaluators: [join(models, 'bert-cls')] },
      );
      assert.equal(outcome.state, 'done', outcome.problem);
      assert.ok((await readdir(home)).includes('store'), (await readdir(home)).join());
    } finally {
      await settings.update('home', undefined, vscode.ConfigurationTarget.Global);
    }
  });
});
