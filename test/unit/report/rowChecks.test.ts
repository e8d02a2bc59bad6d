import { strict as assert } from 'node:assert';
import { viewFor } from '../../../src/probe/views';
import { rowIn } from '../../../src/report/rowChecks';

function read(probe: string, row: Record<string, unknown>): unknown {
  const found = rowIn(JSON.stringify({ example: '1', row: 0, ...row }), viewFor(probe).rows.row);
  assert.ok('row' in found, JSON.stringify(found));
  return found.row;
}

describe('rows of 0.2.0, which said photo and picture', () => {
  const scores = { caption: 0.2, negative: 0.3, right: false, tie: false };

  it('of the probes about pairs', () => {
    const pair = { caption: 'a cat', negative: 'a dog' };
    const expected = read('sugarcrepe', { ...pair, i2t: scores, text: 0.5 });
    assert.deepEqual((expected as { i2t: unknown }).i2t, scores);
    assert.deepEqual({ ...(read('sugarcrepe', { ...pair, photo: scores, text: 0.5 }) as object) }, expected);
    const choice = { captions: ['a cat', 'a dog'], rightOf: [0, -1], scores: [[0.1, 0.2]] };
    assert.deepEqual((read('choice', { ...choice, photos: ['a.jpg'] }) as { images: string[] }).images, [
      'a.jpg',
    ]);
  });

  it('of Winoground', () => {
    const crossed = { captions: ['a', 'b'], c0i0: 1, c1i0: 0, c0i1: 0, c1i1: 0 };
    const row = read('winoground', {
      ...{ ...crossed, photos: ['a.jpg', 'b.jpg'] },
      ...{ text: false, photo: true, group: false },
    }) as { images: string[]; right: unknown };
    assert.deepEqual(row.right, { text: false, image: true, group: false });
    assert.deepEqual(row.images, ['a.jpg', 'b.jpg']);
  });

  it('of RoCOCO', () => {
    const image = { caption: 'a', score: 1, clean: { r1: 1 }, first: [], lists: [] };
    assert.equal((read('rococo', { kind: 'photo', ...image }) as { kind: string }).kind, 'image');
    const hit = { stressed: { r1: 1 }, rsms: 0, rival: 0.5 };
    const caption = { kind: 'caption', caption: 'a', altered: [] };
    const old = { ...caption, search: { score: 1, clean: {}, hits: [{ pictures: 'mix-0.9', ...hit }] } };
    const { search } = read('rococo', old) as { search: { hits: unknown[] } };
    assert.deepEqual(search.hits, [{ ...hit, pictures: 'mix-0.9', images: 'mix-0.9' }]);
  });

  it('whose other faults are named', () => {
    const found = rowIn('{"example":"1","row":0,"photos":["a.jpg"]}', viewFor('choice').rows.row);
    assert.ok('why' in found);
    assert.doesNotMatch(JSON.stringify(found.why), /images|photos/);
  });
});
