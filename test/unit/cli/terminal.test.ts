import assert from 'node:assert/strict';
import { visible } from '../../../src/cli/terminal';

describe('text for a terminal', () => {
  it('keeps no character that steers it', () => {
    const hostile = '\u001b]52;c;aGk=\u0007 \u009b2J \u001b[31m red \r over \u202e back \u007f \b';
    const shown = visible(hostile);

    assert.doesNotMatch(shown, /[\u0000-\u001f\u007f-\u009f\u202e]/);
    assert.match(shown, /^\\u001b\]52;c;aGk=\\u0007 \\u009b2J \\u001b\[31m red \\u000d over/);
    assert.equal(visible('a café,\tvier 😀\n'), 'a café,\tvier 😀\n');
  });

  it('leaves JSON the same value', () => {
    const value = { text: '\u001b[2J \u009b1m \u2028 \u202e "\\u001b" \u007f' };
    assert.deepEqual(JSON.parse(visible(JSON.stringify(value, null, 1))), value);
  });
});
