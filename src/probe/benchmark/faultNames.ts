/* Names of what is wrong with items. The view has them, so this module computes nothing. */
import { say, type Said } from '../../base/say';

/** The metric of each fault, and what a row with the fault says. */
export const faultMetrics = {
  duplicate: 'benchmark.duplicates',
  similar: 'benchmark.duplicates.near',
  contradiction: 'benchmark.contradictions',
  equal: 'benchmark.equal',
  otherLanguage: 'benchmark.otherLanguage',
  long: 'benchmark.long',
  longForSiglip: 'benchmark.long.siglip',
  longForLongClip: 'benchmark.long.longClip',
  missingImage: 'benchmark.missingImages',
  corruptImage: 'benchmark.corruptImages',
  sameImage: 'benchmark.images.same',
  similarImage: 'benchmark.images.near',
  leak: 'benchmark.leaks',
  leakedCaption: 'benchmark.leaks.caption',
  leakedSimilarCaption: 'benchmark.leaks.caption.near',
  leakedImage: 'benchmark.leaks.image',
  leakedSimilarImage: 'benchmark.leaks.image.near',
} as const;

export type Fault = keyof typeof faultMetrics;

export const faultNames: Readonly<Record<Fault, Said>> = {
  duplicate: say('benchmark.duplicate'),
  similar: say('benchmark.similar'),
  contradiction: say('benchmark.contradiction'),
  equal: say('benchmark.equal'),
  long: say('benchmark.long'),
  otherLanguage: say('benchmark.otherLanguage'),
  longForSiglip: say('benchmark.longForSiglip'),
  longForLongClip: say('benchmark.longForLongClip'),
  missingImage: say('benchmark.missingImage'),
  corruptImage: say('benchmark.corruptImage'),
  sameImage: say('benchmark.sameImage'),
  similarImage: say('benchmark.similarImage'),
  leak: say('benchmark.leak'),
  leakedCaption: say('benchmark.leakedCaption'),
  leakedSimilarCaption: say('benchmark.leakedSimilarCaption'),
  leakedImage: say('benchmark.leakedImage'),
  leakedSimilarImage: say('benchmark.leakedSimilarImage'),
};

/** The metrics of several evaluators that are numbers of items. */
const ofEvaluators = [
  'benchmark.allRight',
  'benchmark.allWrong',
  'benchmark.suspects',
  'benchmark.subset.size',
];

/** The number of items with at least one fault. */
export const faultyMetric = 'benchmark.faulty';

/** Whether a metric is a number of items. */
export function isCount(id: string): boolean {
  return id === faultyMetric || Object.values<string>(faultMetrics).includes(id) || ofEvaluators.includes(id);
}
