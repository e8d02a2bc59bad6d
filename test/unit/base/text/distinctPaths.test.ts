import assert from 'node:assert/strict';
import { distinctNames } from '../../../../src/base/text/distinctPaths';

describe('names of datasets', () => {
  it('have as many folders as tell files of one name apart', () => {
    const paths = ['/w/a/captions.json', '/w/b/captions.json', '/w/a/pairs.tsv', '/w/a/captions.json'];
    assert.deepEqual(paths.map(distinctNames(paths)), [
      'a/captions.json',
      'b/captions.json',
      'pairs.tsv',
      'a/captions.json',
    ]);
  });
});
