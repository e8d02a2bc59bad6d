import { say, type Words } from '../../base/say';

/** The names of the parts of metric ids. */
export const rococoParts: Readonly<Record<string, Words>> = {
  i2t: say`Image-to-text search`,
  t2i: say`Text-to-image search`,
  text: say`Text-to-text comparison`,
  agreement: say`Agreement of encoders on the word`,
  chosen: say`Chosen word`,
  // The share of each word among all choices.
  'rococo.chosen': say`Share of choices`,
  distinct: say`number of different words`,
  influence: say`Influence of a noun`,
  least: say`least influence`,
  ...{ r1: 'R@1', r5: 'R@5', r10: 'R@10' },
  stressed: say`with altered entries`,
  dropRate: say`drop of R@1`,
  rsms: say`altered entry first`,
  closer: say`altered caption closer than the image's other captions`,
  unseen: say`altered caption equal to the caption for the evaluator`,
  given: say`Altered captions from the dataset file`,
  leastWord: say`the word with the least influence is replaced`,
  sameConcept: say`the new word has the same concept`,
  similarity: say`similarity to the altered caption`,
};
