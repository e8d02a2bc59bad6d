import { say, type Words } from '../../base/say';

export const kinds: Readonly<Record<string, Words>> = {
  color: say`colour`,
  number: say`number`,
  object: say`object`,
  template: say`template`,
  passive: say`passive`,
  synonym: say`synonym`,
  restructure: say`restructure`,
};

/** The names of the parts of metric ids. */
export const lgipParts: Readonly<Record<string, Words>> = {
  inv: say`Invariance error`,
  sens: say`Sensitivity`,
  margin: say`Sensitivity minus invariance error`,
  pr: say`Flips caught`,
  coverage: say`Share of captions with variants`,
  beyond: say`Flips not in the paper`,
  paraphrase: say`paraphrase`,
  flip: say`flip`,
  simple: say`simple paraphrases`,
  advanced: say`advanced paraphrases`,
  advancedIncrease: say`increase from simple to advanced paraphrases`,
  pooled: say`all variants pooled`,
  ...{ object: say`object`, color: say`colour`, number: say`number` },
  ...{ weak: say`weak flips`, medium: say`medium flips`, strong: say`strong flips` },
  weighted: say`weighted by strength`,
  combined: say`flipped paraphrases`,
  vsParaphrase: say`against the paraphrase`,
};
