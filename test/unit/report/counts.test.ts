import assert from 'node:assert/strict';
import { english } from '../../../src/base/english';
import { countOf } from '../../../src/report/figures';

describe('the number of rows behind a value', () => {
  it('comes with the number of images, if several rows come from one image', () => {
    assert.equal(countOf({ n: 12 }, undefined), '12');
    assert.equal(english(countOf({ n: 12, images: 3 }, undefined)), '12 (3 images)');
  });

  it('comes with the number of clusters, if the user named their column', () => {
    assert.equal(english(countOf({ n: 12, images: 3 }, 'patient')), '12 (3 clusters (patient))');
  });
});
