import assert from 'node:assert/strict';
import { FirstDraw } from '../../../src/probe/metric';

describe('the rows of a caption', () => {
  it('count once if a run made several draws', () => {
    const first = new FirstDraw();
    const seeds = [42, 43, 44, 42, 43, 44];
    assert.deepEqual(
      seeds.map((seed) => first.has({ seed })),
      [true, false, false, true, false, false],
    );
  });

  it('all count if it made one', () => {
    const first = new FirstDraw();
    assert.deepEqual([first.has({}), first.has({})], [true, true]);
  });
});
