import assert from 'node:assert/strict';
import { answerText, problemText } from '../../../src/assistant/answer';
import { CaptiousError } from '../../../src/base/errors';
import { count, object, ShapeError } from '../../../src/base/shape';

interface Short {
  truncated: string;
  value: { list: unknown[]; text: string };
}

describe('an answer to an assistant', () => {
  it('is the whole value if it is short', () => {
    assert.equal(answerText({ a: [1, 2] }, 'more'), '{"a":[1,2]}');
  });

  it('is shortened to its bound, says so, and says how to get more', () => {
    const value = { list: Array.from({ length: 10_000 }, (_, i) => ({ i })), text: 'x'.repeat(100_000) };
    const text = answerText(value, 'Ask again.', 5000);
    assert.ok(text.length <= 5000);
    const short = JSON.parse(text) as Short;
    assert.ok(short.truncated.endsWith('Ask again.'));
    assert.deepEqual(short.value.list[0], { i: 0 });
    assert.match(String(short.value.list.at(-1)), /^… \d+ more$/);
    assert.ok(short.value.text.length < 5000);
  });

  it('keeps its bound for deep, wide and long values', () => {
    let deep: object = {};
    for (let i = 0; i < 500; i++) deep = { deep, rest: 'y'.repeat(100) };
    const wide = Object.fromEntries(Array.from({ length: 9000 }, (_, i) => [`${i}${'k'.repeat(3000)}`, i]));
    for (const value of [deep, wide, { all: [deep, wide] }]) {
      const text = answerText(value, '', 5000);
      assert.ok(text.length <= 5000);
      assert.ok('truncated' in (JSON.parse(text) as object));
    }
  });

  it('has the remedy of an error, and no text for a defect', () => {
    const error = new CaptiousError('input', 'What.', { at: 'a.csv', remedy: 'Do this.' });
    assert.equal(problemText(error), 'a.csv: What. Do this.');
    try {
      object({ n: count })({ n: -1 }, '');
    } catch (invalid) {
      assert.ok(invalid instanceof ShapeError);
      assert.ok(problemText(invalid)?.includes(invalid.message));
    }
    assert.equal(problemText(new TypeError('a defect')), undefined);
  });
});
