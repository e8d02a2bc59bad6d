import { say, type Words } from '../../base/say';
import { keepFlipsNames } from '../filter/names';

export const kinds: Readonly<Record<string, Words>> = {
  color: say('lgip.kindColour'),
  number: say('lgip.kindNumber'),
  object: say('lgip.kindObject'),
  template: say('lgip.template'),
  passive: say('lgip.passive'),
  synonym: say('lgip.synonym'),
  restructure: say('lgip.restructure'),
};

/** The names of the parts of metric ids. */
export const lgipParts: Readonly<Record<string, Words>> = {
  inv: say('lgip.invarianceError'),
  sens: say('lgip.sensitivity'),
  margin: say('lgip.sensitivityMinusError'),
  pr: say('lgip.flipsCaught'),
  coverage: say('lgip.captionsWithVariants'),
  beyond: say('lgip.extraFlips'),
  paraphrase: say('lgip.paraphrase'),
  flip: say('lgip.flip'),
  simple: say('lgip.simpleParaphrases'),
  advanced: say('lgip.advancedParaphrases'),
  advancedIncrease: say('lgip.advancedIncrease'),
  pooled: say('lgip.variantsPooled'),
  ...{ object: say('lgip.kindObject'), color: say('lgip.kindColour'), number: say('lgip.kindNumber') },
  ...{ weak: say('lgip.weakFlips'), medium: say('lgip.mediumFlips'), strong: say('lgip.strongFlips') },
  weighted: say('lgip.weightedByStrength'),
  combined: say('lgip.flippedParaphrases'),
  vsParaphrase: say('lgip.againstParaphrase'),
  ...keepFlipsNames,
};

const lengthBands = [
  { name: '1–8 words', below: 9 },
  { name: '9–11 words', below: 12 },
  { name: '12–15 words', below: 16 },
  { name: '16 words or more', below: Infinity },
] as const;

export function lengthBand(words: number): string {
  return lengthBands.find(({ below }) => words < below)!.name;
}
