import assert from 'node:assert/strict';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { AuditOutcome } from '../../src/editor/runs/following';
import { until } from '../until';

const clip = join(process.env.CAPTIOUS_REPOSITORY!, 'test/fixtures/models/clip');
const samples = vscode.Uri.file(join(process.env.CAPTIOUS_REPOSITORY!, 'samples'));

describe('the influence of words', () => {
  it('is shown in scored captions only while it is turned on', async () => {
    const uri = vscode.Uri.joinPath(vscode.workspace.workspaceFolders![0].uri, 'words.jsonl');
    await vscode.workspace.fs.copy(vscode.Uri.joinPath(samples, 'captions.jsonl'), uri, { overwrite: true });
    const document = await vscode.workspace.openTextDocument(uri);
    const outcome = await vscode.commands.executeCommand<AuditOutcome>('captious.audit', uri, {
      ...{ probes: ['lgip'], evaluators: [clip] },
      ...{ images: [join(samples.fsPath, 'images')], limit: 3 },
    });
    assert.equal(outcome.state, 'done', outcome.problem);
    await vscode.window.showTextDocument(document, vscode.ViewColumn.One);
    const toggle = () => vscode.commands.executeCommand<number>('captious.toggleWordInfluence');
    let marked = 0;
    // A busy machine shows the editor late, and then has no visible captions yet.
    await until(async () => {
      marked = await toggle();
      if (marked === 0) await toggle();
      return marked > 0;
    });
    // Three captions of 8 to 10 words each.
    assert.ok(marked > 10 && marked <= 30, String(marked));
    assert.equal(await toggle(), 0);
  });
});
