/* Turns a chart into shapes, which svg.ts and the PDF writer draw. */
import type { Words } from '../base/say';
import { english } from '../base/english';
import type { Chart, Kind } from './chart';
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
  const { items, layout } = drawers[chart.type] as Drawer<Drawn['type']>;
  return items(chart).length === 0 ? undefined : { title: titleOf(chart), ...layout(chart, width) };
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

interface Drawer<T extends Drawn['type']> {
  /** A chart without any of these is not drawn. */
  items: (chart: Kind<T>) => readonly unknown[];
  layout: (chart: Kind<T>, width: number) => Layout;
}

const drawers: { [T in Drawn['type']]: Drawer<T> } = {
  bars: { items: (chart) => chart.bars, layout: bars },
  forest: { items: (chart) => chart.bars, layout: forest },
  histogram: { items: ({ values }) => values, layout: histogram },
  outlines: { items: (chart) => chart.outlines, layout: outlines },
  ridges: { items: (chart) => chart.ridges, layout: ridges },
  ranks: { items: (chart) => chart.ranks, layout: ranks },
  sheet: { items: ({ frames }) => frames, layout: sheet },
  curves: { items: (chart) => chart.curves.flatMap(({ points }) => points), layout: curves },
  heatmap: { items: ({ values }) => values.flat().filter((value) => value !== null), layout: heatmap },
  tradeOff: { items: ({ points }) => points, layout: tradeOff },
  panel: { items: ({ chart }) => (chart.type === 'points' ? chart.points : [chart]), layout: panelChart },
};
