import type { Chart } from '../src/protocol/rows';
import { escapeMarkdown, percent, plain, whole } from './format';

/** What a click on a plot, or on a line of its table, does. */
export interface PlotActions {
  filterFacet(facet: string, value: string): void;
  filterRange(low: number, high: number): void;
  open(index: number): void;
}

interface Table {
  caption: string;
  heads: string[];
  rows: { cells: string[]; act: () => void }[];
  /** What acting on a line does. */
  verb: string;
}

/** The same numbers for a text. */
export function markdownOf(chart: Chart): string {
  const nothing: PlotActions = {
    filterFacet: () => undefined,
    filterRange: () => undefined,
    open: () => undefined,
  };
  const { caption, heads, rows } = numbersOf(chart, nothing);
  const line = (cells: readonly string[]) => `| ${cells.map(escapeMarkdown).join(' | ')} |`;
  return [
    `**${escapeMarkdown(caption)}**`,
    '',
    line(heads),
    `|${heads.map(() => '---|').join('')}`,
    ...rows.map(({ cells }) => line(cells)),
    '',
  ].join('\n');
}

const pointsTold = 200;

/** What a plot shows, line by line. */
export function numbersOf(chart: Chart, actions: PlotActions): Table {
  switch (chart.type) {
    case 'histogram':
      return {
        caption: chart.title,
        heads: [
          'from',
          'to',
          ...chart.series.map(({ verdict }) => (verdict === 'none' ? 'neither' : verdict)),
        ],
        verb: 'Filter',
        rows: chart.edges.slice(1).map((edge, i) => ({
          cells: [plain(chart.edges[i]), plain(edge), ...chart.series.map(({ counts }) => whole(counts[i]))],
          act: () => {
            actions.filterRange(chart.edges[i], edge);
          },
        })),
      };
    case 'shares':
      return {
        caption: chart.title,
        heads: [chart.title, 'share right', '95 % interval (Wilson)', 'n'],
        verb: 'Filter',
        rows: chart.values.map(({ value, share, low, high, n }) => ({
          cells: [value, percent(share, 1), `[${percent(low, 1)}, ${percent(high, 1)}]`, whole(n)],
          act: () => {
            actions.filterFacet(chart.facet, value);
          },
        })),
      };
    case 'points':
      return {
        caption: `${chart.title}: ${whole(Math.min(pointsTold, chart.points.length))} of ${whole(chart.of)}`,
        heads: [chart.x.title, chart.y.title, 'result'],
        verb: 'Open',
        rows: chart.points.slice(0, pointsTold).map(({ x, y, right, index }) => ({
          cells: [plain(x), plain(y), right ? 'right' : 'wrong'],
          act: () => {
            actions.open(index);
          },
        })),
      };
  }
}
