import { inARow, say, type Words } from '../../base/say';
import { cardGroups, cardTitles } from './display/names';
import type { Chart, Curve } from '../../chart/chart';
import { barsOf, type Charted } from '../charted';
import type { Metric } from '../metric';
import { wholeMetric } from '../view';
import { bins, categories, type InvarianceRow } from './row';
import { gaps } from './rrf';
import { isRelative, relativeId } from '../../protocol/parts/spreads';

/** A metric with its name in a chart. */
interface Named {
  id: string;
  name: Words;
}

const spatial = [
  { family: 'vflip', name: say('invariance.upsideDown') },
  { family: 'hflip', name: say('invariance.mirrored') },
  { family: 'reposition', name: say('invariance.moved') },
  { family: 'rotation', name: say('invariance.rotated') },
  { family: 'blur', name: say('invariance.blurred') },
];
const places = [
  { variant: 'br-tl', name: say('invariance.axisCornerDifference') },
  { variant: 'tl', name: say('invariance.axisTopLeft') },
  { variant: 'tr', name: say('invariance.axisTopRight') },
  { variant: 'bl', name: say('invariance.axisBottomLeft') },
  { variant: 'br', name: say('invariance.axisBottomRight') },
];

/** The charts of one report: changes in percent, or differences of scores that straddle zero. */
export async function invarianceCharts(
  report: Charted,
  rows: AsyncIterable<InvarianceRow>,
): Promise<Chart<Words>[]> {
  return chartsOf([report], (await straddlesZero(rows)) ? 'score' : 'percent');
}

/** Whether some scores are negative and others positive. Changes in percent are then meaningless. */
async function straddlesZero(rows: AsyncIterable<InvarianceRow>): Promise<boolean> {
  let [below, above] = [false, false];
  for await (const { score, variants } of rows) {
    for (const value of [score, ...variants.map((variant) => variant.score)]) {
      if (value !== null && value < -1e-6) below = true;
      if (value !== null && value > 1e-6) above = true;
    }
  }
  return below && above;
}

/**
 * Charts that compare reports. They show changes in percent, score differences if percent is meaningless for
 * a report, or changes in spreads if the evaluators have different scales.
 */
export function invarianceComparison(reports: readonly Charted[]): Chart<Words>[] {
  // Evaluators with different scales have only relative metrics here.
  if (reports.every(({ metrics }) => metrics.some(({ id }) => isRelative(id))))
    return chartsOf(reports, 'spreads');
  const isMoot = reports.some(({ metrics }) => metrics.some(({ moot }) => moot === true));
  return chartsOf(reports, isMoot ? 'score' : 'percent');
}

/** In which units the charts show changes. */
type ChangeUnit = 'percent' | 'score' | 'spreads';

const changes: Record<ChangeUnit, Words> = {
  percent: say('invariance.axisChangePercent'),
  score: say('invariance.axisChange'),
  spreads: say('invariance.axisChangeSpreads'),
};
const sizes: Record<ChangeUnit, Words> = {
  percent: say('invariance.axisChangeSizePercent'),
  score: say('invariance.axisChangeSize'),
  spreads: say('invariance.axisChangeSizeSpreads'),
};
const sensitivities: Record<ChangeUnit, Words> = {
  percent: say('invariance.sensitivityChartPercent'),
  score: say('invariance.sensitivityChart'),
  spreads: say('invariance.sensitivityChartSpreads'),
};

