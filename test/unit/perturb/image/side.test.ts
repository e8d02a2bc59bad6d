import assert from 'node:assert/strict';
import { sideThatStays } from '../../../../src/perturb/image/side';
import { templateCaption, withPlace } from '../../../../src/perturb/society/caption';
import { lexicon } from '../../../../src/perturb/society/lexicon';

describe('the side that tells an object from others of its kind', () => {
  const size = { width: 100, height: 80 };
  const other = (left: number, top: number) => ({ left, top, right: left + 20, bottom: top + 20 });

  it('is one on which the object is at every place, with all others on the opposite side', () => {
    const places = [
      { x: 20, y: 10 },
      { x: 30, y: 60 },
    ];
    assert.equal(sideThatStays(places, [other(60, 30)], size), 'left');
    assert.equal(sideThatStays([...places].reverse(), [other(60, 30), other(50, 0)], size), 'left');
    const mirrored = places.map(({ x, y }) => ({ x: 99 - x, y }));
    assert.equal(sideThatStays(mirrored, [other(30, 30)], size), 'right');
    const across = [
      { x: 20, y: 10 },
      { x: 80, y: 20 },
    ];
    assert.equal(sideThatStays(across, [other(40, 50)], size), 'top');
    const below = across.map(({ x, y }) => ({ x, y: 79 - y }));
    assert.equal(sideThatStays(below, [other(40, 10)], size), 'bottom');
  });

  it('is undefined if the object changes sides, stays near the middle, or is not alone on its side', () => {
    const diagonal = [
      { x: 20, y: 10 },
      { x: 80, y: 60 },
    ];
    assert.equal(sideThatStays(diagonal, [other(40, 30)], size), undefined);
    const left = [
      { x: 20, y: 10 },
      { x: 20, y: 60 },
    ];
    assert.equal(sideThatStays(left, [other(60, 30), other(10, 30)], size), undefined);
    assert.equal(sideThatStays(left, [other(40, 30)], size), undefined, 'the other reaches over the middle');
    const middle = [
      { x: 47, y: 10 },
      { x: 47, y: 60 },
    ];
    assert.equal(sideThatStays(middle, [other(60, 30)], size), undefined);
  });

  it('is added at the end of a generated caption', () => {
    assert.equal(withPlace(templateCaption(lexicon, 'dog'), 'on the left'), 'There is a dog on the left.');
    assert.equal(withPlace('a dog', 'at the top'), 'a dog at the top');
  });
});
