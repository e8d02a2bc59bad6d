import { say, type Words } from '../../base/say';

/** The names of the parts of metric ids. */
export const vislaParts: Readonly<Record<string, Words>> = {
  t2t: say('visla.captionsAlone'),
  i2t: say('visla.withImage'),
  both: say('visla.imageAndCaptions'),
  distance: say('visla.editDistance'),
  p1p2: say('visla.positives'),
  p1n: say('visla.firstAgainstNegative'),
  p2n: say('visla.secondAgainstNegative'),
  wording: say('visla.firstMinusSecond'),
  gain: say('visla.imageMinusCaptions'),
  p: say('invariance.pValue'),
  margin: say('visla.margin'),
  q10: say('visla.firstDecile'),
  median: say('visla.median'),
  q90: say('visla.lastDecile'),
  share: say('visla.share'),
  characters: say('visla.characters'),
  words: say('invariance.words'),
};

/** Bands four words wide. The last band has no upper end. */
export const wordingBands = [
  say('visla.wordsToThree'),
  say('visla.wordsToSeven'),
  say('visla.wordsToEleven'),
  say('visla.wordsFromTwelve'),
];
/** Bands ten characters wide. The last band has no upper end. */
export const letterBands = [
  say('visla.charactersToNine'),
  say('visla.charactersToNineteen'),
  say('visla.charactersToTwentyNine'),
  say('visla.charactersToThirtyNine'),
  say('visla.charactersToFortyNine'),
  say('visla.charactersFromFifty'),
];
