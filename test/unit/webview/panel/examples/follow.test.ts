import assert from 'node:assert/strict';
import type { Selection } from '../../../../../src/protocol/rows';
import { Follower } from '../../../../../webview/panel/examples/follow';

const selection: Selection = { text: '', facets: {}, sort: 'worst' };
const list = [{ index: 7 }, { index: 3 }];

describe('the open example', () => {
  it('is always one of the filtered list, stays if the list has it, and closes with an empty list', () => {
    const opened: (number | undefined)[] = [];
    const follower = new Follower((index) => opened.push(index));
    follower.follow({ ...selection, text: 'a' }, 3, list);
    follower.follow({ ...selection, text: 'b' }, 5, list);
    follower.follow({ ...selection, text: 'c' }, 5, []);
    follower.follow({ ...selection, text: 'd' }, undefined, list);
    assert.deepEqual(opened, [7, undefined]);
  });

  it('stays when only the order changes', () => {
    const follower = new Follower(() => assert.fail('opened another example'));
    follower.follow({ ...selection, text: 'a' }, 3, list);
    follower.follow({ ...selection, text: 'a', sort: 'file' }, 3, [{ index: 9 }]);
  });
});