/** The paper's charts: changes, scores by coverage and category, flip risks, sensitivities. */
function chartsOf(all: readonly Charted[], by: ChangeUnit): Chart<Words>[] {
  const inOwn = (id: string): string => (by === 'spreads' ? relativeId(id) : id);
  const figure = by === 'percent' ? 'median' : inOwn('delta');
  const unit = changes[by];
  const level = by === 'spreads' ? say('invariance.axisScoreSpreads') : say('invariance.axisScore');
  const societal = familiesOf(all, 'societal').filter((family) => family !== 'neutral');
  const of = (title: Words, wanted: readonly Named[]): Chart<Words> =>
    barChart(inARow([title, unit], ': '), all, wanted, unit);
  const axis = (id: string): Named[] => [
    ...spatial.map(({ family, name }) => ({ id: `invariance.spatial.${family}.${id}`, name })),
    ...societal.map((family) => ({
      id: `invariance.societal.${family}.${id}`,
      name: cardTitles[family] ?? `${family} words`,
    })),
  ];
  return [
    of(say('invariance.flipsChart'), [
      { id: `invariance.spatial.vflip.${figure}`, name: say('invariance.upsideDown') },
      { id: `invariance.spatial.hflip.${figure}`, name: say('invariance.mirrored') },
    ]),
    of(
      say('invariance.familyMoved'),
      places.map(({ variant, name }) => ({ id: `invariance.spatial.reposition.${variant}.${figure}`, name })),
    ),
    of(
      say('invariance.rotationsChart'),
      ['-10', '-5', '+5', '+10'].map((angle) => ({
        id: `invariance.spatial.rotation.${angle}.${figure}`,
        name: `${angle.replace('-', '−')}°`,
      })),
    ),
    of(
      say('invariance.blurChart'),
      ['1', '2'].map((sigma) => ({ id: `invariance.spatial.blur.${sigma}.${figure}`, name: `σ ${sigma}` })),
    ),
    coverage(all, inOwn, level),
    barChart(
      say('invariance.categoryChart'),
      all,
      categories.map((name) => ({ id: inOwn(`invariance.object.category.${name}.median`), name })),
      level,
    ),
    ...[...societal, 'neutral'].map((family) =>
      of(
        family === 'neutral'
          ? say('invariance.neutralWordsChart')
          : say('invariance.wordFamilyChart', cardTitles[family] ?? family),
        wordsOf(all, family).map((word) => ({
          id: `invariance.societal.${family}.${word}.${figure}`,
          name: word,
        })),
      ),
    ),
    barChart(say('invariance.flipRiskChart'), all, axis('rrf@0.7'), say('invariance.axisFlipRisk')),
    sweep(all),
    barChart(sensitivities[by], all, axis(by === 'percent' ? 'absMedian' : inOwn('absDelta')), sizes[by]),
  ];
}

/** What a chart calls a value of a report: also by the evaluator, if the chart has several. */
function nameIn(all: readonly Charted[], { evaluator }: Charted, name: Words): Words {
  return all.length > 1 ? inARow([name, evaluator.name], ', ') : name;
}

function barChart(
  title: Words,
  all: readonly Charted[],
  wanted: readonly Named[],
  axis?: Words,
): Chart<Words> {
  const bars = wanted.flatMap(({ id, name }) =>
    all.flatMap((one) => barsOf([wholeMetric(one.metrics, id) ?? []].flat(), () => nameIn(all, one, name))),
  );
  return { type: 'bars', title, bars, reference: 0, ...(axis === undefined ? {} : { axis }) };
}

function coverage(all: readonly Charted[], inOwn: (id: string) => string, level: Words): Chart<Words> {
  const curves = all.map((one): Curve<Words> => ({
    name: all.length > 1 ? one.evaluator.name : '',
    points: bins
      .flatMap((bin, x) =>
        pointOf(wholeMetric(one.metrics, inOwn(`invariance.object.coverage.${bin}.median`)), x),
      )
      .map((point, i, all) => (i > 0 && point.x - all[i - 1].x > 1 ? { ...point, afterGap: true } : point)),
  }));
  const ticks = bins.map((name, x) => ({ x, name: name.replace('-', '–') }));
  return {
    type: 'curves',
    title: say('invariance.objectSizeChart'),
    axes: { x: say('invariance.axisBoxArea'), y: level, ticks },
    curves,
  };
}

function sweep(all: readonly Charted[]): Chart<Words> {
  const curves = all.flatMap((one) =>
    (['spatial', 'societal'] as const).map((axis): Curve<Words> => {
      return {
        name: nameIn(all, one, cardGroups[axis]),
        points: gaps.flatMap((gap) =>
          pointOf(wholeMetric(one.metrics, `invariance.${axis}.rrf@${gap === 1 ? '1.0' : gap}`), gap),
        ),
      };
    }),
  );
  const ticks = gaps.map((gap) => ({ x: gap, name: gap === 1 ? '1.0' : String(gap) }));
  return {
    type: 'curves',
    title: say('invariance.flipRiskGapChart'),
    axes: { x: say('invariance.axisScoreGap'), y: say('invariance.axisFlipRisk'), ticks },
    curves,
  };
}

function pointOf(metric: Metric | undefined, x: number): Curve['points'] {
  if (metric === undefined || metric.value === null) return [];
  return [{ x, y: metric.value, ...(metric.ci === undefined ? {} : { ci: metric.ci }) }];
}

/** The families of an axis that have a median, in the order of the reports' metrics. */
function familiesOf(all: readonly Charted[], axis: string): string[] {
  return partsOf(all, new RegExp(`^invariance\\.${axis}\\.(\\w+)\\.(?:median|delta)(?:\\.relative)?$`));
}

function wordsOf(all: readonly Charted[], family: string): string[] {
  return partsOf(
    all,
    new RegExp(`^invariance\\.societal\\.${family}\\.([^.]+)\\.(?:median|delta)(?:\\.relative)?$`),
  );
}

function partsOf(all: readonly Charted[], pattern: RegExp): string[] {
  return [...new Set(all.flatMap(({ metrics }) => metrics.flatMap(({ id }) => pattern.exec(id)?.[1] ?? [])))];
}
