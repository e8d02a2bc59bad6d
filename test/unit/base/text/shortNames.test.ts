import assert from 'node:assert/strict';
import { shortNames } from '../../../../src/base/text/shortNames';

describe('short names of evaluators', () => {
  const starter = 'Starter (ImageNet + MiniLM, not CLIP)';

  it('leave out an end in parentheses', () => {
    assert.deepEqual(shortNames([starter, 'clip']), ['Starter', 'clip']);
    assert.deepEqual(shortNames([starter, starter]), ['Starter', 'Starter']);
    assert.deepEqual(shortNames(['(unnamed)']), ['(unnamed)']);
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
});
