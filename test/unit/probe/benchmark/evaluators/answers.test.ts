import assert from 'node:assert/strict';
import { answersBy, creditScores, Joined } from '../../../../../src/probe/benchmark/evaluators/answers';
import type { Item } from '../../../../../src/probe/benchmark/items';
import type { Row } from '../../../../../src/probe/metric';

const base = { example: '7', row: 3, image: 'a.jpg' };

function answersIn(probe: string, row: object): unknown[] {
  return answersBy.get(probe)!({ ...base, ...row } as Row).map(({ image, right, credit }) => [
    image,
    right,
    credit,
  ]);
}

describe('answers in the rows of reports', () => {
  it('are the choices of each probe, with ties that count in part', () => {
    const image = { caption: 0.5, negative: 0.5, right: false, tie: true };
    const pair = { caption: 'c', negative: 'n' };
    assert.deepEqual(answersIn('sugarcrepe', { ...pair, i2t: image }), [['a.jpg', 'c', 0.5]]);
    assert.deepEqual(answersIn('sugarcrepe', { ...pair, text: 0.9 }), []);
    const i2t = { p1: 0.3, p2: 0.1, n: 0.2, right: false, tie: false };
    assert.deepEqual(answersIn('visla', { p1: 'one', p2: 'two', n: 'no', i2t }), [
      ['a.jpg', 'one', 1],
      ['a.jpg', 'two', 0],
    ]);
    const crossed = { captions: ['x', 'y'], images: ['a.jpg', 'b.jpg'] };
    assert.deepEqual(answersIn('winoground', { ...crossed, c0i0: 2, c1i0: 1, c0i1: 2, c1i1: 1 }), [
      ['a.jpg', 'x', 1],
      ['b.jpg', 'y', 0],
    ]);
    const choice = { ...crossed, captions: ['x', 'y', 'z'], rightOf: [0, 1, -1] };
    assert.deepEqual(
      answersIn('choice', {
        ...choice,
        scores: [
          [2, 1, 2],
          [1, 3, 2],
        ],
      }),
      [
        ['a.jpg', 'x', 0.5],
        ['b.jpg', 'y', 1],
      ],
    );
    const decisions = { text: [false, true], image: [true, true] };
    assert.deepEqual(answersIn('choice', { ...choice, scores: [], decisions }), [
      ['a.jpg', 'x', 0],
      ['b.jpg', 'y', 1],
    ]);
  });

  it('belong to the item with the example, the image and the right caption', () => {
    const item = (example: string, right: string): Item => ({
      ...{ example, row: 0, image: 'a.jpg', observation: 'a.jpg', isList: false, tags: {} },
      ...{ captions: [right, 'wrong'], right: 0 },
    });
    const joined = new Joined([item('1', 'x'), item('1', 'y'), item('1', 'x'), item('2', 'x')]);
    const find = joined.finder();
    const at = (example: string, right: string, image = 'a.jpg'): number | undefined =>
      find(example, { image, right, credit: 1 });
    assert.deepEqual(
      [at('1', ' x '), at('1', 'x'), at('1', 'x'), at('1', 'y'), at('2', 'x'), at('2', 'y')],
      [0, 2, undefined, 1, 3, undefined],
    );
    assert.equal(at('1', 'y', 'b.jpg'), undefined);
    assert.deepEqual([joined.only('1'), joined.only('2'), joined.only('3')], [undefined, 3, undefined]);
  });

  it('are scores of a log from 0 to 1 of which more is not worse', () => {
    const rows = [
      { scores: { acc: 1, length: 0.5, loss: 0.1, bleu: 30 }, better: { loss: 'lower' as const } },
      { scores: { acc: 0.5, length: 7, loss: 0.2, bleu: 0 }, better: { loss: 'lower' as const } },
    ].map((row) => ({ ...base, ...row }));
    assert.deepEqual(creditScores(rows), ['acc']);
  });
});
