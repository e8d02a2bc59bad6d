// Runs inside the extension host of a browser: no process, no disk, a folder in memory.
import * as vscode from 'vscode';

declare const base: string;
const folder = vscode.Uri.parse('tmp:/workspace');
const files = ['triplets.tsv', 'visla.bert-cls.report.json', 'visla.bert-cls.rows.jsonl'];
const uriOf = (name: string) => vscode.Uri.joinPath(folder, name);

function check(holds: unknown, what: string): asserts holds {
  if (!holds) throw new Error(what);
}

async function until<T>(what: string, ask: () => Promise<T | undefined>): Promise<T> {
  const end = Date.now() + 20_000;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    check(Date.now() < end, `in 20 s there was not ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

async function lensesOf(uri: vscode.Uri): Promise<vscode.CodeLens[]> {
  return vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', uri);
}

export async function run(): Promise<void> {
  check(typeof process === 'undefined' || process.versions?.node === undefined, 'this host has Node');
  for (const name of files) {
    const answer = await fetch(`${base}/files/${name}`);
    await vscode.workspace.fs.writeFile(uriOf(name), new Uint8Array(await answer.arrayBuffer()));
  }
  const extension = vscode.extensions.getExtension('captious.captious');
  check(extension, 'Captious is not there');
  await extension.activate();

  await vscode.commands.executeCommand('captious.openReport', uriOf(files[1]));
  await until('a panel', async () =>
    Promise.resolve(
      vscode.window.tabGroups.all
        .flatMap(({ tabs }) => tabs)
        .find(
          ({ input }) =>
            input instanceof vscode.TabInputWebview && input.viewType.endsWith('captious.report'),
        ),
    ),
  );

  const document = await vscode.workspace.openTextDocument(uriOf(files[0]));
  await vscode.window.showTextDocument(document, { preview: false });
  const lenses = await until('a lens for each row', async () => {
    const all = await lensesOf(document.uri);
    return all.length === 13 ? all : undefined;
  });
  const titles = lenses.map(({ command }) => command?.title ?? '');
  check(/VISLA · bert-cls: \d+ % right/.test(titles[0]), `over the file stands: ${titles[0]}`);
  check(
    titles.slice(1).every((title) => /^(right by|wrong:|a tie)/.test(title)),
    `over the rows stands: ${titles.join(' | ')}`,
  );
  const hovers = await vscode.commands.executeCommand<vscode.Hover[]>(
    'vscode.executeHoverProvider',
    document.uri,
    new vscode.Position(2, 30),
  );
  const words = hovers.flatMap(({ contents }) =>
    contents.map((part) => (part as vscode.MarkdownString).value),
  );
  check(
    words.some((text) => text.includes('| P1 |') && !text.includes('rescore')),
    `on hover stands: ${words.join()}`,
  );
}
