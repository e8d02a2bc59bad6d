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
}
