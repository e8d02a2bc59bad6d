/* Names of what is wrong with items. The view has them, so this module computes nothing. */
import { say, type Said } from '../../base/say';

/** The metric of each fault, and what a row with the fault says. */
export const faultMetrics = {
  duplicate: 'benchmark.duplicates',
  similar: 'benchmark.duplicates.near',
  contradiction: 'benchmark.contradictions',
  equal: 'benchmark.equal',
  long: 'benchmark.long',
  missingImage: 'benchmark.missingImages',
} as const;

export type Fault = keyof typeof faultMetrics;

export const faultNames: Readonly<Record<Fault, Said>> = {
  duplicate: say('benchmark.duplicate'),
  similar: say('benchmark.similar'),
  contradiction: say('benchmark.contradiction'),
  equal: say('benchmark.equal'),
  long: say('benchmark.long'),
  missingImage: say('benchmark.missingImage'),
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
