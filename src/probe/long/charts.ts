import { say, type Words } from '../../base/say';
import type { Chart } from '../../chart/chart';
import type { Charted } from '../charted';
import { barsOf } from '../charted';
import { metricOf, type Metric } from '../metric';
import { wholeMetric } from '../view';
import { longBands, longKinds } from './names';

const deciles = Array.from({ length: 10 }, (_, at) => at + 1);

/** The detection rate over the position of the error, with the bands of its intervals, and by kind and length. */
export function longCharts({ metrics }: Charted): Promise<Chart<Words>[]> {
  const points = deciles.flatMap((x) => {
    const { value = null, ci } = wholeMetric(metrics, `long.pr.position.${x}`) ?? {};
    return value === null ? [] : [{ x, y: value, ...(ci === undefined ? {} : { ci }) }];
  });
  const sliced = (key: string, names: readonly string[]): Metric[] =>
    names.flatMap((name) => metricOf(metrics, 'long.pr', { [key]: name }) ?? []);
  const bars = (title: Words, own: readonly Metric[], name: (metric: Metric) => Words): Chart<Words>[] =>
    own.length === 0
      ? []
      : [{ type: 'bars', title, bars: barsOf(own, name), axis: say('long.axisDetected') }];
  return Promise.resolve([
    ...(points.length === 0
      ? []
      : [
          {
            type: 'curves' as const,
            title: say('long.positionChart'),
            axes: {
              x: say('long.axisTenth'),
              y: say('long.axisDetected'),
              ticks: deciles.map((x) => ({ x, name: String(x) })),
            },
            curves: [{ name: say('long.errorsDetected'), points }],
          },
        ]),
    ...bars(
      say('long.kindChart'),
      sliced('error', Object.keys(longKinds)),
      ({ slice }) => longKinds[String(slice!.error)],
    ),
    ...bars(say('long.lengthChart'), sliced('caption length', longBands), ({ slice }) =>
      String(slice!['caption length']),
    ),
  ]);
}
