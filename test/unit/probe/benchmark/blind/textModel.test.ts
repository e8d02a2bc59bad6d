import assert from 'node:assert/strict';
import { TextModel } from '../../../../../src/probe/benchmark/blind/textModel';
import type { Item } from '../../../../../src/probe/benchmark/items';

function item(...captions: string[]): Item {
  return { example: '1', row: 0, observation: '1', captions, right: 0, isList: true, tags: {} };
}

describe('the language model of a text', () => {
  it('interpolates as Witten and Bell do', () => {
    const model = new TextModel([item('the dog runs', 'the dog sleeps')]);
    for (const sentence of ['The dog runs now.', 'the dog barks', '', '…']) model.add(sentence);
    assert.equal(model.sentences, 2);
    // Words: border, unknown, the, dog, runs, sleeps: six. Pairs in the text: nine, of which two end a sentence.
    const word = (count: number): number => (count + 1) / (9 + 6 + 1);
    const the = (2 + 1 * word(2)) / (2 + 1);
    const dog = (2 + 1 * word(2)) / (2 + 1);
    const runs = (1 + 2 * word(1)) / (2 + 2);
    const end = (0 + 1 * word(2)) / (1 + 1);
    const score = model.scoreOf();
    const mean = (...p: number[]): number => p.reduce((sum, own) => sum + Math.log(own), 0) / p.length;
    assert.ok(Math.abs(score('the dog runs', 0) - mean(the, dog, runs, end)) < 1e-12);
    // "sleeps" is not in the text: it has the share of unseen words, and a border of its own probability follows.
    const sleeps = (0 + 2 * word(0)) / (2 + 2);
    assert.ok(Math.abs(score('the dog sleeps', 0) - mean(the, dog, sleeps, word(2))) < 1e-12);
  });

  it('ignores sentences that are captions of the benchmark', () => {
    const model = new TextModel([item('the dog runs', 'the dog sleeps')]);
    for (const sentence of ['The dog runs.', 'the dog, sleeps']) model.add(sentence);
    assert.equal(model.sentences, 0);
  });

  it('counts the words that the benchmark does not have as one', () => {
    const [a, b] = ['a cat sits', 'a bird sits'].map((sentence) => {
      const model = new TextModel([item('a dog sits', 'sits a dog')]);
      model.add(sentence);
      return model.scoreOf()('a dog sits', 0);
    });
    assert.equal(a, b);
  });
});
