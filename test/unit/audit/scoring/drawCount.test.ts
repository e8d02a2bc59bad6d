import assert from 'node:assert/strict';
import { drawsFor, seedsOf } from '../../../../src/audit/scoring/drawCount';
import type { Caption, Example } from '../../../../src/dataset/example';
import { probeNamed, resolveOptions } from '../../../../src/probe/list';

const { signal } = new AbortController();

/** A dataset of this many captions, five of an image. */
function dataset(captions: number, more: Partial<Caption> = {}) {
  let read = 0;
  return {
    get read() {
      return async function* (): AsyncGenerator<Example> {
        for (let row = 0; row * 5 < captions; row++) {
          await Promise.resolve();
          const count = Math.min(5, captions - row * 5);
          read += count;
          const caption = (i: number): Caption => ({
            ...{ text: `a dog ${i}`, role: 'caption', image: 0, field: 'caption' },
            ...more,
          });
          yield {
            ...{ id: String(row), form: 'captions', row, images: [{ name: `${row}.jpg` }], attributes: {} },
            captions: Array.from({ length: count }, (_, i) => caption(i)),
          };
        }
      };
    },
    seen: () => read,
  };
}

async function draws(probe: string, captions: number, more: object = {}, caption: Partial<Caption> = {}) {
  const own = probeNamed(probe);
  const { options, ...asked } = { options: {}, ...more };
  return drawsFor(own, resolveOptions(own, options), { signal, ...asked }, dataset(captions, caption));
}

describe('number of draws', () => {
  for (const probe of ['lgip', 'long'])
    it(`${probe}: five for fewer than 1,000 captions`, async () => {
      assert.deepEqual(await draws(probe, 999), { draws: 5, defaultDraws: true });
      assert.deepEqual(await draws(probe, 1000), { draws: 1, defaultDraws: true });
    });

  it('is as many as the user names', async () => {
    assert.deepEqual(await draws('lgip', 20, { draws: 1 }), { draws: 1 });
    assert.deepEqual(await draws('lgip', 5000, { draws: 3 }), { draws: 3 });
  });

  it('counts the captions that the run reads', async () => {
    assert.deepEqual(await draws('lgip', 5000, { limit: 100 }), { draws: 5, defaultDraws: true });
    assert.deepEqual(await draws('lgip', 5000, { limit: 200 }), { draws: 1, defaultDraws: true });
  });

  it('reads no more than the captions that decide', async () => {
    const large = dataset(1_000_000);
    await drawsFor(probeNamed('lgip'), resolveOptions(probeNamed('lgip'), {}), { signal }, large);
    assert.equal(large.seen(), 1000);
  });

  it('does not count negatives', async () => {
    assert.deepEqual(await draws('long', 5000, {}, { role: 'negative' }), {});
  });

  it('is not stated if the seed decides no variants', async () => {
    assert.deepEqual(await draws('invariance', 20, { draws: 3 }), {});
    assert.deepEqual(await draws('rococo', 20), {});
    const variants: Caption['variants'] = [{ text: 'a cat', family: 'flip', kind: 'object' }];
    assert.deepEqual(await draws('lgip', 20, {}, { variants }), {});
    const ignoring = { options: { given: 'ignore' } };
    assert.deepEqual(await draws('lgip', 20, ignoring, { variants }), { draws: 5, defaultDraws: true });
    assert.deepEqual(await draws('long', 20, {}, { variants }), { draws: 5, defaultDraws: true });
  });

  it('gives consecutive seeds', () => {
    assert.deepEqual(seedsOf({ draws: 3 }, 7), [7, 8, 9]);
    assert.equal(seedsOf({ draws: 1 }, 7), undefined);
    assert.equal(seedsOf({}, 7), undefined);
  });
});
