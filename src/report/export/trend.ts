import { pValueText } from '../../base/pValue';
import { endsOf, figure } from '../figures';
import type { Trend } from '../trend/trend';
import { drawn } from './chartMarkup';
import { quote } from './csv';
import { htmlTable, page } from './page';

export const trendForms = ['html', 'csv'] as const;

export function trendCsv({ metric, steps }: Trend): string {
  const head = 'metric,step,value,low,high,change,change_p,change_p_adjusted,verdict,in_best';
  const lines = steps.map(({ step, value, band, change, inBest }) =>
    [
      ...[metric, step, value, band?.[0], band?.[1]],
      ...[change?.difference, change?.pValue, change?.adjusted, change?.verdict, inBest],
    ]
      .map((cell) => quote(cell))
      .join(','),
  );
  return [head, ...lines].map((line) => `${line}\r\n`).join('');
}

/** A page with a chart of the metric and its band, and the table of the steps. */
export function trendPage(probe: string, { metric, steps, best }: Trend): string {
  const points = steps.map(({ step, value, band }) => ({ x: step, y: value, ...(band && { ci: band }) }));
  const chart = drawn([
    {
      type: 'curves',
      title: `${metric} by step`,
      axes: { x: 'step', y: metric },
      // The axis names the metric, so the curve needs no name.
      curves: [{ name: '', points }],
    },
  ]);
  const columns = ['step', 'value', '95 % band', 'change', 'adjusted p'].map((title) => ({
    title,
    number: true,
  }));
  const rows = steps.map(({ step, value, band, change, inBest, groundless }) => [
    String(step),
    figure(value, band),
    endsOf(band),
    change === undefined ? '' : figure(change.difference, change.ci),
    change === undefined ? '' : pValueText(change.adjusted),
    change === undefined || change.verdict === 'undecided' ? '' : change.verdict,
    groundless ? 'at chance level' : step === best ? 'best' : inBest ? 'not apart from the best' : '',
  ]);
  return page(`${probe}: ${metric}`, [
    chart.join('\n'),
    htmlTable([...columns, { title: '' }, { title: '' }], rows),
    '<p>The bands hold for all steps together with 95 %. Change k is tested on the same images with the share 1 / (k (k + 1)) of the level of 0.05, so the series may be looked at after each step.</p>',
  ]);
}
