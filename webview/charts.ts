import {
  BarController,
  BarElement,
  CategoryScale,
  Chart as Drawing,
  type ChartConfiguration,
  LinearScale,
  type Plugin,
  PointElement,
  ScatterController,
  Tooltip,
} from 'chart.js';
import type { Chart } from '../src/protocol';
import { button, el, table } from './dom';
import { percent, plain, whole } from './format';

Drawing.register(
  BarController,
  BarElement,
  CategoryScale,
  LinearScale,
  PointElement,
  ScatterController,
  Tooltip,
);

export interface ChartActions {
  filterFacet(facet: string, value: string): void;
  filterRange(low: number, high: number): void;
  open(index: number): void;
  save(name: string, picture: Uint8Array): void;
}

interface Colours {
  text: string;
  quiet: string;
  grid: string;
  right: string;
  wrong: string;
  font: string;
}

/** Paper has no theme: pictures are saved dark on white. */
const paper: Colours = {
  text: '#222',
  quiet: '#555',
  grid: '#ddd',
  right: '#2a6fb0',
  wrong: '#c25a1a',
  font: 'Helvetica, Arial, sans-serif',
};

function themeColours(): Colours {
  const style = getComputedStyle(document.body);
  const read = (...names: string[]) =>
    names.map((name) => style.getPropertyValue(name).trim()).find((value) => value !== '') ?? style.color;
  return {
    text: read('--vscode-foreground'),
    quiet: read('--vscode-descriptionForeground', '--vscode-foreground'),
    grid: read('--vscode-charts-lines', '--vscode-contrastBorder', '--vscode-panel-border'),
    right: read('--vscode-charts-blue'),
    wrong: read('--vscode-charts-orange'),
    font: read('--vscode-font-family'),
  };
}

/** The plots of a selection: one is seen at a time, each has its table behind it, a click filters what is below. */
export class Charts {
  readonly root = el('section', { class: 'charts', 'aria-label': 'Plots' });
  private charts: readonly Chart[] = [];
  private chosen = '';
  private drawing: Drawing | undefined;
  private asTable = false;

  constructor(private readonly actions: ChartActions) {
    new MutationObserver(() => {
      this.draw();
    }).observe(document.body, { attributeFilter: ['class', 'data-vscode-theme-id'] });
  }

  show(charts: readonly Chart[]): void {
    this.charts = charts;
    if (!charts.some(({ id }) => id === this.chosen)) this.chosen = charts.at(0)?.id ?? '';
    this.draw();
  }

  private draw(): void {
    const hadFocus = this.root.contains(document.activeElement)
      ? document.activeElement?.textContent
      : undefined;
    this.drawing?.destroy();
    this.drawing = undefined;
    this.root.replaceChildren();
    const chart = this.charts.find(({ id }) => id === this.chosen);
    if (chart === undefined) return;
    const tabs = this.charts.map((other) =>
      button(
        other.title,
        () => {
          this.choose(other.id);
        },
        {
          class: 'tab',
          'aria-pressed': String(other === chart),
        },
      ),
    );
    const tools = [
      button(
        this.asTable ? 'As a plot' : 'As a table',
        () => {
          this.toggle();
        },
        { class: 'link' },
      ),
      button(
        'Save picture',
        () => {
          void this.save(chart);
        },
        { class: 'link' },
      ),
    ];
    this.root.append(el('div', { class: 'bar-of-tabs' }, ...tabs, el('span', { class: 'push' }), ...tools));
    if (this.asTable) this.root.append(tableOf(chart, this.actions));
    else {
      const canvas = el('canvas', {
        role: 'img',
        'aria-label': `${chart.title}. The same numbers are in the table behind it.`,
      });
      this.root.append(el('div', { class: 'plot' }, canvas));
      this.drawing = new Drawing(canvas, configure(chart, themeColours(), this.actions, 11));
    }
    if (hadFocus)
      [...this.root.querySelectorAll('button')].find(({ textContent }) => textContent === hadFocus)?.focus();
  }

  private choose(id: string): void {
    this.chosen = id;
    this.draw();
  }

  private toggle(): void {
    this.asTable = !this.asTable;
    this.draw();
    [...this.root.querySelectorAll('button')]
      .find(({ textContent }) => textContent?.startsWith('As a'))
      ?.focus();
  }

