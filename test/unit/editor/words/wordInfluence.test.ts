import assert from 'node:assert/strict';
import { mock } from 'node:test';
import type * as words from '../../../../src/editor/words/wordInfluence';
import { bundle } from '../bundle';

type Change = () => void;
interface Job {
  caption: string;
  signal: AbortSignal;
  end(): void;
}

const line = (i: number): string => JSON.stringify({ caption: `A red bus ${i}` });
/** More lines than are visible, so that a copy of the whole text is noticed. */
const text = Array.from({ length: 5_000 }, (_, i) => line(i)).join('\n');
const offsetOf = (at: number): number => text.split('\n', at).join('\n').length + (at === 0 ? 0 : 1);

class Position {
  constructor(
    readonly line: number,
    readonly character: number,
  ) {}
}
class Range {
  readonly start: Position;
  readonly end: Position;
  constructor(a: Position | number, b: Position | number, c?: number, d?: number) {
    this.start = typeof a === 'number' ? new Position(a, b as number) : a;
    this.end = typeof b === 'number' ? new Position(c!, d!) : b;
  }
}

describe('the influence of words in an editor', () => {
  let load: (vscode: object) => typeof words;
  before(async () => {
    load = await bundle<typeof words>(`export * from './src/editor/words/wordInfluence';`);
  });
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
  afterEach(() => mock.timers.reset());

  /** Lets promises continue. */
  const settle = async (): Promise<void> => {
    for (let i = 0; i < 200; i++) await Promise.resolve();
  };

  function open() {
    const changes: Change[] = [];
    const jobs: Job[] = [];
    const copied: number[] = [];
    const marked: number[] = [];
    const listen = (change: Change) => {
      changes.push(change);
      return { dispose: () => undefined };
    };
    const document = {
      uri: { scheme: 'file' },
      version: 1,
      getText: ({ start, end }: Range) => {
        const area = text
          .split('\n')
          .slice(start.line, end.line + 1)
          .join('\n');
        copied.push(area.length);
        return area;
      },
      offsetAt: ({ line: at }: Position) => offsetOf(at),
      positionAt: (offset: number) => new Position(0, offset),
    };
    const editor = {
      document,
      visibleRanges: [new Range(100, 0, 101, 0)],
      setDecorations: (_: unknown, ranges: { range: Range }[]) => {
        for (const { range } of ranges) marked.push(range.start.character);
      },
    };
    const kept = new Map<string, unknown>([['captious.wordInfluence', true]]);
    let toggle: () => Promise<number> = () => assert.fail();
    const vscode = {
      ...{ Position, Range, ThemeColor: Object },
      commands: {
        registerCommand: (_: string, act: typeof toggle) => {
          toggle = act;
          return { dispose: () => undefined };
        },
      },
      l10n: { t: (sentence: string) => sentence },
      env: { language: 'en' },
      window: {
        createTextEditorDecorationType: () => ({ dispose: () => undefined }),
        onDidChangeVisibleTextEditors: listen,
        onDidChangeTextEditorVisibleRanges: listen,
        visibleTextEditors: [editor],
      },
      workspace: { onDidChangeTextDocument: listen },
    };
    const known = { id: 'run', probe: 'lgip' };
    const marks = {
      onDidChange: listen,
      latest: () => [known],
      between: (_: unknown, from: number, to: number) =>
        Promise.resolve(
          [from, to].map((at) => ({ known, line: at, stale: false, mark: { texts: [`A red bus ${at}`] } })),
        ),
    };
    const source = {
      wordInfluence: (_: unknown, __: unknown, caption: string, signal: AbortSignal) =>
        new Promise((resolve) => {
          // Ends only when the test says so, also if it was cancelled.
          jobs.push({ caption, signal, end: () => resolve([{ start: 2, end: 5, influence: 1 }]) });
        }),
    };
    const memory = {
      get: (key: string) => kept.get(key),
      update: (key: string, value: unknown) => Promise.resolve(void kept.set(key, value)),
    };
    const log = { warn: (message: string) => assert.fail(message) };
    const { WordInfluence } = load(vscode);
    const influence = new WordInfluence(...([marks, source, memory, log] as unknown as Parameters));
    return { influence, changes, jobs, copied, marked, toggle: () => toggle() };
  }
  type Parameters = ConstructorParameters<typeof words.WordInfluence>;

  it('has at most one job while the user types, and none before a pause', async () => {
    const { influence, changes, jobs } = open();
    const type = async (ms: number) => {
      for (const change of changes) change();
      mock.timers.tick(ms);
      await settle();
    };
    for (let key = 0; key < 50; key++) await type(100);
    assert.equal(jobs.length, 0);
    await type(400);
    assert.equal(jobs.length, 1);
    // Each pause would begin another job. The first one was cancelled, but it has not ended.
    for (let pause = 0; pause < 10; pause++) await type(400);
    assert.deepEqual(
      jobs.map(({ signal }) => signal.aborted),
      [true],
    );
    jobs[0].end();
    await settle();
    // Of the updates that waited, only the newest begins a job.
    assert.deepEqual(
      jobs.map(({ signal }) => signal.aborted),
      [true, false],
    );
    influence.dispose();
    assert.ok(jobs[1].signal.aborted);
  });

  it('copies only the lines around the visible ones, and marks words at their places', async () => {
    const { influence, changes, jobs, copied, marked } = open();
    changes[0]();
    mock.timers.tick(400);
    for (let job = 0; job < 2; job++) {
      await settle();
      jobs[job].end();
    }
    await settle();
    assert.ok(Math.max(...copied) < text.length / 10, String(copied));
    const places = [100, 101].map((at) => text.indexOf('red', offsetOf(at)));
    assert.deepEqual([...new Set(marked)].sort(), places);
    influence.dispose();
  });
});
