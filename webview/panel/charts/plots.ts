import {
  BarController,
  BarElement,
  CategoryScale,
  Chart as Drawing,
  type ChartConfiguration,
  LinearScale,
  PointElement,
  ScatterController,
  Tooltip,
} from 'chart.js';
import type { Chart, ChartOf } from '../../../src/protocol/parts/chart';
import type { Colours } from './colours';
import { onAxis, percent, plain, shortened, whole, wrapped } from '../../base/format';
import { intervalText, type PlotActions, verdictWords } from './plotNumbers';
import { say } from '../../../src/base/say';
import { t, localized, localNumber } from '../../base/words';
import { diagonal, level, whiskers, zeroLine } from './plotLines';

Drawing.register(
  BarController,
  BarElement,
  CategoryScale,
  LinearScale,
  PointElement,
  ScatterController,
  Tooltip,
);

export function configure(
  chart: Chart,
  colours: Colours,
  actions: PlotActions,
  size: number,
): ChartConfiguration {
  switch (chart.type) {
    case 'histogram':
      return histogram(chart, colours, actions, size);
    case 'shares':
      return shares(chart, colours, actions, size);
    case 'points':
      return points(chart, colours, actions, size);
    case 'versus':
      return versus(chart, colours, actions, size);
  }
}

function tickStyle(colours: Colours, size: number): object {
  return {
    color: colours.quiet,
    font: { family: colours.font, size },
    callback: (value: number, _at: number, all: readonly { value: number }[]) =>
      onAxis(all.map((tick) => tick.value))(value),
  };
}

/** How many letters of an axis title fit on one line of the smallest square or wide chart. Chart.js squeezes longer lines. */
const [lettersInSquare, lettersInWide] = [36, 60];

function axis(title: string, colours: Colours, size: number, fits = Infinity): object {
  const font = { family: colours.font, size };
  return {
    title: { display: title !== '', text: wrapped(title, fits), color: colours.quiet, font },
    ticks: tickStyle(colours, size),
    grid: { color: colours.grid, lineWidth: 0.5 },
    border: { color: colours.grid },
  };
}

/** An axis for counts. Its ticks are whole numbers. */
function counted(title: string, colours: Colours, size: number): object {
  const plainAxis = axis(title, colours, size) as { ticks: object };
  return { ...plainAxis, ticks: { ...plainAxis.ticks, precision: 0, callback: whole } };
}

const still = { animation: false, responsive: true, maintainAspectRatio: false } as const;

function histogram(
  chart: ChartOf<'histogram'>,
  colours: Colours,
  actions: PlotActions,
  size: number,
): ChartConfiguration {
  const width = Number((chart.edges[1] - chart.edges[0]).toPrecision(12));
  const bars = (label: string, counts: readonly number[], colour: string) => ({
    ...{ label, backgroundColor: colour, hoverBackgroundColor: colour, stack: label, grouped: false },
    data: counts.map((n, i) => ({ x: (chart.edges[i] + chart.edges[i + 1]) / 2, y: n })),
    ...{ barPercentage: 1, categoryPercentage: 0.94 },
  });
  const all = chart.behind && bars(localized(say('panel.withoutFilter')), chart.behind, colours.behind);
  return {
    type: 'bar',
    data: {
      datasets: [
        ...chart.series.map(({ verdict, counts }) => ({
          ...bars(localized(verdictWords[verdict]), counts, colours[verdict]),
          stack: 'chosen',
        })),
        // Of a scale of its own, so that few chosen lines stay visible. Later data sets are drawn first.
        ...(all === undefined ? [] : [{ ...all, yAxisID: 'behind' }]),
      ],
    },
    options: {
      ...still,
      scales: {
        x: {
          ...axis(localized(chart.x.title), colours, size, lettersInWide),
          type: 'linear',
          offset: false,
          grid: { color: colours.grid, lineWidth: 0.5, offset: false },
          // A bar is at most as wide as the distance between two ticks, which is at least a bin then.
          ticks: { ...tickStyle(colours, size), includeBounds: false, stepSize: width },
          min: chart.edges[0],
          max: chart.edges.at(-1),
        },
        y: { ...counted(t('count'), colours, size), stacked: true },
        ...(all === undefined ? {} : { behind: { display: false, min: 0 } }),
      },
      onClick: (_event, [hit]) => {
        if (hit !== undefined)
          actions.filterRange(chart.edges[hit.index], chart.edges[hit.index + 1], chart.judged);
      },
      plugins: {
        tooltip: {
          callbacks: {
            title: ([item]) =>
              item === undefined
                ? ''
                : t('{0} to {1}', plain(chart.edges[item.dataIndex]), plain(chart.edges[item.dataIndex + 1])),
          },
        },
      },
    },
    plugins: [zeroLine(colours)],
  } as ChartConfiguration;
}

/** Names of metrics may be longer than values of a facet. */
function nameOf({ value, name }: ChartOf<'shares'>['values'][number]): string {
  return name === undefined ? shortened(localized(value)) : shortened(localized(name), 40);
}

