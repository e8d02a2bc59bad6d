import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { until } from '../until';

const folder = () => vscode.workspace.workspaceFolders![0].uri;

async function opened(name: string, text: string): Promise<vscode.TextDocument> {
  const uri = vscode.Uri.joinPath(folder(), name);
  await vscode.workspace.fs.writeFile(uri, Buffer.from(text));
  const document = await vscode.workspace.openTextDocument(uri);
  await vscode.window.showTextDocument(document);
  return document;
}

/** Waits until a file's problems have these codes. Returns the problems. */
async function problems(
  { uri }: vscode.TextDocument,
  codes: readonly string[],
): Promise<vscode.Diagnostic[]> {
  const own = () => vscode.languages.getDiagnostics(uri).filter(({ source }) => source === 'Captious');
  const list = () =>
    own()
      .map(({ code }) => String(code))
      .sort()
      .join();
  const wanted = [...codes].sort().join();
  await until(
    () => list() === wanted,
    () => `The problems are ${list()}, not ${wanted}.`,
  );
  return own();
}

/** Applies a fix, which the window offers some time after the problem. */
async function fix(document: vscode.TextDocument, problem: vscode.Diagnostic, title: RegExp): Promise<void> {
  let offered: vscode.CodeAction[] = [];
  let action: vscode.CodeAction | undefined;
  const isOffered = async () => {
    offered = await vscode.commands.executeCommand<vscode.CodeAction[]>(
      'vscode.executeCodeActionProvider',
      document.uri,
      problem.range,
    );
    action = offered.find((candidate) => title.test(candidate.title));
    return action !== undefined;
  };
  await until(
    isOffered,
    () => `There is no fix ${title} among: ${offered.map((candidate) => candidate.title).join(', ')}`,
  );
  assert.ok(action?.edit);
  assert.ok(await vscode.workspace.applyEdit(action.edit));
  assert.ok(await document.save());
}

const triplet = (caption: string, second: string, negative: string, id: string) =>
  JSON.stringify({ id, caption, second_positive: second, negative_caption: negative });

describe('problems in dataset files', () => {
  after(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));

  it('finds a broken row, a duplicate id and an equal negative, with a fix for each', async () => {
    const rows = [
      triplet('A red bus', 'A bus that is red', 'A blue bus', 'a'),
      triplet('Two cats', 'A pair of cats', ' two  CATS', 'b'),
      triplet('A man runs', 'A running man', 'A man sits', 'a'),
      '{"caption": "broken',
    ];
    const document = await opened('checked.jsonl', `${rows.join('\n')}\n`);
    let found = await problems(document, ['broken-row', 'duplicate-id', 'equal-negative']);
    const at = (code: string) => found.find((problem) => problem.code === code)!;
    assert.equal(document.getText(at('equal-negative').range), '" two  CATS"');
    assert.equal(at('broken-row').range.start.line, 3);
    await fix(document, at('broken-row'), /Remove this entry/);
    found = await problems(document, ['duplicate-id', 'equal-negative']);
    await fix(document, at('duplicate-id'), /Change the id to/);
    found = await problems(document, ['equal-negative']);
    assert.match(document.lineAt(2).text, /"id":"a-2"/);
    await fix(document, at('equal-negative'), /Remove this entry/);
    await problems(document, []);
    assert.equal(document.lineCount, 3);
  });

  it('finds a misspelled field name and renames it everywhere', async () => {
    const text = [0, 1, 2]
      .map((i) => JSON.stringify({ image: `none${i}.jpg`, captoin: `Thing ${i}` }))
      .join(',\n');
    const document = await opened('slip.json', `[\n${text}\n]\n`);
    const [problem] = await problems(document, ['field-name']);
    assert.equal(document.getText(problem.range), 'captoin');
    await fix(document, problem, /Rename "captoin" to "caption" everywhere/);
    assert.doesNotMatch(document.getText(), /captoin/);
    const missing = await problems(document, ['missing-image', 'missing-image', 'missing-image']);
    assert.equal(document.getText(missing[1].range), 'none1.jpg');
  });

  it('finds invalid images, duplicate captions, and unchanged altered captions', async () => {
    await vscode.workspace.fs.writeFile(
      vscode.Uri.joinPath(folder(), 'torn.jpg'),
      Buffer.from('not a photo'),
    );
    const document = await opened(
      'twice.jsonl',
      [
        { image: 'torn.jpg', captions: ['A dog', 'A cat', 'A dog'] },
        { image: 'torn.jpg', captions: ['A cat'] },
      ]
        .map((row) => `${JSON.stringify(row)}\n`)
        .join(''),
    );
    const found = await problems(document, [
      'duplicate-caption',
      'duplicate-caption',
      'unreadable-image',
      'unreadable-image',
    ]);
    const twice = found.find(({ code, range }) => code === 'duplicate-caption' && range.start.line === 0)!;
    await fix(document, twice, /Remove this caption/);
    assert.equal(document.lineAt(0).text, '{"image":"torn.jpg","captions":["A dog","A cat"]}');
  });

  it('shows many problems of a kind as one, with a fix for all', async () => {
    const row = (i: number) =>
      triplet(`Cat ${i}`, `A cat ${i}`, i % 10 === 0 ? `A dog ${i}` : `cat ${i}`, `${i}`);
    const document = await opened('many.jsonl', Array.from({ length: 30 }, (_, i) => row(i)).join('\n'));
    const [one] = await problems(document, ['equal-negative']);
    assert.match(one.message, / 26 more (places|problems of this kind)\.$/);
    assert.equal(one.relatedInformation?.length, 20);
    await fix(document, one, /^Remove all 27 entries$/);
    assert.deepEqual(document.getText().trim().split('\n'), [row(0), row(10), row(20)]);
    await problems(document, []);
  });

  it('fixes many duplicate ids at once; each new id is unique and has the type of the old one', async () => {
    const lines = [7, 7, 7, 7, 7, 8, 'a', 'a'].map((id, i) =>
      JSON.stringify({
        id,
        caption: `Cat ${i}`,
        second_positive: `A cat ${i}`,
        negative_caption: `A dog ${i}`,
      }),
    );
    const document = await opened('ids.jsonl', `${lines.join('\n')}\n`);
    const [one] = await problems(document, ['duplicate-id']);
    await fix(document, one, /^Change all 5 ids$/);
    const ids = document
      .getText()
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { id: unknown }).id);
    assert.deepEqual(ids, [7, 9, 10, 11, 12, 8, 'a', 'a-2']);
    await problems(document, []);
  });

  it('reports nothing for files that are not datasets', async () => {
    const manifest = {
      name: 'x',
      titles: ['y'],
      files: ['dist'],
      scripts: { test: 'mocha' },
      version: '1.0.0',
    };
    const document = await opened('settings-like.json', JSON.stringify(manifest, null, 2));
    // Files are checked in the order of opening, so problems in a second file show that the first was checked.
    await vscode.workspace.fs.writeFile(vscode.Uri.joinPath(folder(), 'torn.jpg'), Buffer.from('no photo'));
    const torn = ['A dog', 'A cat'].map((caption) =>
      JSON.stringify({ image: 'torn.jpg', captions: [caption] }),
    );
    const after = await opened('after.jsonl', `${torn.join('\n')}\n`);
    await problems(after, ['unreadable-image', 'unreadable-image']);
    await problems(document, []);
  });
});
