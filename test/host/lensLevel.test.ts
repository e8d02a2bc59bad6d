import assert from 'node:assert/strict';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { AuditOutcome } from '../../src/editor/runs/following';
import { until } from '../until';

const evaluator = join(process.env.CAPTIOUS_REPOSITORY!, 'test/fixtures/models/bert-cls');
const head = 'filename\tcaption\tsecond positive\tnegative_caption';
const count = 40;

/** Tests how many lenses a document has. */
describe('the number of lenses', () => {
  let uri: vscode.Uri;

  /** Audits `count` triplets. `wrong` are those whose negative is the caption with a full stop. */
  async function audited(name: string, wrong: (i: number) => boolean): Promise<void> {
    uri = vscode.Uri.joinPath(vscode.workspace.workspaceFolders![0].uri, name);
    const rows = Array.from({ length: count }, (_, i) => {
      const caption = `a small brown dog number ${i} sleeps on a red sofa`;
      const [near, far] = [`${caption}.`, 'markets fell sharply after the announcement of new tariffs'];
      return [`${i}.jpg`, caption, ...(wrong(i) ? [far, near] : [near, far])].join('\t');
    });
    await vscode.workspace.fs.writeFile(uri, Buffer.from([head, ...rows, ''].join('\n')));
    const outcome = await vscode.commands.executeCommand<AuditOutcome>('captious.audit', uri, {
      probes: ['visla'],
      evaluators: [evaluator],
    });
    assert.equal(outcome.state, 'done', outcome.problem);
    await vscode.window.showTextDocument(uri, { viewColumn: vscode.ViewColumn.One });
  }

  async function lenses(): Promise<vscode.CodeLens[]> {
    const all = await vscode.commands.executeCommand<vscode.CodeLens[]>(
      'vscode.executeCodeLensProvider',
      uri,
    );
    return all.filter(({ command }) => command?.command.startsWith('captious.'));
  }
  const below = (all: readonly vscode.CodeLens[]) =>
    all.map(({ range }) => range.start.line).filter((line) => line > 0);

  async function hints(): Promise<number[]> {
    const range = new vscode.Range(0, 0, count + 1, 0);
    const all = await vscode.commands.executeCommand<vscode.InlayHint[]>(
      'vscode.executeInlayHintProvider',
      uri,
      range,
    );
    return all.map(({ position }) => position.line);
  }

  async function at(level: unknown, work: () => Promise<void>): Promise<void> {
    const set = (value: unknown) =>
      vscode.workspace
        .getConfiguration('captious')
        .update('codeLens', value, vscode.ConfigurationTarget.Workspace);
    await set(level);
    try {
      await work();
    } finally {
      await set(undefined);
    }
  }

  afterEach(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));

  it('is one above the file if nearly all examples would have the same, and its link opens the panel', async () => {
    await audited('same.tsv', (i) => i !== 7);
    const shared = /^39 of 40 examples: wrong: .*\d/;
    let all: vscode.CodeLens[] = [];
    await until(async () => (all = await lenses()).some(({ command }) => shared.test(command!.title)));
    assert.deepEqual(below(all), []);
    assert.equal((await hints()).length, count);
    const { command, arguments: given } = all.find((lens) => shared.test(lens.command!.title))!.command!;
    await vscode.commands.executeCommand(command, ...(given as unknown[]));
    await until(
      () => vscode.window.tabGroups.activeTabGroup.activeTab?.label.startsWith('same.tsv · ') ?? false,
    );
  });

  it('follows the setting, and every other example has a hint', async () => {
    await audited('mixed.tsv', (i) => i % 4 !== 0);
    const wrong = Array.from({ length: count }, (_, i) => i + 1).filter((line) => (line - 1) % 4 !== 0);
    for (const [level, expected] of [
      ['wrong', wrong.length],
      [true, wrong.length],
      ['all', count],
      ['worst', 20],
      ['off', 0],
      [false, 0],
    ] as const)
      await at(level, async () => {
        let lines: number[] = [];
        await until(async () => new Set((lines = below(await lenses()))).size === expected);
        if (level !== 'all')
          assert.deepEqual(
            lines.filter((line) => !wrong.includes(line)),
            [],
          );
        const hinted = await hints();
        // A wrong caption below a lens has a mark as its hint.
        const marked = hinted.filter((line) => lines.includes(line));
        assert.deepEqual(new Set(marked), new Set(lines.filter((line) => wrong.includes(line))));
        assert.equal(hinted.length, count - expected + marked.length, String(level));
      });
  });
});
