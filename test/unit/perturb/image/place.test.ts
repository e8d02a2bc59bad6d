import { say } from '../../../../src/base/say';
import assert from 'node:assert/strict';
import { Random } from '../../../../src/base/random';
import {
  areaOf,
  type Bitmap,
  boxOf,
  centroidOf,
  emptyBitmap,
  shifted,
} from '../../../../src/perturb/image/mask';
import { anchors, placeAt, type Placement } from '../../../../src/perturb/image/place';

function rectangle(width: number, height: number, x: number, y: number, w: number, h: number): Bitmap {
  const bitmap = emptyBitmap(width, height);
  for (let row = y; row < y + h; row++) bitmap.data.fill(1, row * width + x, row * width + x + w);
  return bitmap;
}

const random = (): Random => new Random(42, 'one', 0, 'reposition');

function placed(placement: Placement): Extract<Placement, { ok: true }> {
  assert.ok(placement.ok, 'a place was found');
  return placement;
}

describe('Algorithm 1', () => {
  it('centres a small object in each quadrant at the first attempt', () => {
    const object = rectangle(80, 60, 30, 22, 11, 9);
    const middles = { tl: [19.5, 14.5], tr: [59.5, 14.5], bl: [19.5, 44.5], br: [59.5, 44.5] };
    for (const anchor of anchors) {
      const { dx, dy, tries } = placed(placeAt(anchor, object, [], random()));
      const { x, y } = centroidOf(shifted(object, dx, dy));
      assert.equal(tries, 1);
      assert.ok(Math.abs(x - middles[anchor][0]) <= 0.5 && Math.abs(y - middles[anchor][1]) <= 0.5);
    }
  });

  it('moves towards the centre if the object would leave the image, and stays on its side', () => {
    const object = rectangle(80, 60, 10, 10, 50, 40);
    for (const anchor of anchors) {
      const { dx, dy, tries } = placed(placeAt(anchor, object, [], random()));
      assert.ok(tries > 1);
      const at = shifted(object, dx, dy);
      assert.equal(areaOf(at), areaOf(object), 'nothing is cut off');
      const { x, y } = centroidOf(at);
      assert.ok(anchor.endsWith('l') ? x < 39.5 : x > 39.5);
      assert.ok(anchor.startsWith('t') ? y < 29.5 : y > 29.5);
    }
  });

  it('hides at most a tenth of another object', () => {
    const object = rectangle(80, 60, 60, 40, 10, 10);
    const other = rectangle(80, 60, 15, 10, 10, 10);
    const { dx, dy, tries } = placed(placeAt('tl', object, [other], random()));
    assert.ok(tries > 1);
    const at = shifted(object, dx, dy);
    const hidden = at.data.reduce((sum, value, i) => sum + value * other.data[i], 0);
    assert.ok(hidden <= 10, `${hidden} pixels`);
  });

  it('gives up with a reason if nothing fits', () => {
    const whole = rectangle(20, 20, 0, 0, 20, 20);
    assert.deepEqual(placeAt('tl', whole, [], random()), {
      ok: false,
      reason: say('perturb.moveLeavesImage', 10),
    });
    const everywhere = rectangle(80, 60, 0, 0, 80, 60);
    const tiles: Bitmap[] = [];
    for (let x = 0; x < 80; x += 10)
      for (let y = 0; y < 60; y += 10) tiles.push(rectangle(80, 60, x, y, 10, 10));
    assert.ok(!placeAt('br', rectangle(80, 60, 30, 20, 12, 12), tiles, random()).ok);
    assert.ok(
      placeAt('br', rectangle(80, 60, 30, 20, 12, 12), [everywhere], random()).ok,
      'a tenth may be hidden',
    );
    assert.deepEqual(placeAt('br', emptyBitmap(8, 8), [], random()), {
      ok: false,
      reason: say('perturb.maskEmpty'),
    });
  });

  it('draws the same places for the same seed', () => {
    const object = rectangle(80, 60, 10, 10, 50, 40);
    const once = anchors.map((anchor) => placeAt(anchor, object, [], random()));
    assert.deepEqual(
      anchors.map((anchor) => placeAt(anchor, object, [], random())),
      once,
    );
    const other = anchors.map((anchor) =>
      placeAt(anchor, object, [], new Random(43, 'one', 0, 'reposition')),
    );
    assert.notDeepEqual(other, once);
  });

  it('finds the bounding box of set pixels', () => {
    assert.deepEqual(boxOf(rectangle(9, 7, 2, 3, 4, 1)), { left: 2, top: 3, right: 6, bottom: 4 });
    assert.equal(boxOf(emptyBitmap(3, 3)), undefined);
  });
});
