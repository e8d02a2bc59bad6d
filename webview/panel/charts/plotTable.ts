import type { Chart } from '../../../src/protocol/parts/chart';
import { button, table } from '../../base/dom';
import { numbersOf, type PlotActions } from './plotNumbers';
import { localized, localNumber } from '../../base/words';

/** The numbers of a chart as a table. The button of a row does what a click on the chart does. */
export function tableOf(chart: Chart, actions: PlotActions): HTMLElement {
  const { caption, heads, rows, verb } = numbersOf(chart, actions, localized);
  const hasButtons = rows.some(({ act }) => act !== undefined);
  return table(
    [...heads, ...(hasButtons ? [''] : [])],
    rows.map(({ cells, act }) => [
      ...cells.map(localNumber),
      ...(act === undefined ? [] : [button(verb, act, { class: 'link' })]),
    ]),
    caption,
  );
}
