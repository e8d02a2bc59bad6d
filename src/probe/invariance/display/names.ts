import { say, type Words } from '../../../base/say';
import { keepFlipsNames } from '../../filter/names';
import { bins, categories } from '../row';

export const cardGroups = {
  spatial: say('invariance.imageChanges'),
  societal: say('invariance.invisiblePropertyWords'),
} as const;
export const cardTitles: Readonly<Record<string, Words>> = {
  vflip: say('invariance.familyUpsideDown'),
  hflip: say('invariance.familyMirrored'),
  rotation: say('invariance.familyRotated'),
  reposition: say('invariance.familyMoved'),
  blur: say('invariance.familyBlurred'),
  cultural: say('invariance.familyCulture'),
  economic: say('invariance.familyWealth'),
  gender: say('invariance.familyGender'),
  emotion: say('invariance.familyEmotion'),
  sociopolitical: say('invariance.familyPolitics'),
  neutral: say('invariance.familyNeutral'),
};
export const corners: Readonly<Record<string, Words>> = {
  tl: say('invariance.moveTopLeft'),
  tr: say('invariance.moveTopRight'),
  bl: say('invariance.moveBottomLeft'),
  br: say('invariance.moveBottomRight'),
};

const size = say('invariance.medianChangeSize');

/** The gap of the verdicts on swaps, in units of the score. */
export const rangeGapId = 'invariance.rangeGap';

/**
 * Names of metrics and of the parts of metric ids. Metrics with a card have separate names here, because
 * titles of cards do not say "median size of the change".
 */
export const invarianceParts: Readonly<Record<string, Words>> = {
  ...Object.fromEntries(
    Object.entries(cardGroups).flatMap(([axis, group]) => [
      [`invariance.${axis}.absDelta`, say('invariance.listedPair', group, size)],
      ...Object.entries(cardTitles).map(([family, title]) => [
        `invariance.${axis}.${family}.absDelta`,
        say('invariance.groupTitleAndSize', group, title, size),
      ]),
    ]),
  ),
  ...{ ...cardGroups, ...cardTitles, ...corners },
  object: say('invariance.objects'),
  withoutBlur: say('invariance.withoutBlur'),
  ...{ '-10': '−10°', '-5': '−5°', '+5': '+5°', '+10': '+10°' },
  ...{
    category: say('invariance.category'),
    coverage: say('invariance.coverage'),
    radius: say('invariance.centreDistance'),
  },
  'invariance.object.category.adjusted.p': say('invariance.categoryPValue'),
  'invariance.object.coverage.adjusted.p': say('invariance.coveragePValue'),
  // Groups of unchanged images have median scores. Medians elsewhere are changes.
  ...Object.fromEntries([
    ...bins.map((bin) => [`invariance.object.coverage.${bin}.median`, say('invariance.coverageScore', bin)]),
    ...categories.map((name) => [
      `invariance.object.category.${name}.median`,
      say('invariance.categoryScore', name),
    ]),
  ]),
  balance: say('invariance.categorySizeCells'),
  balanced: say('invariance.balancedMeanScore'),
  mean: say('invariance.meanScore'),
  median: say('invariance.medianChangePercent'),
  absMedian: say('invariance.medianChangeSizePercent'),
  delta: say('invariance.medianChange'),
  absDelta: size,
  meanAbsDelta: say('invariance.meanChangeSize'),
  cliff: 'Cliff’s δ',
  p: say('invariance.pValue'),
  beta1: 'β₁',
  between: say('invariance.variantDifference'),
  ...keepFlipsNames,
  rangeGap: say('invariance.rangeGapTitle'),
  gap: say('invariance.widestWordDifference'),
  contrast: say('invariance.wordDifferencePercent'),
  contrastDelta: say('invariance.wordDifference'),
  valence: say('invariance.kindnessCorrelation'),
  ...{ word: say('invariance.wordAlone'), phrase: say('invariance.wordWithObject') },
  ...Object.fromEntries(
    ['0.3', '0.5', '0.7', '1.0'].map((gap) => [`rrf@${gap}`, say('invariance.flipRiskAtGap', gap)]),
  ),
};
