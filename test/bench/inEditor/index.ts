// Runs inside the extension host: the beginning of the large file is audited, so that there is something to show.
import { join } from 'node:path';
import * as vscode from 'vscode';

const repository = process.env.CAPTIOUS_REPOSITORY!;

export async function run(): Promise<void> {
  const uri = vscode.Uri.joinPath(vscode.workspace.workspaceFolders![0].uri, 'large.json');
  const outcome = await vscode.commands.executeCommand<{ state: string; problem?: string }>(
    'captious.audit',
    uri,
    { probes: ['visla'], evaluators: [join(repository, 'test/fixtures/models/bert-cls')], limit: 2000 },
  );
  if (outcome.state !== 'done') throw new Error(outcome.problem);
  if (!vscode.workspace.getConfiguration('captious').get<boolean>('codeLens')) return;
  const document = await vscode.workspace.openTextDocument(uri);
  // All providers are asked at once; before that the editor has its own to do with a file of this size.
  let asked = NaN;
  const clock = vscode.languages.registerCodeLensProvider(
    { pattern: '**/large.json' },
    {
      provideCodeLenses: () => {
        asked = performance.now();
        return [];
      },
    },
  );
  const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>(
    'vscode.executeCodeLensProvider',
    document.uri,
  );
  clock.dispose();
  if (lenses.length === 0) throw new Error('There is no lens.');
  console.log(`first lenses answered after ${performance.now() - asked} ms`);
}
