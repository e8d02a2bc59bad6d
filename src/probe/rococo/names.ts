import { say, type Words } from '../../base/say';

/** The names of the parts of metric ids. */
export const rococoParts: Readonly<Record<string, Words>> = {
  i2t: say('rococo.imageToTextSearch'),
  t2i: say('rococo.textToImageSearch'),
  text: say('rococo.textComparison'),
  agreement: say('rococo.encoderAgreement'),
  chosen: say('rococo.chosenWord'),
  // The share of each word among all choices.
  'rococo.chosen': say('rococo.choiceShare'),
  distinct: say('rococo.distinctWords'),
  influence: say('rococo.nounInfluence'),
  least: say('rococo.leastInfluence'),
  ...{ r1: 'R@1', r5: 'R@5', r10: 'R@10' },
  stressed: say('rococo.withAlteredEntries'),
  dropRate: say('rococo.recallDrop'),
  rsms: say('rococo.alteredFirst'),
  closer: say('rococo.alteredCloser'),
  words: say('rococo.byWordsInCommon'),
  control: say('rococo.inHalves'),
  'rococo.control.altered': say('rococo.lostToAltered'),
  'rococo.control.others': say('rococo.lostToOthers'),
  'rococo.control.difference': say('rococo.lostMore'),
  unseen: say('rococo.alteredUnseen'),
  given: say('rococo.alteredFromFile'),
  leastWord: say('rococo.leastInfluentialReplaced'),
  sameConcept: say('rococo.sameConcept'),
  similarity: say('rococo.alteredSimilarity'),
};
