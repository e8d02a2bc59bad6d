import assert from 'node:assert/strict';
import { distinctParts, shortNames } from '../../../../src/base/text/shortNames';

describe('short names of evaluators', () => {
  const starter = 'Starter (ImageNet + MiniLM, not CLIP)';

  it('leave out an end in parentheses', () => {
    assert.deepEqual(shortNames([starter, 'clip']), ['Starter', 'clip']);
    assert.deepEqual(shortNames([starter, starter]), ['Starter', 'Starter']);
    assert.deepEqual(shortNames(['(unnamed)']), ['(unnamed)']);
    assert.deepEqual(shortNames([starter, `cs (clipscore of ${starter})`]), ['Starter', 'cs']);
  });

  it('are never equal for two evaluators', () => {
    assert.deepEqual(shortNames(['CLIP (B/32)', 'CLIP (L/14)', 'MiniLM (L6)']), [
      'CLIP (B/32)',
      'CLIP (L/14)',
      'MiniLM',
    ]);
    assert.deepEqual(shortNames(['siglip-base-patch16-224', 'siglip-base-patch16-384'], 14), [
      'siglip-…16-224',
      'siglip-…16-384',
    ]);
    const alike = ['encoder-with-one-name', 'encoder-with-two-name'];
    assert.deepEqual(shortNames(alike, 9), alike);
  });

  it('have at most as many letters as fit', () => {
    assert.deepEqual(shortNames(['family-mobileclip-b'], 14), ['family-mobile…']);
    assert.deepEqual(shortNames([starter], 14), ['Starter']);
  });

  it('have no start that all names share', () => {
    assert.deepEqual(distinctParts(['open_clip:ViT-B-32', 'open_clip:ViT-L-14']), ['ViT-B-32', 'ViT-L-14']);
    assert.deepEqual(distinctParts(['/models/a/clip', '/models/b/clip']), ['a/clip', 'b/clip']);
    assert.deepEqual(distinctParts([starter, 'clip']), ['Starter', 'clip']);
    assert.deepEqual(distinctParts(['clip:', 'clip:small']), ['clip:', 'small']);
    assert.deepEqual(distinctParts([starter]), ['Starter']);
    assert.deepEqual(distinctParts(['clip', 'clip']), ['clip', 'clip']);
  });
});