  /** Drawn anew for paper: twice the pixels, dark on white, no theme. */
  private async save(chart: Chart): Promise<void> {
    const canvas = el('canvas');
    canvas.width = 1600;
    canvas.height = 900;
    const config = configure(chart, paper, this.actions, 26);
    config.options = { ...config.options, responsive: false, devicePixelRatio: 1 };
    config.plugins = [...(config.plugins ?? []), whitePaper];
    const drawing = new Drawing(canvas, config);
    const blob = await new Promise<Blob | null>((resolve) => {
      canvas.toBlob(resolve, 'image/png');
    });
    drawing.destroy();
    if (blob === null) throw new Error('The picture could not be made.');
    this.actions.save(`${chart.id}.png`, new Uint8Array(await blob.arrayBuffer()));
  }
}

const whitePaper: Plugin = {
  id: 'whitePaper',
  beforeDraw: ({ ctx, width, height }) => {
    ctx.fillStyle = '#fff';
    ctx.fillRect(0, 0, width, height);
  },
};

function configure(chart: Chart, colours: Colours, actions: ChartActions, size: number): ChartConfiguration {
  switch (chart.type) {
    case 'histogram':
      return histogram(chart, colours, actions, size);
    case 'shares':
      return shares(chart, colours, actions, size);
    case 'points':
      return points(chart, colours, actions, size);
  }
}

type Kind<T extends Chart['type']> = Extract<Chart, { type: T }>;

function axis(title: string, colours: Colours, size: number): object {
  const font = { family: colours.font, size };
  return {
    title: { display: title !== '', text: title, color: colours.quiet, font },
    ticks: { color: colours.quiet, font },
    grid: { color: colours.grid, lineWidth: 0.5 },
    border: { color: colours.grid },
  };
}

/** Nothing is there half a time. */
function counted(title: string, colours: Colours, size: number): object {
  const plainAxis = axis(title, colours, size) as { ticks: object };
  return { ...plainAxis, ticks: { ...plainAxis.ticks, precision: 0 } };
}

const still = { animation: false, responsive: true, maintainAspectRatio: false } as const;

/** Told apart by lightness and by the words of the tooltip, not by hue alone. */
function colourOf(verdict: 'right' | 'wrong' | 'none', colours: Colours): string {
  return verdict === 'none' ? colours.grid : colours[verdict];
}

function histogram(
  chart: Kind<'histogram'>,
  colours: Colours,
  actions: ChartActions,
  size: number,
): ChartConfiguration {
  return {
    type: 'bar',
    data: {
      datasets: chart.series.map(({ verdict, counts }) => ({
        label: verdict === 'none' ? 'neither' : verdict,
        data: counts.map((n, i) => ({ x: (chart.edges[i] + chart.edges[i + 1]) / 2, y: n })),
        backgroundColor: colourOf(verdict, colours),
        stack: 'all',
        barPercentage: 1,
        categoryPercentage: 0.94,
      })),
    },
    options: {
      ...still,
      scales: {
        x: {
          ...axis(chart.x.title, colours, size),
          type: 'linear',
          offset: false,
          grid: { color: colours.grid, lineWidth: 0.5, offset: false },
          min: chart.edges[0],
          max: chart.edges.at(-1),
        },
        y: { ...counted('how many', colours, size), stacked: true },
      },
      onClick: (_event, [hit]) => {
        if (hit !== undefined) actions.filterRange(chart.edges[hit.index], chart.edges[hit.index + 1]);
      },
      plugins: {
        tooltip: {
          callbacks: {
            title: ([item]) =>
              item === undefined
                ? ''
                : `${plain(chart.edges[item.dataIndex])} to ${plain(chart.edges[item.dataIndex + 1])}`,
          },
        },
      },
    },
    plugins: [zeroLine(colours)],
  } as ChartConfiguration;
}

/** Where the sign turns. */
function zeroLine(colours: Colours): Plugin {
  return {
    id: 'zeroLine',
    afterDatasetsDraw: ({ ctx, scales, chartArea }) => {
      if (scales.x.min >= 0 || scales.x.max <= 0) return;
      const x = scales.x.getPixelForValue(0);
      ctx.save();
      ctx.strokeStyle = colours.text;
      ctx.setLineDash([4, 3]);
      ctx.beginPath();
      ctx.moveTo(x, chartArea.top);
      ctx.lineTo(x, chartArea.bottom);
      ctx.stroke();
      ctx.restore();
    },
  };
}

