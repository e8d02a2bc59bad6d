import assert from 'node:assert/strict';
import { contentHash } from '../../../../src/audit/resume/contentHash';
import { prepareBeside } from '../../../../src/probe/invariance/plan/beside';

describe('the hash of what a probe read besides the dataset', () => {
  it('is undefined without further files', () => {
    assert.equal(contentHash(undefined), undefined);
  });

  it('depends on the content at any depth, and on nothing else', () => {
    const read = (box: number[]) => ({
      words: ['a'],
      images: new Map([['1.jpg', { instances: [{ box }] }]]),
    });
    assert.equal(contentHash(read([1, 2, 3, 4])), contentHash(read([1, 2, 3, 4])));
    assert.notEqual(contentHash(read([1, 2, 3, 4])), contentHash(read([1, 2, 3, 5])));
  });

  it('is that of the letters, however a string holds them', () => {
    const wide = Buffer.from('zebra', 'utf16le').toString('utf16le');
    assert.equal(contentHash([wide]), contentHash(['zebra']));
  });

  it('takes what the probes read', () => {
    const beside = prepareBeside({ datasetPath: 'captions.jsonl', options: {} });
    assert.match(contentHash(beside)!, /^[0-9a-f]{64}$/);
  });
});
