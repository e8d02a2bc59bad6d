import assert from 'node:assert/strict';
import { discordantPairs } from '../../../src/report/discordant';

describe('rows that only one report gets right', () => {
  const second = Array<number>(20).fill(1);
  const first = second.map((_, i) => (i < 10 ? 0 : 1));

  it('are enough for a verdict from ten on', () => {
    const found = discordantPairs(first, second, []);
    assert.deepEqual([found.mcNemar?.onlyFirst, found.mcNemar?.onlySecond, found.tooFew], [0, 10, undefined]);
    assert.equal('captions' in found.mcNemar!, false);
    assert.equal(discordantPairs([1, ...first.slice(1)], second, []).tooFew, 'discordant');
  });

  it('of five draws count as captions, because draws repeat each other', () => {
    // Ten rows of two captions.
    const captions = first.map((_, i) => `caption ${Math.floor(i / 5)}`);
    const found = discordantPairs(first, second, captions);
    assert.deepEqual([found.mcNemar?.onlySecond, found.mcNemar?.captions], [10, 2]);
    assert.equal(found.tooFew, 'discordant');
  });
});
