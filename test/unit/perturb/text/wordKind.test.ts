import assert from 'node:assert/strict';
import { tag } from '../../../../src/perturb/text/tagger';
import { wordKindAt } from '../../../../src/perturb/text/wordKind';

/** Each word with its kind. */
function kindsOf(caption: string): string {
  const tokens = tag(caption)!;
  return tokens
    .flatMap((token, at) => (token.pos === 'PUNCT' ? [] : [`${token.text}=${wordKindAt(tokens, at)}`]))
    .join(' ');
}

describe('the kind of a word', () => {
  for (const [caption, expected] of [
    [
      'A red bus is standing next to two large trees.',
      'A=function red=color bus=noun is=function standing=verb next=relation to=relation two=number large=adjective trees=noun',
    ],
    ['An orange on a plate.', 'An=function orange=noun on=relation a=function plate=noun'],
    ['An orange cat.', 'An=function orange=color cat=noun'],
    [
      'Several people in front of the house.',
      'Several=number people=noun in=relation front=relation of=relation the=function house=noun',
    ],
  ])
    it(`of each word of "${caption}"`, () => {
      assert.equal(kindsOf(caption), expected);
    });
});
