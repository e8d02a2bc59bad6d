import assert from 'node:assert/strict';
import { say } from '../../../src/base/say';
import { countOf } from '../../../src/report/figures';

describe('the number of rows behind a value', () => {
  it('comes with the number of images, if several rows come from one image', () => {
    assert.equal(countOf({ n: 12 }, undefined), '12');
    assert.deepEqual(
      countOf({ n: 12, images: 3 }, undefined),
      say('probe.nameWithDetail', '12', say('base.countOfImages', 3)),
    );
  });

  it('comes with the number of clusters, if the user named their column', () => {
    assert.deepEqual(
      countOf({ n: 12, images: 3 }, 'patient'),
      say('probe.nameWithDetail', '12', say('base.countOfClusters', 3, 'patient')),
    );
  });
});
