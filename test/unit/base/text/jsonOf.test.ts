import assert from 'node:assert/strict';
import fc from 'fast-check';
import { NotJson, wordsOf } from '../../../../src/base/errors';
import { type Code, say } from '../../../../src/base/say';
import { jsonOf } from '../../../../src/base/text/jsonOf';

function faultOf(text: string): unknown {
  try {
    return { value: jsonOf(text) };
  } catch (error) {
    return wordsOf(error);
  }
}

const at = (code: Code, character: number) => say('base.jsonAtCharacter', say(code), character);

describe('a text that is not JSON', () => {
  it('has its first mistake and its place, in words of Captious', () => {
    assert.deepEqual(faultOf('{"a": 1}'), { value: { a: 1 } });
    assert.deepEqual(faultOf('{"a" 1}'), at('base.jsonColonExpected', 6));
    assert.deepEqual(faultOf('[1 2]'), at('base.jsonCommaExpected', 4));
    assert.deepEqual(faultOf('[1]]\n'), at('base.jsonEndExpected', 4));
    assert.deepEqual(faultOf('{a: 1}'), at('base.jsonSymbolInvalid', 2));
    assert.deepEqual(faultOf('{"a": 1,}'), at('base.jsonKeyExpected', 9));
    assert.deepEqual(faultOf('["\t"]'), at('base.jsonCharacterInvalid', 2));
    assert.deepEqual(
      faultOf('{\n  "a": 1\n  "b": 2\n}'),
      say('base.jsonAtPlace', say('base.jsonCommaExpected'), 3, 3),
    );
  });

  it('ends too early if it was cut off', () => {
    for (const text of ['', '{"a": ', '[1, 2', '{"a": "b', '{\n "a": [1,\n'])
      assert.deepEqual(faultOf(text), say('base.jsonEnds'), text);
  });

  it('has a place whatever was deleted, added or replaced', () => {
    const text = JSON.stringify({ a: [1, -2.5e3, 'x\n"ü"', null, true], b: { c: [] } }, null, 1);
    const edit = fc.record({
      from: fc.nat(text.length),
      gone: fc.nat(3),
      added: fc.string({ maxLength: 3, unit: 'binary' }),
    });
    fc.assert(
      fc.property(edit, ({ from, gone, added }) => {
        try {
          jsonOf(text.slice(0, from) + added + text.slice(from + gone));
        } catch (error) {
          assert.ok(error instanceof NotJson);
        }
      }),
      { numRuns: 3000 },
    );
  });
});
