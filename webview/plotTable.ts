import type { Chart } from '../src/protocol/rows';
import { button, table } from './dom';
import { percent, plain, whole } from './format';
import type { PlotActions } from './plots';

/** The same numbers for those who read or who cannot point; its buttons do what a click on the plot does. */
export function tableOf(chart: Chart, actions: PlotActions): HTMLElement {
  switch (chart.type) {
    case 'histogram':
      return table(
        ['from', 'to', ...chart.series.map(({ verdict }) => (verdict === 'none' ? 'neither' : verdict)), ''],
        chart.edges.slice(1).map((edge, i) => [
          plain(chart.edges[i]),
          plain(edge),
          ...chart.series.map(({ counts }) => whole(counts[i])),
          button(
            'Filter',
            () => {
              actions.filterRange(chart.edges[i], chart.edges[i + 1]);
            },
            { class: 'link' },
          ),
        ]),
        chart.title,
      );
    case 'shares':
      return table(
        [chart.title, 'share right', '95 % interval (Wilson)', 'n', ''],
        chart.values.map(({ value, share, low, high, n }) => [
          value,
          percent(share, 1),
          `[${percent(low, 1)}, ${percent(high, 1)}]`,
          whole(n),
          button(
            'Filter',
            () => {
              actions.filterFacet(chart.facet, value);
            },
            { class: 'link' },
          ),
        ]),
        chart.title,
      );
    case 'points':
      return table(
        [chart.x.title, chart.y.title, 'result', ''],
        chart.points.slice(0, 200).map(({ x, y, right, index }) => [
          plain(x),
          plain(y),
          right ? 'right' : 'wrong',
          button(
            'Open',
            () => {
              actions.open(index);
            },
            { class: 'link' },
          ),
        ]),
        `${chart.title}: ${whole(Math.min(200, chart.points.length))} of ${whole(chart.of)}`,
      );
  }
}
