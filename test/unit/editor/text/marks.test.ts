import assert from 'node:assert/strict';
import type { TextDocument } from 'vscode';
import type { ExampleMark } from '../../../../src/editor/text/evaluatorMarks';
import type * as marks from '../../../../src/editor/text/marks';
import { bundle } from '../bundle';

interface Change {
  range: { start: { line: number }; end: { line: number } };
  text: string;
}

class EventEmitter {
  private readonly listeners: ((value: unknown) => void)[] = [];
  event = (listener: (value: unknown) => void) => {
    this.listeners.push(listener);
    return { dispose: () => undefined };
  };
  fire(value: unknown): void {
    for (const listener of this.listeners) listener(value);
  }
  dispose(): void {
    this.listeners.length = 0;
  }
}

class Lines {
  constructor(
    readonly from: number,
    _start: number,
    readonly to: number,
  ) {}
}

describe('the marks of a document', function () {
  this.timeout(60_000);
  let change: (contentChanges: Change[]) => void;
  let warnings: string[];
  let lines: string[];
  let view: marks.Marks;
  let fails: boolean;

  const document = {
    uri: { toString: () => 'file:///a.jsonl' },
    get lineCount() {
      return lines.length;
    },
    lineAt: (line: number) => ({ text: lines[line] }),
    getText: ({ from, to }: Lines) => lines.slice(from, to + 1).join('\n'),
  } as unknown as TextDocument;
  const known = { id: 'run', probe: 'lgip', title: 'LGIP', words: '', again: 'rescore' as const };
  const markOf = (line: number, text: string): ExampleMark =>
    ({ line, texts: [text], captions: [], words: '', among: 1 }) as unknown as ExampleMark;
  const audited = ['{"caption": "A red bus."}', '{"caption": "Two dogs."}', '{"caption": "A cat."}'];

  before(async function () {
    const load = await bundle<typeof marks>(`export * from './src/editor/text/marks';`);
    let listen: (event: unknown) => void = () => undefined;
    const { Marks } = load({
      ...{ EventEmitter, Range: Lines },
      workspace: {
        isTrusted: true,
        onDidChangeTextDocument: (listener: typeof listen) => (
          (listen = listener),
          { dispose: () => undefined }
        ),
        onDidCloseTextDocument: () => ({ dispose: () => undefined }),
      },
    });
    change = (contentChanges) => listen({ document, contentChanges });
    const source = {
      onDidChange: () => ({ dispose: () => undefined }),
      load: () => Promise.resolve(),
      latest: () => [{ ...known, isOlder: false }],
      marks: (_: unknown, from: number, to: number) =>
        fails
          ? Promise.reject(new Error('The rows are gone.'))
          : Promise.resolve(
              [markOf(1, 'A red bus.'), markOf(2, 'Two dogs.'), markOf(3, 'A cat.')].filter(
                ({ line }) => line >= from && line <= to,
              ),
            ),
      worst: () => Promise.resolve(new Set([2])),
    };
    view = new Marks(
      source as unknown as marks.MarkSource,
      { warn: (text: string) => warnings.push(text) } as unknown as ConstructorParameters<typeof Marks>[1],
    );
  });
  beforeEach(() => {
    [lines, warnings, fails] = [[...audited], [], false];
  });
  after(() => view.dispose());

  const shown = async () =>
    (await view.between(document, 0, lines.length - 1)).map(({ mark, line, stale }) => [
      mark.texts[0],
      line,
      stale,
    ]);

  it('are on the lines of their captions, and follow them when lines are inserted', async () => {
    assert.deepEqual(await shown(), [
      ['A red bus.', 0, false],
      ['Two dogs.', 1, false],
      ['A cat.', 2, false],
    ]);
    lines.unshift('', '');
    change([{ range: { start: { line: 0 }, end: { line: 0 } }, text: '\n\n' }]);
    assert.deepEqual(
      (await shown()).map(([, line]) => line),
      [2, 3, 4],
    );
    change([{ range: { start: { line: 0 }, end: { line: 2 } }, text: '' }]);
  });

  it('are stale where the caption was edited, and only there', async () => {
    lines[1] = '{"caption": "Three dogs."}';
    change([{ range: { start: { line: 1 }, end: { line: 1 } }, text: 'Three' }]);
    assert.deepEqual(
      (await shown()).map(([, , stale]) => stale),
      [false, true, false],
    );
    assert.deepEqual(
      (await view.edited(document)).map(({ mark }) => mark.texts[0]),
      ['Two dogs.'],
    );
  });

  it('are none, with a line in the log, if the report cannot be read', async () => {
    fails = true;
    assert.deepEqual(await shown(), []);
    assert.deepEqual(warnings, ['The rows are gone.']);
  });

  it('name the lines of the worst examples by probe', async () => {
    assert.deepEqual(await view.worst(document), new Map([['lgip', new Set([2])]]));
  });
});
