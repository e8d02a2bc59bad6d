import { say, type Words } from '../../../base/say';
import { bins, categories } from '../row';

export const cardGroups = {
  spatial: say`Changes of the image`,
  societal: say`Words for invisible properties`,
} as const;
export const cardTitles: Readonly<Record<string, Words>> = {
  vflip: say`Upside down`,
  hflip: say`Mirrored`,
  rotation: say`Rotated slightly`,
  reposition: say`Object moved`,
  blur: say`Blurred`,
  cultural: say`Culture words`,
  economic: say`Wealth words`,
  gender: say`Gender words`,
  emotion: say`Emotion words`,
  sociopolitical: say`Political words`,
  neutral: say`Neutral words`,
};
export const corners: Readonly<Record<string, Words>> = {
  tl: say`to the top left`,
  tr: say`to the top right`,
  bl: say`to the bottom left`,
  br: say`to the bottom right`,
};

const size = say`median size of the change`;

/**
 * Names of metrics and of the parts of metric ids. Metrics with a card have separate names here, because
 * titles of cards do not say "median size of the change".
 */
export const invarianceParts: Readonly<Record<string, Words>> = {
  ...Object.fromEntries(
    Object.entries(cardGroups).flatMap(([axis, group]) => [
      [`invariance.${axis}.absDelta`, say`${group}, ${size}`],
      ...Object.entries(cardTitles).map(([family, title]) => [
        `invariance.${axis}.${family}.absDelta`,
        say`${group}, ${title}, ${size}`,
      ]),
    ]),
  ),
  ...{ ...cardGroups, ...cardTitles, ...corners },
  object: say`Objects`,
  withoutBlur: say`Without blur`,
  ...{ '-10': '−10°', '-5': '−5°', '+5': '+5°', '+10': '+10°' },
  ...{ category: say`Category`, coverage: say`Coverage`, radius: say`Distance from the centre` },
  'invariance.object.category.adjusted.p': say`Objects, Category (adjusted for coverage), p value`,
  'invariance.object.coverage.adjusted.p': say`Objects, Coverage (adjusted for category), p value`,
  // Groups of unchanged images have median scores. Medians elsewhere are changes.
  ...Object.fromEntries([
    ...bins.map((bin) => [
      `invariance.object.coverage.${bin}.median`,
      say`Objects, Coverage, ${bin}, median score`,
    ]),
    ...categories.map((name) => [
      `invariance.object.category.${name}.median`,
      say`Objects, Category, ${name}, median score`,
    ]),
  ]),
  balance: say`images by category and size`,
  balanced: say`mean score with equal weight for each category and size`,
  mean: say`mean score`,
  median: say`median change in percent`,
  absMedian: say`median size of the change in percent`,
  delta: say`median change`,
  absDelta: size,
  meanAbsDelta: say`mean size of the change`,
  cliff: 'Cliff’s δ',
  p: say`p value`,
  beta1: 'β₁',
  between: say`difference between the variants`,
  gap: say`largest median difference between two words on the same images`,
  contrast: say`median difference on the same images, in percent`,
  contrastDelta: say`median difference on the same images`,
  valence: say`correlation of the change with how kind the word is (ρ)`,
  ...{ word: say`word alone`, phrase: say`word with its object` },
  ...Object.fromEntries(
    ['0.3', '0.5', '0.7', '1.0'].map((gap) => [
      `rrf@${gap}`,
      say`risk of a rank swap (RRF) at a score gap of ${gap} %`,
    ]),
  ),
};
