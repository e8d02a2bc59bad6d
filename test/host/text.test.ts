import assert from 'node:assert/strict';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { AuditOutcome } from '../../src/editor/runs/following';
import { until } from '../until';

const evaluator = join(process.env.CAPTIOUS_REPOSITORY!, 'test/fixtures/models/bert-cls');

/** Waits for examples' lenses, which a busy machine shows later than the file's lenses. */
async function lensesOf(uri: vscode.Uri): Promise<vscode.CodeLens[]> {
  let own: vscode.CodeLens[] = [];
  await until(async () => {
    const all = await vscode.commands.executeCommand<vscode.CodeLens[]>(
      'vscode.executeCodeLensProvider',
      uri,
    );
    own = all.filter(({ command }) => command?.command.startsWith('captious.'));
    return own.some(({ range }) => range.start.line > 0);
  });
  return own;
}

const clip = join(process.env.CAPTIOUS_REPOSITORY!, 'test/fixtures/models/clip');
const samples = vscode.Uri.file(join(process.env.CAPTIOUS_REPOSITORY!, 'samples'));

describe('results of several probes', () => {
  const used = 8;
  let document: vscode.TextDocument;

  const titlesOn = (all: readonly vscode.CodeLens[], line: number) =>
    all.filter(({ range }) => range.start.line === line).map(({ command }) => command!.title);

  async function audit(probe: string): Promise<void> {
    const outcome = await vscode.commands.executeCommand<AuditOutcome>('captious.audit', document.uri, {
      probes: [probe],
      evaluators: [clip],
      images: [join(samples.fsPath, 'images')],
      limit: used,
    });
    assert.equal(outcome.state, 'done', outcome.problem);
  }

  before(async () => {
    const uri = vscode.Uri.joinPath(vscode.workspace.workspaceFolders![0].uri, 'probes.tsv');
    const from = vscode.Uri.joinPath(samples, 'triplets.tsv');
    await vscode.workspace.fs.copy(from, uri, { overwrite: true });
    document = await vscode.workspace.openTextDocument(uri);
    await audit('visla');
    await audit('lgip');
    await vscode.window.showTextDocument(document, vscode.ViewColumn.One);
  });

  after(async () => {
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });

  it('have a verdict each above the file, newest first, which opens the probe in its run', async () => {
    const all = (await lensesOf(document.uri)).filter(({ range }) => range.start.line === 0);
    const [, lgip, visla, ...more] = all;
    assert.deepEqual(more, []);
    assert.match(lgip.command!.title, /^LGIP /);
    assert.match(visla.command!.title, /^VISLA /);
    const [one, other] = [lgip, visla].map(({ command }) => command!.arguments as unknown[]);
    assert.deepEqual([one[4], other[4]], ['lgip', 'visla']);
    assert.notEqual(one[0], other[0]);
  });

  it('have at most two lenses on a line, or else a hint, and name their probes', async () => {
    const all = await lensesOf(document.uri);
    const hints = await vscode.commands.executeCommand<vscode.InlayHint[]>(
      'vscode.executeInlayHintProvider',
      document.uri,
      new vscode.Range(0, 0, used + 1, 0),
    );
    const named = new Set<string | undefined>();
    for (let line = 1; line <= used; line++) {
      const titles = titlesOn(all, line);
      const own = hints.filter(({ position }) => position.line === line).map(({ label }) => String(label));
      const isMarked = titles.length > 0 && own.every((label) => label === '✗');
      assert.ok(
        isMarked || titles.length > 0 !== own.length > 0,
        `line ${line}: ${titles.join()} and ${own.join()}`,
      );
      const results = titles.filter((title) => !title.endsWith(' more'));
      assert.ok(results.length <= 2 && titles.length <= 3, titles.join());
      for (const title of [...results, ...own]) {
        const probe = /^(LGIP|VISLA)\b/.exec(title)?.[1];
        assert.ok(probe !== undefined || ['✓', '✗'].includes(title), title);
        named.add(probe);
      }
    }
    assert.ok(named.has('LGIP') && named.has('VISLA'), [...named].join());
  });

  it('are all in the hover', async () => {
    const hovers = await vscode.commands.executeCommand<vscode.Hover[]>(
      'vscode.executeHoverProvider',
      document.uri,
      new vscode.Position(2, 30),
    );
    const parts = hovers.flatMap(({ contents }) => contents as vscode.MarkdownString[]);
    const text = parts.map(({ value }) => value).join();
    assert.match(text, /\*\*LGIP\*\*/);
    assert.match(text, /\*\*VISLA\*\*/);
  });

  it('are all rescored after an edit', async () => {
    const editor = await vscode.window.showTextDocument(document, vscode.ViewColumn.One);
    const at = document.lineAt(2).text.indexOf('spoon');
    await editor.edit((edit) => {
      edit.insert(new vscode.Position(2, at), 'big ');
    });
    const edited = titlesOn(await lensesOf(document.uri), 2);
    assert.match(edited[0], /^(LGIP, VISLA: )?edited, not rescored · rescore$/);
    assert.ok((await vscode.commands.executeCommand<number>('captious.rescore')) >= 2);
    const rescored = titlesOn(await lensesOf(document.uri), 2).filter((title) =>
      title.endsWith(' · rescored'),
    );
    assert.deepEqual(rescored.map((title) => title.split(/[ :]/)[0]).sort(), ['LGIP', 'VISLA']);
    await vscode.commands.executeCommand('undo');
  });

  it('are listed for a line, and the chosen one opens the panel', async () => {
    const shown = vscode.commands.executeCommand('captious.showResults', document.uri.toString(), 2);
    await until(async () => {
      await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
      return vscode.window.tabGroups.activeTabGroup.activeTab?.label.startsWith('probes.tsv · ') ?? false;
    });
    await shown;
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
  });

  it('stay for the unchanged captions of a file that was edited and audited again with one probe', async () => {
    const editor = await vscode.window.showTextDocument(document, vscode.ViewColumn.One);
    await editor.edit((edit) => {
      edit.replace(document.lineAt(3).range, document.lineAt(3).text.replaceAll(' big', ' huge'));
    });
    assert.ok(await document.save());
    await audit('visla');
    await vscode.window.showTextDocument(document, vscode.ViewColumn.One);
    const all = await lensesOf(document.uri);
    assert.match(titlesOn(all, 0)[1], /^VISLA /);
    assert.match(titlesOn(all, 0)[2], /^LGIP /);
    // VISLA has scored the new caption; LGIP has not.
    assert.match(titlesOn(all, 3)[0], /^LGIP: edited, not rescored/);
    assert.ok(
      all.some(({ range, command }) => range.start.line > 0 && /^LGIP: (?!edited)/.test(command!.title)),
    );
  });
});

