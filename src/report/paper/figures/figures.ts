/* Makes figures for print from the chart types of the HTML export. */
import { say, type Words } from '../../../base/say';
import { english } from '../../../base/english';
import { type Drawn, isText } from '../../../chart/draw';
import { distanceCharts } from '../../../probe/visla/charts';
import type { VislaRow } from '../../../probe/visla/row';
import { type MetricRanks, ranksOfReports } from '../../decisions/decisions';
import type { ImageSource } from '../../imageSource';
import { firmInterval } from '../../figures';
import { LeftOutRows } from '../../rowChecks';
import { readRows } from '../../rows';
import { type Basis, basisOf, comparableMetrics, isInScoreUnits, requireComparable } from '../../scale';
import { examplesSheet } from './examples';
import { ridgesOf } from './ridges';
import { worstSheet } from './worst';
import { familyName } from '../../../probe/invariance/view';
import { groundlessIn } from '../../../probe/ground';
import { viewFor } from '../../../probe/views';
import { reporting } from '../../../probe/list';
import type { Metric } from '../../../probe/metric';
import { type Entry, inOrder } from '../entry';
import { findMetric } from '../table';
import { relativeId } from '../../../protocol/parts/spreads';
import { benchmarkCharts } from '../../../probe/benchmark/charts';

export interface Figure {
  chart: Drawn<Words>;
  /** Whether the figure shows its title, which is necessary if no axis names the metric. */
  titled?: boolean;
}

/** The kinds of figures, the most important kind first. The default choice follows this order. */
export const figureKinds = [
  ...['main', 'comparison', 'perturbations', 'distances', 'examples', 'worst', 'changes', 'ranks', 'forest'],
] as const;
export type FigureKind = (typeof figureKinds)[number];

/** A figure that can be drawn. Drawing reads rows and images, so it happens only if the figure is wanted. */
export interface PlannedFigure {
  name: string;
  kind: FigureKind;
  /** Whether the default choice prefers the first figure of every kind. */
  isFurther?: boolean;
  /** Undefined if there are too few values. */
  draw(): Figure | undefined | Promise<Figure | undefined>;
}

/**
 * Per probe and dataset: a forest plot per main metric, ranks, perturbations, comparison charts, edit distances and,
 * with images, examples. Per report: its score changes and, with images, its worst examples.
 */
export function figuresOf(entries: readonly Entry[], images?: ImageSource): PlannedFigure[] {
  return inOrder(entries, ({ report }) => report.probe).flatMap((probe) => {
    const ofProbe = entries.filter(({ report }) => report.probe === probe);
    if (probe === 'benchmark') return benchmarkFigures(ofProbe);
    const datasets = inOrder(ofProbe, ({ dataset }) => dataset);
    return datasets.flatMap((dataset) => {
      const own = ofProbe.filter((entry) => entry.dataset === dataset);
      const name = datasets.length > 1 ? `${probe}.${dataset}` : probe;
      return [
        ...forests(own, name),
        ...rankFigures(own, name),
        ...(probe === 'invariance' ? perturbations(own, name) : []),
        ...comparisons(own, name),
        ...own.flatMap((entry) =>
          ofReport(entry, own.length > 1 ? `${name}.${entry.evaluator}` : name, images),
        ),
        ...(probe === 'visla' ? [distancesOf(own[0], name)] : []),
        ...(probe === 'lgip' && own.length > 1 && images ? [examplesOf(own, name, images)] : []),
      ];
    });
  });
}

function comparisons(own: readonly Entry[], name: string): PlannedFigure[] {
  const basis = basisFor(own);
  const named = own.map(({ evaluator, report }) => ({
    evaluator: { name: evaluator },
    metrics: comparableMetrics(report.probe, report.metrics, basis).map((metric) => ({
      ...metric,
      ci: spanOf(metric).ci,
    })),
  }));
  const beside = reporting(own[0].report.probe).comparisonCharts?.(named) ?? [];
  return beside.flatMap((chart, i): PlannedFigure[] => {
    if (isText(chart)) return [];
    const title = say('probe.nameWithDetail', chart.title, own[0].dataset);
    const draw = (): Figure => ({ chart: { ...chart, title }, titled: true });
    return [{ name: `${name}.comparison${i + 1}`, kind: 'comparison', isFurther: i > 0, draw }];
  });
}