function shares(
  chart: ChartOf<'shares'>,
  colours: Colours,
  actions: PlotActions,
  size: number,
): ChartConfiguration {
  return {
    type: 'bar',
    data: {
      labels: chart.values.map(({ value, name }) => localized(name ?? value)),
      datasets: [
        {
          label: t('right'),
          data: chart.values.map(({ share }) => share),
          backgroundColor: chart.values.map(({ pale }) => (pale ? colours.none : colours.right)),
          maxBarThickness: 22,
        },
      ],
    },
    options: {
      ...still,
      // Room for the number of the chance level.
      layout: { padding: { top: chart.chance === undefined ? 0 : size + 4 } },
      indexAxis: 'y',
      scales: {
        x: {
          ...axis(t('share right'), colours, size),
          ticks: { ...tickStyle(colours, size), callback: (value: number) => percent(value) },
          min: 0,
          max: 1,
        },
        y: {
          ...axis('', colours, size),
          ticks: {
            ...tickStyle(colours, size),
            autoSkip: false,
            callback: (_value: number, at: number) => nameOf(chart.values[at]),
          },
          grid: { display: false },
        },
      },
      onClick: (_event, [hit]) => {
        if (hit !== undefined && chart.facet !== undefined)
          actions.filterFacet(chart.facet, chart.values[hit.index].value);
      },
      plugins: {
        tooltip: {
          callbacks: {
            label: ({ dataIndex }) => {
              const { share, interval, n } = chart.values[dataIndex];
              return t(
                '{0} of {1}',
                `${percent(share, 1)} ${localNumber(intervalText(interval))}`.trim(),
                whole(n),
              );
            },
          },
        },
      },
    },
    plugins: [whiskers(chart, colours, size)],
  } as ChartConfiguration;
}

function points(
  chart: ChartOf<'points'>,
  colours: Colours,
  actions: PlotActions,
  size: number,
): ChartConfiguration {
  const [right, wrong] = [true, false].map((side) => chart.points.filter((point) => point.right === side));
  const radius = size / 4.5;
  const withBorder = chart.border === 'zero' ? { suggestedMin: 0, suggestedMax: 0 } : {};
  return {
    type: 'scatter',
    data: {
      datasets: [
        { label: t('right'), data: right, backgroundColor: colours.right, pointStyle: 'circle', radius },
        {
          label: t('wrong'),
          data: wrong,
          ...(chart.isJudged
            ? { backgroundColor: colours.wrong, pointStyle: 'triangle', radius: radius * 1.4 }
            : { backgroundColor: colours.none, pointStyle: 'circle', radius }),
        },
      ],
    },
    options: {
      ...still,
      scales: {
        x: { ...axis(localized(chart.x.title), colours, size, lettersInSquare), ...withBorder },
        y: axis(localized(chart.y.title), colours, size, lettersInSquare),
      },
      onClick: (_event, [hit]) => {
        if (hit !== undefined) actions.open((hit.datasetIndex === 0 ? right : wrong)[hit.index].index);
      },
      plugins: {
        tooltip: { callbacks: { label: ({ parsed: { x, y } }) => `${plain(x ?? 0)}, ${plain(y ?? 0)}` } },
      },
    },
    plugins: [chart.border === 'zero' ? zeroLine(colours) : diagonal(colours)],
  } as ChartConfiguration;
}

const sideStyles = {
  both: { colour: 'right', pointStyle: 'circle' },
  onlyFirst: { colour: 'right', pointStyle: 'rect' },
  onlySecond: { colour: 'wrong', pointStyle: 'triangle' },
  neither: { colour: 'wrong', pointStyle: 'rectRot' },
  none: { colour: 'none', pointStyle: 'circle' },
} as const;

/** A scatter chart of two evaluators, with lines at zero on both axes. */
function versus(
  chart: ChartOf<'versus'>,
  colours: Colours,
  actions: PlotActions,
  size: number,
): ChartConfiguration {
  const sides = Object.keys(sideStyles) as (keyof typeof sideStyles)[];
  const own = sides.map((name) => chart.points.filter(({ side = 'none' }) => side === name));
  const withZero = { suggestedMin: 0, suggestedMax: 0 };
  return {
    type: 'scatter',
    data: {
      datasets: sides.map((name, i) => ({
        label: name,
        data: own[i],
        backgroundColor: colours[sideStyles[name].colour],
        pointStyle: sideStyles[name].pointStyle,
        radius: size / 3.6,
      })),
    },
    options: {
      ...still,
      scales: {
        x: { ...axis(localized(chart.x.title), colours, size, lettersInSquare), ...withZero },
        y: { ...axis(localized(chart.y.title), colours, size, lettersInSquare), ...withZero },
      },
      onClick: (_event, [hit]) => {
        if (hit !== undefined) actions.open(own[hit.datasetIndex][hit.index].index);
      },
      plugins: {
        tooltip: { callbacks: { label: ({ parsed: { x, y } }) => `${plain(x ?? 0)}, ${plain(y ?? 0)}` } },
      },
    },
    plugins: [level(colours), zeroLine(colours)],
  } as ChartConfiguration;
}
