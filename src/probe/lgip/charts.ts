import { say, type Words } from '../../base/say';
import { entryOf } from '../../base/entryOf';
import type { Chart } from '../../chart/chart';
import { barsOf, type Charted } from '../charted';
import { lackingGround } from '../ground';
import type { Metric } from '../metric';
import { wholeMetric } from '../view';
import { lgipParts } from './names';
import type { LgipRow } from './row';
import { lgipView } from './view';
import { relativeId } from '../../protocol/parts/spreads';

/** Charts of the share of caught flips by type and by strength, and of the distribution of gaps. */
export async function lgipCharts(
  { metrics }: Charted,
  rows: AsyncIterable<LgipRow>,
): Promise<Chart<Words>[]> {
  const gaps: number[] = [];
  for await (const { variants } of rows) {
    for (const { family, gap } of variants) if (family === 'flip' && gap !== undefined) gaps.push(gap);
  }
  const nameOf = ({ id }: Metric) => entryOf(lgipParts, id.slice('lgip.pr.'.length)) ?? id;
  const caught = (title: Words, suffixes: readonly string[]): Chart<Words> => {
    const found = suffixes.flatMap((suffix) => wholeMetric(metrics, `lgip.pr.${suffix}`) ?? []);
    return { type: 'bars', title, bars: barsOf(found, nameOf), axis: say('lgip.axisCaught'), reference: 0.5 };
  };
  return [
    caught(say('lgip.typeChart'), ['object', 'color', 'number']),
    caught(say('lgip.strengthChart'), ['weak', 'medium', 'strong']),
    { type: 'histogram', title: say('lgip.gapChart'), axis: say('lgip.axisCaughtAboveZero'), values: gaps },
  ];
}

/** Invariance error against sensitivity, for several evaluators. */
export function lgipTradeOff(reports: readonly Charted[]): Chart<Words>[] {
  // Evaluators with different scales have only relative metrics here.
  const inSpreads = reports.every(
    ({ metrics }) => wholeMetric(metrics, relativeId('lgip.inv')) !== undefined,
  );
  const unit = inSpreads ? ', in spreads' : '';
  const points = reports.flatMap(({ evaluator, metrics }) => {
    const [inv, sens] = ['lgip.inv', 'lgip.sens'].map((id) =>
      wholeMetric(metrics, inSpreads ? relativeId(id) : id),
    );
    if (inv?.value == null || sens?.value == null) return [];
    const groundless = lackingGround(lgipView, metrics, 'lgip.inv') !== undefined;
    return [{ name: evaluator.name, x: inv.value, y: sens.value, xci: inv.ci, yci: sens.ci, groundless }];
  });
  if (points.length < 2) return [];
  return [
    {
      type: 'tradeOff',
      title: 'Invariance and sensitivity: the line connects evaluators that no other evaluator beats on both',
      x: `invariance error${unit} (lower is better)`,
      y: `sensitivity${unit} (higher is better)`,
      points,
    },
  ];
}
