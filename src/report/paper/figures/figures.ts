/* Makes figures for print from the chart types of the HTML export. */
import { english } from '../../../base/say';
import { type Drawn, isText } from '../../../chart/draw';
import { distanceCharts } from '../../../probe/visla/charts';
import type { VislaRow } from '../../../probe/visla/row';
import { ranksOfReports } from '../../decisions';
import type { PictureSource } from '../../pictures';
import { LeftOutRows } from '../../rowChecks';
import { readRows } from '../../rows';
import { type Basis, basisOf, comparableMetrics, isInScoreUnits } from '../../scale';
import { ridgesOf } from './ridges';
import { worstSheet } from './worst';
import { familyName } from '../../../probe/invariance/view';
import { probeNamed } from '../../../probe/list';
import { imagesOf, type Metric } from '../../../probe/metric';
import { relativeId } from '../../../probe/spread';
import { leastImages } from '../../../stats/decisions/smallSample';
import { type Entry, inOrder } from '../entry';
import { findMetric } from '../table';

export interface Figure {
  name: string;
  chart: Drawn;
  /** Whether the figure shows its title, which is necessary if no axis names the metric. */
  titled?: boolean;
}

/**
 * Per probe and dataset: a forest plot per main metric, ranks, perturbations, comparison charts and edit
 * distances. Per report: its score changes and, with images, its worst examples.
 */
export async function* figuresOf(
  entries: readonly Entry[],
  pictures?: PictureSource,
): AsyncGenerator<Figure> {
  for (const probe of inOrder(entries, ({ report }) => report.probe)) {
    const ofProbe = entries.filter(({ report }) => report.probe === probe);
    const datasets = inOrder(ofProbe, ({ dataset }) => dataset);
    for (const dataset of datasets) {
      const own = ofProbe.filter((entry) => entry.dataset === dataset);
      const name = datasets.length > 1 ? `${probe}.${dataset}` : probe;
      yield* forests(own, name);
      yield* await rankFigures(own, name);
      if (probe === 'invariance') yield* perturbations(own, name);
      yield* comparisons(own, name);
      for (const entry of own)
        yield* await ofReport(entry, own.length > 1 ? `${name}.${entry.evaluator}` : name, pictures);
      const distances = await distancesOf(own[0]);
      if (distances !== undefined) yield { name: `${name}.distances`, chart: distances };
    }
  }
}

function comparisons(own: readonly Entry[], name: string): Figure[] {
  const basis = basisFor(own);
  const named = own.map(({ evaluator, report }) => ({
    evaluator: { name: evaluator },
    metrics: comparableMetrics(report.probe, report.metrics, basis).map((metric) => ({
      ...metric,
      ci: spanOf(metric).ci,
    })),
  }));
  const beside = probeNamed(own[0].report.probe).comparisonCharts?.(named) ?? [];
  return beside.flatMap((chart, i): Figure[] => {
    if (isText(chart)) return [];
    const title = `${chart.title} (${own[0].dataset})`;
    return [{ name: `${name}.comparison${i + 1}`, chart: { ...chart, title }, titled: true }];
  });
}

async function ofReport(entry: Entry, name: string, pictures: PictureSource | undefined): Promise<Figure[]> {
  const ridges = await ridgesOf(entry);
  const sheet = pictures && (await worstSheet(entry, pictures));
  return [
    ...(ridges === undefined ? [] : [{ name: `${name}.changes`, chart: ridges }]),
    ...(sheet === undefined ? [] : [{ name: `${name}.worst`, chart: sheet }]),
  ];
}