/** Tests what the text editor shows after an audit. */
describe('results in the text', () => {
  let document: vscode.TextDocument;
  let editor: vscode.TextEditor;

  before(async () => {
    const [folder] = vscode.workspace.workspaceFolders!;
    const uri = vscode.Uri.joinPath(folder.uri, 'lenses.tsv');
    await vscode.workspace.fs.copy(vscode.Uri.joinPath(folder.uri, 'triplets.tsv'), uri, { overwrite: true });
    const outcome = await vscode.commands.executeCommand<AuditOutcome>('captious.audit', uri, {
      probes: ['visla'],
      evaluators: [evaluator],
    });
    assert.equal(outcome.state, 'done', outcome.problem);
    document = await vscode.workspace.openTextDocument(uri);
    editor = await vscode.window.showTextDocument(document, vscode.ViewColumn.One);
  });

  after(async () => {
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });

  async function lenses(): Promise<vscode.CodeLens[]> {
    return lensesOf(document.uri);
  }

  const onLine = (all: readonly vscode.CodeLens[], line: number) =>
    all.filter(({ range }) => range.start.line === line).map(({ command }) => command!.title);

  it('shows a lens above the file and above each wrong example, and hints at all others', async () => {
    const all = await lenses();
    assert.deepEqual(onLine(all, 0).length, 2);
    assert.match(onLine(all, 0)[1], /VISLA .*bert-cls: no verdict \(\d+ texts read only in part\)/);
    const hints = await vscode.commands.executeCommand<vscode.InlayHint[]>(
      'vscode.executeInlayHintProvider',
      document.uri,
      new vscode.Range(0, 0, 13, 0),
    );
    for (let line = 1; line <= 12; line++) {
      const own = hints.filter(({ position }) => position.line === line).map(({ label }) => String(label));
      const lens = onLine(all, line).join();
      if (lens === '') assert.deepEqual(own, ['✓']);
      else assert.deepEqual([/^(wrong:|a tie)/.test(lens), own], [true, ['✗']]);
    }
  });

  it('greys only the edited caption; undo restores it', async () => {
    const before = onLine(await lenses(), 3);
    await editor.edit((edit) => {
      edit.insert(new vscode.Position(3, document.lineAt(3).text.length), ' indeed');
    });
    // The edit above changes the negative caption at the end of the line. This edit also changes the first caption.
    const at = document.lineAt(3).text.indexOf(' laughing');
    await editor.edit((edit) => {
      edit.insert(new vscode.Position(3, at), ' loudly');
    });
    const edited = await lenses();
    assert.match(onLine(edited, 3).join(), /edited, not rescored/);
    assert.match(onLine(edited, 4).join(), /^$|^(wrong:|a tie)/);
    await vscode.commands.executeCommand('undo');
    await vscode.commands.executeCommand('undo');
    assert.deepEqual(onLine(await lenses(), 3), before);
  });

  it('follows rows that move', async () => {
    const before = await lenses();
    await editor.edit((edit) => {
      edit.insert(new vscode.Position(2, 0), 'x.jpg\ta\tb\tc\ny.jpg\ta\tb\tc\n');
    });
    const after = await lenses();
    assert.deepEqual(onLine(after, 2), []);
    for (let line = 2; line <= 12; line++) assert.deepEqual(onLine(after, line + 2), onLine(before, line));
    await vscode.commands.executeCommand('undo');
    assert.deepEqual(onLine(await lenses(), 5), onLine(before, 5));
  });

  /** Adds a word to a caption. Returns the lens above it. */
  async function editThirdRow(word: string): Promise<string> {
    const at = document.lineAt(3).text.indexOf(' laughing');
    await editor.edit((edit) => {
      edit.insert(new vscode.Position(3, at), ` ${word}`);
    });
    return onLine(await lenses(), 3).join();
  }

  async function lensAbove(line: number, expected: RegExp): Promise<string> {
    let words = '';
    await until(async () => {
      words = onLine(await lenses(), line).join();
      return expected.test(words);
    });
    return words;
  }

  it('rescores an edited caption on request like a full audit, and restores the old score with the old text', async () => {
    const before = onLine(await lenses(), 3).join();
    assert.match(await editThirdRow('loudly'), /edited, not rescored · rescore/);
    assert.equal(await vscode.commands.executeCommand('captious.rescore'), 1);
    const rescored = onLine(await lenses(), 3).join();
    assert.match(rescored, /^(right by|wrong:|a tie).* · rescored$/);
    await vscode.commands.executeCommand('undo');
    assert.equal(onLine(await lenses(), 3).join(), before);
    await vscode.commands.executeCommand('redo');
    assert.equal(onLine(await lenses(), 3).join(), rescored);
    await vscode.commands.executeCommand('undo');
    // Compares with a full audit of another file with the same captions.
    const uri = vscode.Uri.joinPath(vscode.workspace.workspaceFolders![0].uri, 'edited.tsv');
    const lines = document.getText().split('\n');
    lines[3] = lines[3].replace(' laughing', ' loudly laughing');
    assert.notEqual(lines[3], document.lineAt(3).text);
    await vscode.workspace.fs.writeFile(uri, Buffer.from(lines.join('\n')));
    await vscode.commands.executeCommand('captious.audit', uri, {
      probes: ['visla'],
      evaluators: [evaluator],
    });
    const other = await vscode.workspace.openTextDocument(uri);
    const found = await lensesOf(other.uri);
    // A right example has a lens only after rescoring.
    const fromAudit = onLine(found, 3).join();
    if (fromAudit === '') assert.match(rescored, /^right by/);
    else assert.equal(`${fromAudit} · rescored`, rescored);
    await vscode.window.showTextDocument(document, vscode.ViewColumn.One);
  });

  for (const [mode, act] of [
    ['save', () => document.save()],
    ['type', () => Promise.resolve(true)],
  ] as const)
    it(`rescores on ${mode} where the setting says so`, async () => {
      const configuration = vscode.workspace.getConfiguration('captious', document.uri);
      await configuration.update('rescore', mode, vscode.ConfigurationTarget.Workspace);
      try {
        editor = await vscode.window.showTextDocument(document, vscode.ViewColumn.One);
        const before = document.lineAt(3).text;
        await editThirdRow('softly');
        assert.ok(await act());
        await lensAbove(3, / · rescored$/);
        await editor.edit((edit) => {
          edit.replace(document.lineAt(3).range, before);
        });
        assert.ok(await document.save());
        assert.match(onLine(await lenses(), 3).join(), /^$|^(wrong:|a tie)[^·]*$/);
      } finally {
        await configuration.update('rescore', undefined, vscode.ConfigurationTarget.Workspace);
      }
    });

  it('creates lenses for the visible part, and updates them on scrolling', async () => {
    const uri = vscode.Uri.joinPath(vscode.workspace.workspaceFolders![0].uri, 'tall.tsv');
    // Half of the examples are wrong. If nearly all were, one lens above the file would replace their lenses.
    const rows = Array.from({ length: 1000 }, (_, i) => {
      const others = [`a cat, ${i}`, `no cat ${i}`];
      return [`${i}.jpg`, `cat ${i}`, ...(i % 2 === 0 ? others : others.reverse())].join('\t');
    });
    const head = 'filename\tcaption\tsecond positive\tnegative_caption';
    await vscode.workspace.fs.writeFile(uri, Buffer.from([head, ...rows, ''].join('\n')));
    const audited = await vscode.commands.executeCommand<AuditOutcome>('captious.audit', uri, {
      probes: ['visla'],
      evaluators: [evaluator],
    });
    assert.equal(audited.state, 'done', audited.problem);
    const tall = await vscode.window.showTextDocument(uri, { viewColumn: vscode.ViewColumn.One });
    const lines = async () => (await lensesOf(uri)).map(({ range }) => range.start.line);
    const examples = (all: number[]) => all.filter((line) => line > 0);
    const first = examples(await lines());
    assert.ok(Math.min(...first) < 100 && Math.max(...first) < 300, `up to line ${Math.max(...first)}`);
    tall.revealRange(new vscode.Range(900, 0, 900, 0), vscode.TextEditorRevealType.InCenter);
    const isNear = (line: number) => Math.abs(line - 900) < 60;
    await until(async () => (await lines()).some(isNear));
    const later = examples(await lines());
    assert.ok(
      later.some(isNear) && Math.min(...later) > 600,
      `${Math.min(...later)} to ${Math.max(...later)}`,
    );
    await vscode.window.showTextDocument(document, vscode.ViewColumn.One);
  });

  it('shows scores on hover, with captions as text', async () => {
    const hovers = await vscode.commands.executeCommand<vscode.Hover[]>(
      'vscode.executeHoverProvider',
      document.uri,
      new vscode.Position(2, 30),
    );
    const texts = hovers.flatMap(({ contents }) =>
      contents.map((part) => (part as vscode.MarkdownString).value),
    );
    assert.ok(
      texts.some((text) => text.includes('| P1 |') && text.includes('Open in panel')),
      texts.join(),
    );
  });
});
