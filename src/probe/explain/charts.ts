import { say, type Words } from '../../base/say';
import type { Chart } from '../../chart/chart';
import { wordKinds } from '../../perturb/words/wordKinds';
import { barsOf, type Charted } from '../charted';
import type { Metric } from '../metric';
import { wholeMetric } from '../view';
import { kindNames, thirdNames } from './names';
import { thirds } from './row';

/** The mean influence by kind of word, by position, and of the words that move the score most. */
export function explainCharts({ metrics }: Charted): Promise<Chart<Words>[]> {
  const whole = (id: string): Metric[] => [wholeMetric(metrics, id)].flatMap((one) => one ?? []);
  const chart = (title: Words, bars: ReturnType<typeof barsOf>): Chart<Words>[] =>
    bars.length === 0 ? [] : [{ type: 'bars', title, bars, axis: say('explain.influence') }];
  return Promise.resolve([
    ...chart(
      say('explain.byKind'),
      wordKinds.flatMap((kind) => barsOf(whole(`explain.word.${kind}`), () => kindNames[kind])),
    ),
    ...chart(
      say('explain.shapleyByKind'),
      wordKinds.flatMap((kind) => barsOf(whole(`explain.shapley.${kind}`), () => kindNames[kind])),
    ),
    ...chart(
      say('explain.byPosition'),
      thirds.flatMap((third) => barsOf(whole(`explain.position.${third}`), () => thirdNames[third])),
    ),
    ...chart(
      say('explain.singleWords'),
      barsOf(
        metrics.filter(({ id, slice }) => id === 'explain.word' && slice?.word !== undefined),
        ({ slice }) => String(slice!.word),
      ),
    ),
  ]);
}
