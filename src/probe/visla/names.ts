import { say, type Words } from '../../base/say';

/** The names of the parts of metric ids. */
export const vislaParts: Readonly<Record<string, Words>> = {
  t2t: say`From the captions alone`,
  i2t: say`With the image`,
  both: say`With the image and from the captions`,
  distance: say`Edit distance`,
  p1p2: say`P1 and P2`,
  p1n: say`P1 against N`,
  p2n: say`P2 against N`,
  wording: say`P1 minus P2`,
  gain: say`image minus captions`,
  p: say`p value`,
  margin: say`Margin`,
  q10: say`first decile`,
  median: say`median`,
  q90: say`last decile`,
  share: say`share`,
  characters: say`characters`,
  words: say`words`,
};

/** Bands four words wide. The last band has no upper end. */
export const wordingBands = [say`0–3 words`, say`4–7 words`, say`8–11 words`, say`12 words or more`];
/** Bands ten characters wide. The last band has no upper end. */
export const letterBands = [
  say`0–9 characters`,
  say`10–19 characters`,
  say`20–29 characters`,
  say`30–39 characters`,
  say`40–49 characters`,
  say`50 characters or more`,
];