/** Ranks of the reports by main metric, over the rows that all have. Metrics with too few images have no ranks. */
async function rankFigures(own: readonly Entry[], name: string): Promise<Figure[]> {
  if (own.length < 2 || new Set(own.map(({ report }) => report.dataset.sha256)).size > 1) return [];
  const shares = await Promise.all(own.map((entry) => entry.shares()));
  const cards = cardsOf(own);
  return ranksOfReports(own[0].report.probe, shares, basisFor(own)).flatMap(({ metric, ranks, n }) => {
    const axis = cards.get(metric)?.title;
    if (ranks === undefined || axis === undefined) return [];
    const chart: Drawn = {
      ...{ type: 'ranks', title: `${axis}: reliability of ranks (${own[0].dataset})`, axis, n },
      ranks: ranks.map((rank, i) => ({ ...rank, name: own[i].evaluator })),
    };
    return [{ name: `${name}.${shortId(own[0], metric)}.ranks`, chart }];
  });
}

/** The chart of VISLA's edit distances, which are equal for all evaluators; undefined for other probes. */
async function distancesOf({ path, report }: Entry): Promise<Drawn | undefined> {
  if (report.probe !== 'visla') return undefined;
  const [characters] = await distanceCharts(
    readRows(path, report, new LeftOutRows()) as AsyncIterable<VislaRow>,
  );
  return characters;
}

/** The metric's interval; empty if there are too few images. */
function spanOf(metric: Metric): Pick<Metric, 'ci'> {
  return metric.ci !== undefined && imagesOf(metric) >= leastImages ? { ci: metric.ci } : {};
}

function basisFor(own: readonly Entry[]): Basis {
  return basisOf(own.map(({ report }) => report));
}

/** The main metrics. If the evaluators have different scales, metrics in units of the score are in spreads. */
function cardsOf(own: readonly Entry[]): Map<string, { title: string; chance?: number }> {
  const isRaw = basisFor(own).kind === 'raw';
  const inSpreads = ({ metric }: { metric: string }): boolean =>
    !isRaw && isInScoreUnits(own[0].report.probe, metric);
  const cards = own.flatMap(({ report }) => probeNamed(report.probe).cards(report.metrics));
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

function forests(own: readonly Entry[], name: string): Figure[] {
  return [...cardsOf(own)].flatMap(([id, { title, chance: ofCard }]) => {
    const found = own.flatMap((entry) => {
      const metric = findMetric(entry, id, undefined);
      return metric === undefined || metric.value === null ? [] : [{ entry, metric, value: metric.value }];
    });
    if (found.length === 0) return [];
    const chance = found.find(({ metric }) => metric.chance !== undefined)?.metric.chance ?? ofCard;
    return {
      name: `${name}.${shortId(own[0], id)}.forest`,
      chart: {
        ...{ type: 'forest' as const, title: `${title} (${own[0].dataset})`, axis: title },
        bars: found.map(({ entry, metric, value }) => ({
          ...{ name: entry.evaluator, value, n: metric.n },
          ...spanOf(metric),
        })),
        ...(chance === undefined ? {} : { reference: chance }),
      },
    };
  });
}

const families = ['vflip', 'hflip', 'rotation', 'reposition', 'blur'].map((family) => `spatial.${family}`);
const words = ['cultural', 'economic', 'gender', 'emotion', 'sociopolitical'].map(
  (family) => `societal.${family}`,
);

function perturbations(own: readonly Entry[], name: string): Figure[] {
  const columns = [...families, ...words].filter((family) =>
    own.some((entry) => findMetric(entry, `invariance.${family}.absDelta`, undefined)?.value != null),
  );
  if (columns.length === 0) return [];
  return [
    {
      name: `${name}.perturbations`,
      titled: true,
      chart: {
        type: 'heatmap',
        title: `Median size of the change in score (${own[0].dataset})`,
        rows: own.map(({ evaluator }) => evaluator),
        columns: columns.map((family) => english(familyName(family.split('.')[1]))),
        values: own.map((entry) =>
          columns.map(
            (family) => findMetric(entry, `invariance.${family}.absDelta`, undefined)?.value ?? null,
          ),
        ),
      },
    },
  ];
}
