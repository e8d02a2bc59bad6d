import assert from 'node:assert/strict';
import type { CancellationToken, CodeLens, TextDocument } from 'vscode';
import { say } from '../../../../src/base/say';
import type * as lenses from '../../../../src/editor/text/codeLenses';
import { sentence } from '../../../sentence';
import { bundle } from '../bundle';
import type { Known, PlacedMark } from '../../../../src/editor/text/evaluatorMarks';

class EventEmitter {
  private readonly listeners: (() => void)[] = [];
  event = (listener: () => void) => {
    this.listeners.push(listener);
    return nothing();
  };
  fire(): void {
    for (const listener of this.listeners) listener();
  }
  dispose(): void {
    this.listeners.length = 0;
  }
}

class Lens {
  constructor(
    readonly range: { line: number },
    readonly command: { title: string; command: string; arguments?: unknown[] },
  ) {}
}

class Range {
  constructor(readonly line: number) {}
}

class Position {
  constructor(
    readonly line: number,
    readonly character: number,
  ) {}
}

class Hint {
  constructor(
    readonly position: Position,
    readonly label: string,
  ) {}
}

const nothing = () => ({ dispose: () => undefined });

describe('the lenses of a dataset', function () {
  this.timeout(60_000);
  let level: string;
  let known: Known[];
  let problems: [count: number, entries: number];
  let between: () => Promise<PlacedMark[]>;
  let help: lenses.TextHelp;

  const document = {
    uri: { fsPath: '/w/a.jsonl', toString: () => 'file:///w/a.jsonl' },
    lineCount: 2,
    lineAt: () => ({ text: '', range: { end: {} } }),
    offsetAt: () => 10,
  } as unknown as TextDocument;
  const results = (...probes: string[]): Known[] =>
    probes.map((probe) => ({
      ...{ id: 'run', probe, title: probe, words: `${probe} today: 65 %`, isOlder: false, again: undefined },
    }));

  before(async () => {
    const load = await bundle<typeof lenses>(`export * from './src/editor/text/codeLenses';`);
    const { TextHelp } = load({
      ...{ EventEmitter, Range, CodeLens: Lens, ThemeColor: Range, MarkdownString: Range },
      ...{ Position, InlayHint: Hint },
      l10n: { t: (text: string) => text },
      env: { language: 'en' },
      languages: {
        registerCodeLensProvider: nothing,
        registerInlayHintsProvider: nothing,
        registerHoverProvider: nothing,
      },
      window: {
        visibleTextEditors: [],
        createTextEditorDecorationType: nothing,
        onDidChangeTextEditorVisibleRanges: nothing,
        onDidChangeVisibleTextEditors: nothing,
      },
      workspace: {
        onDidChangeConfiguration: nothing,
        onDidChangeTextDocument: nothing,
        getConfiguration: () => ({
          get: (name: string, usual: unknown) => (name === 'codeLens' ? level : usual),
        }),
      },
    });
    type Parts = ConstructorParameters<typeof TextHelp>;
    const onDidChange = nothing;
    help = new TextHelp(
      {
        ...{ onDidChange, latest: () => known, worst: () => Promise.resolve(new Map()) },
        between: () => between(),
        placed: (_: TextDocument, own: Known, mark: PlacedMark['mark']) => ({ mark, known: own }),
      } as unknown as Parts[0],
      {
        ...{ onDidChange, canAudit: true, has: () => true },
        readsAs: () => say('editor.further', 4),
      } as unknown as Parts[1],
      { onDidChange, problemCount: () => problems } as unknown as Parts[2],
    );
  });
  beforeEach(() => {
    [level, known, problems, between] = ['wrong', [], [0, 0], () => Promise.resolve([])];
  });
  after(() => help.dispose());

  const ask = async (): Promise<Lens[]> =>
    (await help.provideCodeLenses(document, {} as CancellationToken)) as unknown as (CodeLens & Lens)[];
  const titles = async () => (await ask()).map(({ command }) => command.title);

  it('offer an audit where nothing was audited, and count problems', async () => {
    assert.deepEqual(await titles(), ['$(beaker)\u00a0Audit']);
    problems = [3, 3];
    const [, counted] = await ask();
    assert.equal(counted.command.title, sentence('editor.problemCount', 3));
    problems = [220, 2];
    assert.equal((await titles())[1], sentence('editor.problemCountInEntries', 220, 2));
    assert.equal(counted.command.command, 'workbench.actions.view.problems');
  });

  it('show the newest verdicts, each with its probe, and list the others', async () => {
    known = results('lgip', 'visla', 'prsm');
    const [, first, second, further] = await ask();
    assert.deepEqual(
      [first, second].map(({ command }) => [command.title, command.arguments?.at(-1)]),
      [
        ['lgip today: 65 %', 'lgip'],
        ['visla today: 65 %', 'visla'],
      ],
    );
    assert.equal(further.command.title, sentence('editor.further', 1));
    assert.equal(further.command.command, 'captious.showResults');
  });

  it('show verdicts before results that have none', async () => {
    known = results('long', 'choice', 'lgip').map((own) => ({ ...own, isMute: own.probe !== 'lgip' }));
    assert.deepEqual((await titles()).slice(1), [
      'lgip today: 65 %',
      'long today: 65 %',
      sentence('editor.further', 1),
    ]);
  });

  it('are none where the setting turns them off', async () => {
    level = 'off';
    assert.deepEqual(await titles(), []);
  });

  it('of the file do not wait for those of the examples, which follow', async () => {
    known = results('lgip');
    let arrive!: (placed: PlacedMark[]) => void;
    const placed = new Promise<PlacedMark[]>((resolve) => (arrive = resolve));
    between = () => placed;
    const early = await titles();
    assert.equal(early.length, 2);
    const changed = new Promise<void>((resolve) => help.onDidChangeCodeLenses(resolve));
    const again = titles();
    arrive([]);
    await changed;
    assert.deepEqual(await again, early);
  });

  it('come after the marks of wrong captions, which do not repeat them', async () => {
    known = results('lgip');
    const placed = ['right', 'wrong'].map((verdict, line) => ({
      mark: { line: line + 1, texts: ['a dog'], words: verdict, captions: [{ verdict }] },
      ...{ line, stale: false, fresh: false, known: known[0] },
    }));
    between = () => Promise.resolve(placed as unknown as PlacedMark[]);
    const text = { ...document, lineAt: () => ({ text: 'a dog', range: { end: {} } }) };
    const range = { start: { line: 0 }, end: { line: 1 } };
    const asked = [text, range, {}] as unknown as Parameters<typeof help.provideInlayHints>;
    const hints = (await help.provideInlayHints(...asked)) as unknown as Hint[];
    assert.deepEqual(
      hints.map(({ position, label }) => [position.line, position.character, label]),
      [
        [0, 5, '✓'],
        [1, 5, '✗'],
      ],
    );
  });

  it('of entries on several lines have hints at their captions, for the lines that are asked for', async () => {
    known = results('sugarcrepe');
    const lines = ['  "3": {', '    "caption": "a dog",', '    "negative_caption": "a cat"', '  },'];
    const mark = { line: 1, texts: ['a dog', 'a cat'], words: 'right', captions: [{ verdict: 'right' }] };
    const placed = { mark, line: 0, stale: false, fresh: false, known: known[0] };
    between = () => Promise.resolve([placed] as unknown as PlacedMark[]);
    const text = {
      ...{ ...document, lineCount: lines.length },
      lineAt: (line: number) => ({ text: lines[line], range: { end: {} } }),
    };
    const hints = async (from: number, to: number) => {
      const asked = [text, { start: { line: from }, end: { line: to } }, {}];
      const own = await help.provideInlayHints(
        ...(asked as unknown as Parameters<typeof help.provideInlayHints>),
      );
      return (own as unknown as Hint[]).map(({ position, label }) => [
        position.line,
        position.character,
        label,
      ]);
    };
    assert.deepEqual(await hints(1, 3), [[1, lines[1].indexOf('"a dog"') + 7, '✓']]);
    assert.deepEqual(await hints(2, 3), []);
  });

  it('of the examples stay while slow results are read again, until the text changes', async () => {
    known = results('lgip');
    const example = new Lens({ line: 1 }, { title: 'flips 1 of 2', command: 'captious.openPanel' });
    const own = help as unknown as { lensesIn: () => Promise<Lens[]> };
    own.lensesIn = () => Promise.resolve([example]);
    assert.equal((await ask()).at(-1), example);
    for (const [version, last] of [
      [undefined, example],
      [2, undefined],
    ] as const) {
      (document as { version?: number }).version = version;
      let arrive!: (lenses: Lens[]) => void;
      own.lensesIn = () => new Promise((resolve) => (arrive = resolve));
      assert.equal((await ask()).at(2), last);
      const changed = new Promise<void>((resolve) => help.onDidChangeCodeLenses(resolve));
      arrive([example]);
      await changed;
      own.lensesIn = () => Promise.resolve([example]);
      assert.equal((await ask()).at(2), example);
    }
  });
});
