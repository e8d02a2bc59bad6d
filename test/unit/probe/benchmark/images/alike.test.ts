import assert from 'node:assert/strict';
import { Random } from '../../../../../src/base/random';
import { atOnce } from '../../../../../src/base/turns/steps';
import {
  alikeEarlier,
  distance,
  type Look,
  mostDifferent,
} from '../../../../../src/probe/benchmark/images/alike';

const look = (pixels: string, pattern: Uint8Array): Look => ({ pixels, pattern });

/** A pattern with these bits inverted. */
function inverted(pattern: Uint8Array, bits: readonly number[]): Uint8Array {
  const copy = pattern.slice();
  for (const bit of bits) copy[bit >> 3] ^= 1 << (bit & 7);
  return copy;
}

describe('images that equal earlier ones', () => {
  const draws = new Random('alike');
  const pattern = (): Uint8Array => Uint8Array.from({ length: 8 }, () => draws.below(256));

  it('have the same pixels, or a pattern with few different bits', () => {
    const own = pattern();
    const looks = new Map([
      ['a', look('1', own)],
      ['b', look('1', own)],
      ['c', look('2', inverted(own, [0, 9, 18, 27, 36, 45, 54, 63]))],
      ['d', look('3', inverted(own, [1, 2, 3, 4, 5, 6, 7, 8, 10]))],
    ]);
    assert.deepEqual(
      [...atOnce(alikeEarlier(looks))],
      [
        ['b', { kind: 'same', imageKey: 'a' }],
        ['c', { kind: 'similar', imageKey: 'a' }],
      ],
    );
  });

  it('are found for every choice of different bits, as by a comparison of all pairs', () => {
    const looks = new Map<string, Look>();
    for (let i = 0; i < 300; i++) {
      const own = pattern();
      looks.set(`${i}`, look(`${i}`, own));
      const bits = draws.shuffle(Array.from({ length: 64 }, (_, bit) => bit));
      looks.set(`${i} again`, look(`${i} again`, inverted(own, bits.slice(0, draws.below(12)))));
    }
    const all = [...looks];
    const expected = all.flatMap(([name, { pattern: own }], i) =>
      all.slice(0, i).some(([, other]) => distance(own, other.pattern) <= mostDifferent) ? [name] : [],
    );
    assert.ok(expected.length > 200 && expected.length < 300);
    assert.deepEqual([...atOnce(alikeEarlier(looks)).keys()], expected);
  });

  it('are not plain images, unless their pixels are the same', () => {
    const plain = new Uint8Array(0);
    const looks = new Map([
      ['white', look('1', plain)],
      ['black', look('2', plain)],
      ['white too', look('1', plain)],
    ]);
    assert.deepEqual([...atOnce(alikeEarlier(looks)).keys()], ['white too']);
  });

  it('name the nearest one', () => {
    const own = pattern();
    const looks = new Map([
      ['far', look('1', inverted(own, [1, 2, 3]))],
      ['near', look('2', inverted(own, [5]))],
      ['own', look('3', own)],
    ]);
    const found = atOnce(alikeEarlier(looks));
    assert.deepEqual(found.get('own'), { kind: 'similar', imageKey: 'near' });
  });
});