function examplesOf(own: readonly Entry[], name: string, images: ImageSource): PlannedFigure {
  return {
    name: `${name}.examples`,
    kind: 'examples',
    async draw() {
      const chart = await examplesSheet(own, images);
      return chart && { chart };
    },
  };
}

function ofReport(entry: Entry, name: string, images: ImageSource | undefined): PlannedFigure[] {
  const drawn = (chart: Drawn<Words> | undefined): Figure | undefined => chart && { chart };
  return [
    { name: `${name}.changes`, kind: 'changes', draw: async () => drawn(await ridgesOf(entry)) },
    ...(images === undefined
      ? []
      : [
          {
            name: `${name}.worst`,
            kind: 'worst' as const,
            draw: async () => drawn(await worstSheet(entry, images)),
          },
        ]),
  ];
}

/** Ranks of the reports by main metric, over the rows that all have. Metrics with too few images have no ranks. */
function rankFigures(own: readonly Entry[], name: string): PlannedFigure[] {
  if (own.length < 2 || new Set(own.map(({ report }) => report.dataset.sha256)).size > 1) return [];
  let found: Promise<MetricRanks[]> | undefined;
  const ranked = async () => {
    requireComparable(...own.map(({ report }) => report));
    const shares = await Promise.all(own.map((entry) => entry.shares()));
    const { probe } = own[0].report;
    const groundlessBy = (metric: string) =>
      groundlessIn(
        viewFor(probe),
        own.map(({ report }) => report),
        metric,
      );
    return own[0].inTurns(ranksOfReports(probe, shares, basisFor(own), groundlessBy));
  };
  const leading = leadingMetric(own);
  return [...cardsOf(own)].map(([metric, { title: axis }]) => ({
    name: `${name}.${shortId(own[0], metric)}.ranks`,
    kind: 'ranks',
    isFurther: metric !== leading,
    draw: async () => {
      const {
        ranks,
        n,
        groundless = [],
      } = (await (found ??= ranked())).find((one) => one.metric === metric) ?? {};
      if (ranks === undefined || n === undefined) return undefined;
      const named = ranks.flatMap((rank, i) => (rank === null ? [] : { ...rank, name: own[i].evaluator }));
      const without = groundless.map((i) => own[i].evaluator).join(', ');
      const left = without === '' ? '' : `; at chance level: ${without}`;
      const title = `${axis}: reliability of ranks (${own[0].dataset}${left})`;
      return { chart: { type: 'ranks', title, axis, n, ranks: named } };
    },
  }));
}

/** The chart of VISLA's edit distances, which are equal for all evaluators. */
function distancesOf({ path, report }: Entry, name: string): PlannedFigure {
  return {
    name: `${name}.distances`,
    kind: 'distances',
    async draw() {
      const rows = readRows(path, report, new LeftOutRows()) as AsyncIterable<VislaRow>;
      const [chart] = await distanceCharts(rows);
      return { chart };
    },
  };
}

/** The metric's interval; empty if there are too few images. */
function spanOf(metric: Metric): Pick<Metric, 'ci'> {
  const ci = firmInterval(metric);
  return ci === undefined ? {} : { ci };
}

function basisFor(own: readonly Entry[]): Basis {
  return basisOf(own.map(({ report }) => report));
}

