import assert from 'node:assert/strict';
import { hasLens } from '../../../../src/editor/text/lensLevel';
import { english } from '../../../../src/base/english';
import type { Mark, Verdict } from '../../../../src/protocol/rows';
import type * as marks from '../../../../src/editor/text/evaluatorMarks';
import type * as hovers from '../../../../src/editor/text/hoverText';
import type * as lenses from '../../../../src/editor/text/lensText';
import { bundle } from '../bundle';
import { sentence } from '../../../sentence';

type Loaded = typeof marks & typeof hovers & typeof lenses;
type Placed = Parameters<typeof hovers.hoverText>[1][number];

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
  env: { language: 'en' },
};

/** A mark for the caption "cat" on this line, with one variant. */
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
  const document = { uri: 'file:///data.tsv' } as unknown as Parameters<typeof hovers.hoverText>[0];
  const one = { probes: false };

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
    const names = ['family-mobileclip-b', 'open-clip-vit-b', 'Starter (ImageNet + MiniLM, not CLIP)'];
    const [own] = loaded.combined(
      names.map((evaluator, i) => ({ evaluator, report: `${i}`, marks: [mark(1, 'none', `±0.${i}1 SD`)] })),
    );
    const all = hint(own)!;
    // VS Code cuts a hint after 43 characters.
    assert.ok(all.length <= 43 && all.endsWith(sentence('editor.further', 1)), all);
  });

  const combined = (...all: Mark[][]) =>
    loaded.combined(all.map((own, i) => ({ evaluator: 'ABCDEF'[i], report: `${i}.json`, marks: own })));

  const placed = (own: marks.ExampleMark, more: Partial<Placed> = {}): Placed => ({
    ...{ mark: own, line: 0, stale: false, fresh: false },
    known: knownOf('lgip'),
    ...more,
  });
  const knownOf = (probe: string, more: Partial<Placed['known']> = {}): Placed['known'] => ({
    ...{ id: 'run', probe, title: probe.toUpperCase(), words: '', isOlder: false, again: 'rescore' as const },
    ...more,
  });
  const by = (probe: string, own: marks.ExampleMark, more: Partial<Placed> = {}): Placed =>
    placed(own, { known: knownOf(probe), ...more });

  const titles = (own: marks.ExampleMark, more: Partial<Placed> = {}) =>
    loaded.lensesOf(document, [placed(own, more)], one).map(({ command }) => command?.title);

  const hint = (own: marks.ExampleMark) => {
    const words = loaded.hintWords([placed(own)], one);
    return words && english(words);
  };

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
    assert.ok(hasLens('wrong', placed(own)));
    assert.deepEqual(titles(own), ['B: words of wrong']);
    const [lens] = loaded.lensesOf(document, [placed(own)], one);
    assert.deepEqual(lens.command?.arguments, ['run', 1, undefined, 'B', 'lgip']);
  });

  it('have no lens if all are right, and one lens for each of two that are wrong', () => {
    assert.ok(!hasLens('wrong', placed(combined([mark(1, 'right')], [mark(1, 'right')])[0])));
    const [both] = combined([mark(1, 'wrong')], [mark(1, 'tie')]);
    assert.deepEqual(titles(both), ['A: words of wrong', 'B: words of tie']);
  });

  it('have one lens with a count if there are three or more, and only if most of them are wrong', () => {
    const of = (...verdicts: Verdict[]) => combined(...verdicts.map((verdict) => [mark(1, verdict)]))[0];
    assert.deepEqual(titles(of('wrong', 'tie', 'right')), [sentence('editor.lensSomeWrong', 2, 3, 'A, B')]);
    assert.deepEqual(titles(of('right', 'wrong', 'wrong', 'wrong', 'wrong')), [
      sentence('editor.lensSomeWrong', 4, 5, `B, C, ${sentence('editor.further', 2)}`),
    ]);
    const [lens] = loaded.lensesOf(document, [placed(of('right', 'wrong', 'wrong'))], one);
    assert.deepEqual(lens.command?.arguments, ['run', 1, undefined, 'B', 'lgip']);
    assert.equal(hasLens('wrong', placed(of('wrong', 'right', 'right'))), false);
    assert.equal(hint(of('wrong', 'right', 'right')), 'A ✗');
    assert.equal(hasLens('wrong', placed(of('wrong', 'wrong', 'right', 'right'))), false);
    // Only one of five evaluators scored this example.
    assert.deepEqual(titles(combined([], [mark(1, 'wrong')], [], [], [])[0]), ['B: words of wrong']);
    assert.deepEqual(titles(of('right', 'right', 'right'), { fresh: true }), [
      `${sentence('editor.lensNoneWrong', 3)} · rescored`,
    ]);
  });

  it('name the evaluator of an example that the others left out', () => {
    assert.deepEqual(titles(combined([], [mark(1, 'wrong')])[0]), ['B: words of wrong']);
    assert.equal(hint(combined([], [mark(1, 'right')])[0]), 'B ✓');
  });

  it('name no evaluator if the run has only one', () => {
    const [own] = combined([mark(1, 'wrong', '±0.1 0/1')]);
    assert.deepEqual(titles(own), ['words of wrong']);
    assert.equal(hint(own), '±0.1 0/1');
    assert.ok(!loaded.hoverText(document, [placed(own)], one).value.includes('**'));
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
    const { value } = loaded.hoverText(document, [placed(own)], one);
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

  const several = { probes: true };
  const [right, wrong, tie] = (['right', 'wrong', 'tie'] as const).map(
    (verdict) => () => combined([mark(1, verdict)])[0],
  );
  const lenses = (...all: Placed[]) =>
    loaded.lensesOf(document, all, several).map(({ command }) => [command?.title, command?.command]);

  it('of several probes have a lens for each probe that is wrong, at most two, and one for the list', () => {
    assert.deepEqual(lenses(by('lgip', right()), by('visla', wrong())), [
      ['VISLA: words of wrong', 'captious.openPanel'],
    ]);
    assert.deepEqual(
      lenses(by('lgip', wrong()), by('visla', tie()), by('choice', right()), by('prsm', wrong())),
      [
        ['LGIP: words of wrong', 'captious.openPanel'],
        ['VISLA: words of tie', 'captious.openPanel'],
        [sentence('editor.further', 1), 'captious.showResults'],
      ],
    );
    // Another caption of the same line must not hide the second probe.
    const all = lenses(by('lgip', wrong()), by('lgip', wrong()), by('visla', wrong()));
    assert.deepEqual(
      all.map(([title]) => title),
      ['LGIP: words of wrong', 'VISLA: words of wrong', sentence('editor.further', 1)],
    );
    const [lens] = loaded.lensesOf(
      document,
      [by('visla', wrong(), { known: knownOf('visla', { id: 'older' }) })],
      several,
    );
    assert.deepEqual(lens.command?.arguments, ['older', 1, undefined, undefined, 'visla']);
  });

  it('of several probes and two evaluators name each with its own result, and leave room for other probes', () => {
    const [both] = combined([mark(1, 'wrong')], [mark(1, 'wrong')]);
    const [second] = combined([mark(1, 'right')], [mark(1, 'wrong')]);
    assert.deepEqual(lenses(by('lgip', both)), [
      ['LGIP · A: words of wrong', 'captious.openPanel'],
      ['LGIP · B: words of wrong', 'captious.openPanel'],
    ]);
    assert.deepEqual(lenses(by('lgip', both), by('visla', second)), [
      ['LGIP · A: words of wrong', 'captious.openPanel'],
      ['VISLA · B: words of wrong', 'captious.openPanel'],
      [sentence('editor.further', 1), 'captious.showResults'],
    ]);
    const [three] = combined([mark(1, 'wrong')], [mark(1, 'wrong')], [mark(1, 'right')]);
    assert.deepEqual(lenses(by('lgip', three)), [
      [`LGIP: ${sentence('editor.lensSomeWrong', 2, 3, 'A, B')}`, 'captious.openPanel'],
    ]);
  });

  it('of several probes have one link to rescore, which names the probes if others are not edited', () => {
    const stale = { stale: true };
    assert.deepEqual(lenses(by('lgip', wrong(), stale), by('visla', wrong(), stale)), [
      ['edited, not rescored · rescore', 'captious.rescore'],
    ]);
    assert.deepEqual(lenses(by('lgip', wrong()), by('visla', right(), stale)), [
      ['VISLA: edited, not rescored · rescore', 'captious.rescore'],
      ['LGIP: words of wrong', 'captious.openPanel'],
    ]);
    const gallery = { stale: true, known: knownOf('prsm', { again: 'rerun' }) };
    assert.deepEqual(lenses(by('prsm', right(), gallery), by('lgip', right(), stale)), [
      ['edited, not rescored · rescore', 'captious.rescore'],
    ]);
    assert.deepEqual(lenses(by('prsm', right(), gallery), by('lgip', right(), { fresh: true })), [
      ['PRSM: edited, not rescored · run again', 'captious.rerun'],
      ['LGIP: words of right · rescored', 'captious.openPanel'],
    ]);
  });

  it('of several probes are grey until all that can rescore have done so', () => {
    const gallery = by('prsm', right(), { stale: true, known: knownOf('prsm', { again: 'rerun' }) });
    const [current, stale] = [by('lgip', right()), by('visla', right(), { stale: true })];
    assert.deepEqual(
      [[current], [gallery], [gallery, current], [current, stale], [gallery, stale]].map(loaded.isOutdated),
      [false, true, false, true, true],
    );
  });

  it('of several probes have the hint of the worst result: wrong, then unstable', () => {
    const [unstable] = combined([{ ...mark(1, 'right', '±0.3'), unstable: true }]);
    const words = (...all: Placed[]) => english(loaded.hintWords(all, several) ?? '');
    assert.equal(
      words(by('prsm', combined([mark(1, 'none', '80 %')])[0]), by('lgip', unstable)),
      'LGIP ±0.3',
    );
    assert.equal(words(by('lgip', unstable), by('visla', wrong())), 'VISLA ✗');
    assert.equal(words(by('choice', right()), by('visla', right())), '✓');
    assert.equal(words(by('choice', right())), 'CHOICE ✓');
  });

  it('of several probes are all in the hover, the wrong one first, with links to their own panels', () => {
    const visla = by('visla', wrong(), { known: knownOf('visla', { id: 'other' }) });
    const { value } = loaded.hoverText(document, [by('lgip', right()), visla], several);
    assert.deepEqual(
      [...value.matchAll(/\*\*(\w+)\*\*/g)].map(([, name]) => name),
      ['VISLA', 'LGIP'],
    );
    const links = [...value.matchAll(/\(command:captious\.openPanel\?([^)]*)\)/g)].map(
      ([, given]) => JSON.parse(decodeURIComponent(given)) as unknown[],
    );
    assert.deepEqual(
      links.map(([id, line, whatIf, , probe]) => [id, line, whatIf, probe]),
      [
        ['other', 1, null, 'visla'],
        ['other', 1, 'whatIf', 'visla'],
        ['run', 1, null, 'lgip'],
        ['run', 1, 'whatIf', 'lgip'],
      ],
    );
  });
});
