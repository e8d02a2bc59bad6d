import assert from 'node:assert/strict';
import type { RococoRow } from '../../../../src/probe/rococo/row';
import { rococoRows } from '../../../../src/probe/rococo/rowView';

describe('the lists of RoCOCO’s rows', () => {
  /** The result of a search for captions whose first result is of this kind. */
  function verdictOf(kind: 'true' | 'other' | 'altered', rsms: number) {
    const first = [{ text: 'a', score: 0.4, kind }];
    const row = { kind: 'image', caption: 'b', score: 0.3, lists: [{ source: 'file', rsms, first }] };
    return rococoRows.facts(row as unknown as RococoRow)[0].verdict;
  }

  it('are right only if a caption of the image is first', () => {
    assert.equal(verdictOf('true', 0), 'right');
    assert.equal(verdictOf('other', 0), 'none');
    assert.equal(verdictOf('altered', 1), 'wrong');
    assert.equal(verdictOf('altered', 0.5), 'tie');
  });
});
