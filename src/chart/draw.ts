/* Turns a chart into shapes, which svg.ts and the PDF writer draw. */
import type { Words } from '../base/say';
import { english } from '../base/english';
import type { Chart } from './chart';
import type { Drawing } from './drawing';
import { bars, forest, ranks } from './kinds/bars';
import { curves } from './kinds/curves';
import { histogram, outlines, ridges } from './kinds/distributions';
import { heatmap } from './kinds/heatmap';
import { panelChart } from './kinds/panel';
import { sheet } from './kinds/sheet';
import { tradeOff } from './kinds/tradeOff';
import type { Layout } from './layout';

/** Charts that consist of text. `draw` does not accept them. */
export type TextChart<T extends Words = string> = Extract<Chart<T>, { type: 'table' | 'texts' }>;
export type Drawn<T extends Words = string> = Exclude<Chart<T>, TextChart<T>>;

export function isText<T extends Words>(chart: Chart<T>): chart is TextChart<T> {
  return chart.type === 'table' || chart.type === 'texts';
}

export const pageWidth = 460;

/** Draws a chart. Returns undefined if the chart has no values. */
export function draw(chart: Drawn, width = pageWidth): Drawing | undefined {
  if (isEmpty(chart)) return undefined;
  return { title: titleOf(chart), ...layout(chart, width) };
}

/** Whether a chart needs the width of two columns. */
export function isWide(chart: Drawn): boolean {
  return (
    chart.type === 'sheet' ||
    (chart.type === 'heatmap' && (draw(chart, 0)?.width ?? 0) > pageWidth) ||
    (chart.type === 'curves' && chart.curves.length > 3)
  );
}

function titleOf(chart: Drawn): string {
  if (chart.type === 'histogram') return `${chart.title} (${chart.values.length})`;
  if (chart.type !== 'panel') return chart.title;
  const { chart: own } = chart;
  const isPart = own.type === 'points' && own.of > own.points.length;
  return `${english(own.title)}${isPart ? ` (${own.points.length} of ${own.of})` : ''}`;
}

function isEmpty(chart: Drawn): boolean {
  switch (chart.type) {
    case 'bars':
    case 'forest':
      return chart.bars.length === 0;
    case 'histogram':
      return chart.values.length === 0;
    case 'outlines':
      return chart.outlines.length === 0;
    case 'ridges':
      return chart.ridges.length === 0;
    case 'ranks':
      return chart.ranks.length === 0;
    case 'sheet':
      return chart.frames.length === 0;
    case 'curves':
      return chart.curves.every(({ points }) => points.length === 0);
    case 'heatmap':
      return chart.values.flat().every((value) => value === null);
    case 'tradeOff':
      return chart.points.length === 0;
    case 'panel':
      return chart.chart.type === 'points' && chart.chart.points.length === 0;
  }
}

function layout(chart: Drawn, width: number): Layout {
  switch (chart.type) {
    case 'bars':
      return bars(chart, width);
    case 'forest':
      return forest(chart, width);
    case 'histogram':
      return histogram(chart, width);
    case 'outlines':
      return outlines(chart, width);
    case 'ridges':
      return ridges(chart, width);
    case 'ranks':
      return ranks(chart, width);
    case 'sheet':
      return sheet(chart, width);
    case 'curves':
      return curves(chart, width);
    case 'heatmap':
      return heatmap(chart, width);
    case 'tradeOff':
      return tradeOff(chart, width);
    case 'panel':
      return panelChart(chart, width);
  }
}
