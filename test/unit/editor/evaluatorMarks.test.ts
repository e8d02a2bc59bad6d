import assert from 'node:assert/strict';
import type { Mark, Verdict } from '../../../src/protocol/rows';
import type * as marks from '../../../src/editor/text/evaluatorMarks';
import type * as hovers from '../../../src/editor/text/hoverText';
import type * as lenses from '../../../src/editor/text/lensText';
import { bundle } from './bundle';

type Loaded = typeof marks & typeof hovers & typeof lenses;
type Placed = Parameters<typeof hovers.hoverText>[1];

class MarkdownString {
  value = '';
  appendMarkdown(text: string): this {
    this.value += text;
    return this;
  }
}

class CodeLens {
  constructor(
    readonly range: unknown,
    readonly command: { title: string; arguments?: unknown[] },
  ) {}
}

const vscode = {
  MarkdownString,
  CodeLens,
  Range: CodeLens,
  l10n: { t: (text: string) => text },
};

/** A mark of the caption "cat" on this line, with one variant. */
function mark(line: number, verdict: Verdict, hint?: string): Mark {
  return {
    ...{ line, column: 3, index: line * 10, texts: ['cat'], words: `words of ${verdict}` },
    ...(hint === undefined ? {} : { hint }),
    captions: [
      { label: 'caption', text: 'cat', score: 0.5, verdict: 'none', chosen: false },
      { label: 'variant', text: 'dog', score: 0.4, delta: -0.1, verdict, against: 0, chosen: false },
    ],
  };
}

describe('the marks of several evaluators', function () {
  this.timeout(60_000);
  let loaded: Loaded;
  const document = {} as Parameters<typeof hovers.hoverText>[0];

  before(async () => {
    const load = await bundle<Loaded>(`export * from './src/editor/text/evaluatorMarks';
      export * from './src/editor/text/hoverText';
      export * from './src/editor/text/lensText';`);
    loaded = load(vscode);
  });

  it('have brief names in hints, which leave room for the results', () => {
    const { briefName } = loaded;
    assert.equal(briefName('Starter (ImageNet + MiniLM, not CLIP)'), 'Starter');
    assert.equal(briefName('clip'), 'clip');
    assert.equal(briefName('(unnamed)'), '(unnamed)');
    assert.equal(briefName('family-mobileclip-b'), 'family-mobile…');
  });

  const combined = (...all: Mark[][]) =>
    loaded.combined(all.map((own, i) => ({ evaluator: 'ABCDEF'[i], report: `${i}.json`, marks: own })));

  const placed = (own: marks.ExampleMark, more: Partial<Placed> = {}): Placed => ({
    ...{ mark: own, line: 0, stale: false, fresh: false },
    known: { id: 'run', words: '', again: 'rescore' },
    ...more,
  });

  const titles = (own: marks.ExampleMark, more: Partial<Placed> = {}) =>
    loaded.lensesOf(document, placed(own, more)).map(({ command }) => command?.title);

  const english = (words: ReturnType<Loaded['hintWords']>): string | undefined =>
    typeof words === 'object'
      ? words.words.replace(/\{(\d+)\}/g, (_, i: string) => english(words.values[Number(i)]) ?? '')
      : words;
  const hint = (own: marks.ExampleMark) => english(loaded.hintWords(own));

  it('are combined by example, in the order of the file', () => {
    const all = combined(
      [mark(1, 'right'), mark(3, 'right'), mark(3, 'wrong')],
      [mark(2, 'wrong'), mark(3, 'tie')],
    );
    assert.deepEqual(
      all.map(({ line, evaluators }) => [line, evaluators!.map(({ evaluator }) => evaluator)]),
      [
        [1, ['A']],
        [2, ['B']],
        [3, ['A', 'B']],
        [3, ['A']],
      ],
    );
  });

  it('have a lens that names the evaluator that is wrong, also if it is the second', () => {
    const [own] = combined([mark(1, 'right')], [mark(1, 'wrong')]);
    assert.ok(loaded.needsLens(placed(own)));
    assert.deepEqual(titles(own), ['B: words of wrong']);
    const [lens] = loaded.lensesOf(document, placed(own));
    assert.deepEqual(lens.command?.arguments, ['run', 1, undefined, 'B']);
  });

  it('have no lens if all are right, and one lens for each of two that are wrong', () => {
    assert.ok(!loaded.needsLens(placed(combined([mark(1, 'right')], [mark(1, 'right')])[0])));
    const [both] = combined([mark(1, 'wrong')], [mark(1, 'tie')]);
    assert.deepEqual(titles(both), ['A: words of wrong', 'B: words of tie']);
    const [five] = combined(...Array.from({ length: 5 }, () => [mark(1, 'wrong')]));
    assert.deepEqual(titles(five), ['A: words of wrong', 'B: words of wrong', '3 more']);
  });

  it('name the evaluator of an example that the others left out', () => {
    assert.deepEqual(titles(combined([], [mark(1, 'wrong')])[0]), ['B: words of wrong']);
    assert.equal(hint(combined([], [mark(1, 'right')])[0]), 'B ✓');
  });

  it('name no evaluator if the run has only one', () => {
    const [own] = combined([mark(1, 'wrong', '±0.1 0/1')]);
    assert.deepEqual(titles(own), ['words of wrong']);
    assert.equal(hint(own), '±0.1 0/1');
    assert.ok(!loaded.hoverText(document, placed(own)).value.includes('**'));
  });

  it('have a hint with names unless all say the same', () => {
    assert.equal(hint(combined([mark(1, 'right')], [mark(1, 'right')])[0]), '✓');
    assert.equal(hint(combined([mark(1, 'right', '1')], [mark(1, 'right', '2')])[0]), 'A 1 · B 2');
    assert.equal(hint(combined([mark(1, 'right')], [mark(1, 'wrong')])[0]), 'B ✗');
    const none = { ...mark(1, 'none'), captions: [] };
    assert.equal(hint(combined([none], [none])[0]), undefined);
  });

  it('show a table for each evaluator on hover, the wrong one first', () => {
    const [own] = combined([mark(1, 'right')], [mark(1, 'wrong')]);
    const { value } = loaded.hoverText(document, placed(own));
    const [, first, second] = value.split(/\*\*([AB])\*\*/).filter((_, i) => i === 0 || i % 2 === 1);
    assert.deepEqual([first, second], ['B', 'A']);
    assert.equal(value.match(/\| dog \|/g)?.length, 2);
    assert.ok(value.indexOf('✗') < value.indexOf('✓'));
  });

  it('are all rescored, and say so', () => {
    const [own] = combined([mark(1, 'right')], [mark(1, 'wrong')]);
    assert.deepEqual(titles(own, { fresh: true }), ['B: words of wrong · rescored']);
    const [right] = combined([mark(1, 'right')], [mark(1, 'right')]);
    assert.deepEqual(titles(right, { fresh: true }), [
      'A: words of right · rescored',
      'B: words of right · rescored',
    ]);
  });
});
