// Runs inside the extension host. Audits the beginning of the large file, so that the editor shows results in it.
import { join } from 'node:path';
import * as vscode from 'vscode';

const repository = process.env.CAPTIOUS_REPOSITORY!;
const rows = 20_000;

export async function run(): Promise<void> {
  await measureHost();
  const uri = vscode.Uri.joinPath(vscode.workspace.workspaceFolders![0].uri, 'large.json');
  const outcome = await vscode.commands.executeCommand<{ state: string; problem?: string }>(
    'captious.audit',
    uri,
    { probes: ['visla'], evaluators: [join(repository, 'test/fixtures/models/bert-cls')], limit: 2000 },
  );
  if (outcome.state !== 'done') throw new Error(outcome.problem);
  if (!vscode.workspace.getConfiguration('captious').get<boolean>('codeLens')) return;
  const document = await vscode.workspace.openTextDocument(uri);
  // In a file of this size, the editor calls providers only after other work, which must not count. So this
  // provider records the time of its call.
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

/** Measures how long a run blocks the extension host, and how long a cancel takes. */
async function measureHost(): Promise<void> {
  const uri = vscode.Uri.joinPath(vscode.workspace.workspaceFolders![0].uri, `long${Date.now()}.tsv`);
  const lines = Array.from(
    { length: rows },
    (_, i) => `${i}.jpg\ta cat number ${i}\tnumber ${i} is a cat\tnumber ${i} is no cat`,
  );
  const head = 'filename\tcaption\tsecond positive\tnegative_caption';
  await vscode.workspace.fs.writeFile(uri, Buffer.from([head, ...lines, ''].join('\n')));
  const active = vscode.commands.executeCommand<{ state: string }>('captious.audit', uri, {
    probes: ['visla'],
    evaluators: [join(repository, 'test/fixtures/models/bert-cls')],
  });
  // The host's processor time between two ticks. Elapsed time alone would include other programs.
  let longest = 0;
  let last = performance.now();
  let worked = process.cpuUsage();
  const ticker = setInterval(() => {
    const now = performance.now();
    const { user, system } = process.cpuUsage(worked);
    longest = Math.max(longest, Math.min(now - last, (user + system) / 1000));
    last = now;
    worked = process.cpuUsage();
  }, 5);
  await new Promise((resolve) => setTimeout(resolve, 2500));
  clearInterval(ticker);
  const asked = performance.now();
  await vscode.commands.executeCommand('captious.cancel');
  const { state } = await active;
  if (state !== 'interrupted') throw new Error(`The long run ended as ${state}.`);
  console.log(`host busy for ${longest} ms`);
  console.log(`run cancelled after ${performance.now() - asked} ms`);
  await vscode.workspace.fs.delete(uri);
}