/** The main metrics. If the evaluators have different scales, metrics in units of the score are in spreads. */
function cardsOf(own: readonly Entry[]): Map<string, { title: string; chance?: number }> {
  const isRaw = basisFor(own).kind === 'raw';
  const inSpreads = ({ metric }: { metric: string }): boolean =>
    !isRaw && isInScoreUnits(own[0].report.probe, metric);
  const cards = own.flatMap(({ report }) => reporting(report.probe).cards(report.metrics));
  return new Map(
    cards.map(({ metric, title, group, style, chance }) => [
      inSpreads({ metric }) ? relativeId(metric) : metric,
      {
        title: `${group === undefined ? english(title) : `${english(group)}: ${english(title)}`}${inSpreads({ metric }) ? ' (in spreads)' : ''}`,
        // `chance` is a chance level only on cards in percent. The 5 % of RoCOCO's RSMS is not a chance level.
        ...(chance === undefined || style !== 'percent' || metric.endsWith('.rsms') ? {} : { chance }),
      },
    ]),
  );
}

function shortId({ report }: Entry, metric: string): string {
  return metric.replace(`${report.probe}.`, '');
}

function forests(own: readonly Entry[], name: string): PlannedFigure[] {
  const leading = leadingMetric(own);
  return [...cardsOf(own)].flatMap(([id, { title, chance: ofCard }]): PlannedFigure[] => {
    const found = own.flatMap((entry) => {
      const metric = findMetric(entry, id, undefined);
      return metric === undefined || metric.value === null ? [] : [{ entry, metric, value: metric.value }];
    });
    if (found.length === 0) return [];
    const chance = found.find(({ metric }) => metric.chance !== undefined)?.metric.chance ?? ofCard;
    const chart: Drawn = {
      ...{ type: 'forest', title: `${title} (${own[0].dataset})`, axis: title },
      bars: found.map(({ entry, metric, value }) => ({
        ...{ name: entry.evaluator, value, n: metric.n },
        ...spanOf(metric),
      })),
      ...(chance === undefined ? {} : { reference: chance }),
    };
    return [
      {
        name: `${name}.${shortId(own[0], id)}.forest`,
        kind: id === leading ? 'main' : 'forest',
        draw: () => ({ chart }),
      },
    ];
  });
}

/** The metric of the probe's headline, or else of its first card. */
function leadingMetric(own: readonly Entry[]): string | undefined {
  const ids = [...cardsOf(own).keys()];
  const { leading = [] } = reporting(own[0].report.probe);
  return leading.flatMap(({ metric }) => ids.find((id) => metric.test(id)) ?? []).at(0) ?? ids.at(0);
}

const families = ['vflip', 'hflip', 'rotation', 'reposition', 'blur'].map((family) => `spatial.${family}`);
const words = ['cultural', 'economic', 'gender', 'emotion', 'sociopolitical'].map(
  (family) => `societal.${family}`,
);

function perturbations(own: readonly Entry[], name: string): PlannedFigure[] {
  const columns = [...families, ...words].filter((family) =>
    own.some((entry) => findMetric(entry, `invariance.${family}.absDelta`, undefined)?.value != null),
  );
  if (columns.length === 0) return [];
  const chart: Drawn = {
    type: 'heatmap',
    title: `Median size of the change in score (${own[0].dataset})`,
    rows: own.map(({ evaluator }) => evaluator),
    columns: columns.map((family) => english(familyName(family.split('.')[1]))),
    values: own.map((entry) =>
      columns.map((family) => findMetric(entry, `invariance.${family}.absDelta`, undefined)?.value ?? null),
    ),
  };
  return [{ name: `${name}.perturbations`, kind: 'perturbations', draw: () => ({ chart, titled: true }) }];
}

function benchmarkFigures(entries: readonly Entry[]): PlannedFigure[] {
  return entries.flatMap(({ dataset, report }) =>
    benchmarkCharts(report.metrics).map((chart, i): PlannedFigure => {
      const title = say('probe.nameWithDetail', chart.title, dataset);
      return {
        name: `benchmark.${dataset}.${chart.id}`,
        kind: i === 0 ? 'main' : 'forest',
        draw: () => ({ chart: { type: 'panel', title, chart: { ...chart, title } }, titled: true }),
      };
    }),
  );
}
