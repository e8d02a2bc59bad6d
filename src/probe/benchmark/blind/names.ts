import { say, type Said } from '../../../base/say';
import type { Baseline } from './baselines';

export const baselineNames: Readonly<Record<Baseline, Said>> = {
  shorter: say('benchmark.shorter'),
  longer: say('benchmark.longer'),
  first: say('benchmark.first'),
  frequency: say('benchmark.frequency'),
  typeToken: say('benchmark.typeToken'),
  unigram: say('benchmark.unigram'),
  bigram: say('benchmark.bigram'),
  lm: say('benchmark.lm'),
  lmText: say('benchmark.lmText'),
  typicality: say('benchmark.typicality'),
};