function shares(
  chart: Kind<'shares'>,
  colours: Colours,
  actions: ChartActions,
  size: number,
): ChartConfiguration {
  return {
    type: 'bar',
    data: {
      labels: chart.values.map(({ value }) => value),
      datasets: [
        {
          label: 'right',
          data: chart.values.map(({ share }) => share),
          backgroundColor: colours.right,
          maxBarThickness: 22,
        },
      ],
    },
    options: {
      ...still,
      indexAxis: 'y',
      scales: {
        x: { ...axis('share that is right', colours, size), min: 0, max: 1 },
        y: { ...axis('', colours, size), grid: { display: false } },
      },
      onClick: (_event, [hit]) => {
        if (hit !== undefined) actions.filterFacet(chart.facet, chart.values[hit.index].value);
      },
      plugins: {
        tooltip: {
          callbacks: {
            label: ({ dataIndex }) => {
              const { share, low, high, n } = chart.values[dataIndex];
              return `${percent(share, 1)} [${percent(low, 1)}, ${percent(high, 1)}] of ${whole(n)}`;
            },
          },
        },
      },
    },
    plugins: [whiskers(chart, colours)],
  } as ChartConfiguration;
}

/** The interval of each share, and chance as a dashed line. */
function whiskers(chart: Kind<'shares'>, colours: Colours): Plugin {
  return {
    id: 'whiskers',
    afterDatasetsDraw: ({ ctx, scales, chartArea }) => {
      ctx.save();
      ctx.strokeStyle = colours.text;
      ctx.lineWidth = 1.5;
      for (const [i, { low, high }] of chart.values.entries()) {
        const y = scales.y.getPixelForValue(i);
        const [from, to] = [scales.x.getPixelForValue(low), scales.x.getPixelForValue(high)];
        ctx.beginPath();
        ctx.moveTo(from, y);
        ctx.lineTo(to, y);
        for (const x of [from, to]) {
          ctx.moveTo(x, y - 4);
          ctx.lineTo(x, y + 4);
        }
        ctx.stroke();
      }
      if (chart.chance !== undefined) {
        const x = scales.x.getPixelForValue(chart.chance);
        ctx.setLineDash([4, 3]);
        ctx.strokeStyle = colours.quiet;
        ctx.beginPath();
        ctx.moveTo(x, chartArea.top);
        ctx.lineTo(x, chartArea.bottom);
        ctx.stroke();
      }
      ctx.restore();
    },
  };
}

function points(
  chart: Kind<'points'>,
  colours: Colours,
  actions: ChartActions,
  size: number,
): ChartConfiguration {
  const [right, wrong] = [true, false].map((side) => chart.points.filter((point) => point.right === side));
  const radius = size / 4.5;
  return {
    type: 'scatter',
    data: {
      datasets: [
        { label: 'right', data: right, backgroundColor: colours.right, pointStyle: 'circle', radius },
        {
          label: 'wrong',
          data: wrong,
          backgroundColor: colours.wrong,
          pointStyle: 'triangle',
          radius: radius * 1.4,
        },
      ],
    },
    options: {
      ...still,
      scales: { x: axis(chart.x.title, colours, size), y: axis(chart.y.title, colours, size) },
      onClick: (_event, [hit]) => {
        if (hit !== undefined) actions.open((hit.datasetIndex === 0 ? right : wrong)[hit.index].index);
      },
      plugins: {
        tooltip: { callbacks: { label: ({ parsed: { x, y } }) => `${plain(x ?? 0)}, ${plain(y ?? 0)}` } },
      },
    },
    plugins: [border(chart, colours)],
  } as ChartConfiguration;
}

/** What parts right from wrong: above it is right. */
function border(chart: Kind<'points'>, colours: Colours): Plugin {
  return {
    id: 'border',
    beforeDatasetsDraw: ({ ctx, scales: { x, y }, chartArea: { left, top, width, height } }) => {
      ctx.save();
      ctx.beginPath();
      ctx.rect(left, top, width, height);
      ctx.clip();
      ctx.strokeStyle = colours.quiet;
      ctx.setLineDash([4, 3]);
      ctx.beginPath();
      if (chart.border === 'diagonal') {
        const [from, to] = [Math.max(x.min, y.min), Math.min(x.max, y.max)];
        ctx.moveTo(x.getPixelForValue(from), y.getPixelForValue(from));
        ctx.lineTo(x.getPixelForValue(to), y.getPixelForValue(to));
      } else {
        ctx.moveTo(left, y.getPixelForValue(0));
        ctx.lineTo(left + width, y.getPixelForValue(0));
      }
      ctx.stroke();
      ctx.restore();
    },
  };
}

/** The same numbers for those who read or who cannot point; its buttons do what a click on the plot does. */
function tableOf(chart: Chart, actions: ChartActions): HTMLElement {
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
