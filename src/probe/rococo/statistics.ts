import type { Steps } from '../../base/turns/steps';
import { smallest } from '../../base/extent';
import type { Evaluator } from '../../evaluator/evaluator';
import { type Clusters, Figure } from '../figure';
import type { Metric } from '../metric';
import { chooseNoun, lowest, type WeighedCaption } from './influence';

/** The mean edit influence (EI) of all nouns, and of each caption's noun with the lowest EI. */
export function* influenceMetrics(
  evaluator: Evaluator,
  captions: readonly WeighedCaption[],
  clusters: Clusters,
): Steps<Metric[]> {
  const all = new Figure();
  const least = new Figure();
  for (const { example, influence } of captions) {
    const values = (influence.get(evaluator) ?? []).filter((value) => !Number.isNaN(value));
    if (values.length === 0) continue;
    const cluster = clusters.of(example);
    for (const value of values) all.add(value, cluster);
    least.add(smallest(values), cluster);
  }
  return [yield* all.metric('rococo.influence'), yield* least.metric('rococo.influence.least')];
}

/** How many of the most frequently chosen nouns have a metric each. */
const named = 20;

/** Fig. 11 of the paper: how many evaluators agree on the least influential noun, and on each word. */
export function agreementMetrics(captions: readonly WeighedCaption[], seed: number): Metric[] {
  const agreeing = new Map<number, number>();
  const words = new Map<string, number>();
  let voters = 0;
  let n = 0;
  for (const caption of captions) {
    const choice = chooseNoun(caption, seed);
    if (choice === undefined) continue;
    n++;
    voters = Math.max(voters, choice.voters);
    agreeing.set(choice.votes, (agreeing.get(choice.votes) ?? 0) + 1);
    const word = caption.nouns[choice.noun].lower;
    words.set(word, (words.get(word) ?? 0) + 1);
  }
  if (n === 0) return [];
  const metrics: Metric[] = [];
  for (let votes = 1; voters > 1 && votes <= voters; votes++) {
    metrics.push({
      id: 'rococo.agreement',
      value: (agreeing.get(votes) ?? 0) / n,
      n,
      slice: { encoders: votes },
    });
  }
  metrics.push({ id: 'rococo.chosen.distinct', value: words.size, n });
  const common = [...words].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).slice(0, named);
  for (const [word, count] of common)
    metrics.push({ id: 'rococo.chosen', value: count / n, n, slice: { word } });
  return metrics;
}

/** Whether the word is among those with the least influence on an evaluator; undefined if unknown. */
export function isLeast(caption: WeighedCaption, evaluator: Evaluator, word: string): boolean | undefined {
  const influence = caption.influence.get(evaluator);
  if (influence === undefined || lowest(influence).length === 0) return undefined;
  return lowest(influence).some((noun) => caption.nouns[noun].lower === word.toLowerCase());
}
