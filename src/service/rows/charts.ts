import { say, type Words } from '../../base/say';
import type { RowView } from '../../probe/view';
import type { RowAnswer, Selection } from '../../protocol/rows';
import type { Chart, ChartOf } from '../../protocol/parts/chart';
import type { RowIndex } from './rowIndex';
import { filterOf } from './select';
import type { Versus } from './versus';

/** The approximate maximum number of bins in a histogram. A small selection gets fewer bins. */
const mostBins = 48;
/** The maximum number of points in a chart. More points would slow the chart without making it clearer. */
const pointsDrawn = 2000;

type Passes = (at: number) => boolean;

/** A selection's charts. Bars ignore the filter that they set, so that a clicked bar keeps its neighbours. */
export function chartsOf(index: RowIndex, selection: Selection, versus?: Versus): Chart[] {
  const chosen = (part: Partial<Selection>) => filterOf(index, { ...selection, ...part }, versus);
  const among = (part: Partial<Selection>): Passes => chosen(part) ?? (() => true);
  const charts: (Chart | undefined)[] = [...histograms(index, chosen({ range: undefined }))];
  // Among wrong answers alone, the share of right ones is zero by selection. These charts keep the answers of all results.
  const outcomes = new Set(index.view.facets.flatMap(({ id, outcome }) => (outcome ? [id] : [])));
  const hasOutcome =
    selection.range !== undefined ||
    selection.versus?.keep !== undefined ||
    Object.keys(selection.facets).some((id) => outcomes.has(id));
  for (const [i, facet] of index.view.facets.entries()) {
    if (!facet.share) continue;
    const facets = Object.fromEntries(
      Object.entries(selection.facets).filter(([id]) => id !== facet.id && !outcomes.has(id)),
    );
    const chart = shares(index, i, chosen({ facets, range: undefined, versus: undefined }));
    charts.push(chart && hasOutcome ? { ...chart, title: say('service.ofAllResults', chart.title) } : chart);
  }
  charts.push(scatter(index, among({})));
  if (versus !== undefined) charts.push(versusChart(index, versus, among({})));
  return charts.filter((chart) => chart !== undefined);
}

/** Table lines without a verdict, such as paraphrases among flips, have their own histogram. */
function histograms(index: RowIndex, passes: Passes | undefined): Chart[] {
  const all = [true, false]
    .map((isJudged) =>
      histogram(index, (at) => (index.verdict(at) !== 'none') === isJudged, isJudged, passes),
    )
    .filter((one) => one !== undefined);
  if (!all[1]) return all;
  // A filter that leaves only the rows of one of them shows that one.
  const [only, more] = all.filter(({ series }) => series.length > 0);
  if (only && !more) return [only];
  const [judged, others] = all;
  return [
    { ...judged, judged: true },
    { ...others, id: 'delta-none', title: say('service.undecidedRows', others.title), judged: false },
  ];
}

/** The bars of a filter keep the bins of all lines, which are behind them. */
function histogram(
  index: RowIndex,
  isOne: Passes,
  isJudged: boolean,
  passes: Passes | undefined,
): ChartOf<'histogram'> | undefined {
  const { count } = index;
  const delta = index.delta.data;
  const isShown = (at: number): boolean => !Number.isNaN(delta[at]) && isOne(at);
  let [low, high, n] = [Infinity, -Infinity, 0];
  for (let at = 0; at < count; at++) {
    if (!isShown(at)) continue;
    n++;
    low = Math.min(low, delta[at]);
    high = Math.max(high, delta[at]);
  }
  if (low === Infinity) return undefined;
  const width = niceWidth((high - low) / Math.min(mostBins, Math.ceil(2 * Math.cbrt(n))));
  // Edges are multiples of the width, so no bin has both increases and decreases.
  const first = Math.floor(low / width);
  const last = Math.max(first + 1, Math.ceil(high / width) + (Number.isInteger(high / width) ? 1 : 0));
  const edges = Array.from({ length: last - first + 1 }, (_, i) => round((first + i) * width));
  const counts = { right: zeros(last - first), wrong: zeros(last - first), none: zeros(last - first) };
  const behind = zeros(last - first);
  let chosen = 0;
  let tied = false;
  for (let at = 0; at < count; at++) {
    if (!isShown(at)) continue;
    const bin = Math.min(last - first - 1, Math.max(0, Math.floor(delta[at] / width) - first));
    behind[bin]++;
    if (passes?.(at) === false) continue;
    chosen++;
    const verdict = index.verdict(at);
    tied ||= verdict === 'tie';
    // A tie does not count as correct.
    counts[verdict === 'tie' ? 'wrong' : verdict][bin]++;
  }
  const { title } = index.view.delta;
  const all = n.toLocaleString('en');
  return {
    type: 'histogram',
    id: 'delta',
    title:
      chosen === n
        ? title
        : chosen === 0
          ? say('service.noneChosen', title, all)
          : say('service.allBehind', title, all),
    x: { title: isJudged ? towardsBetter(index.view, title) : title },
    edges,
    series: (['right', 'wrong', 'none'] as const)
      .filter((verdict) => counts[verdict].some((n) => n > 0))
      .map((verdict) => ({ verdict, counts: counts[verdict] })),
    tied,
    ...(chosen < n ? { behind } : {}),
  };
}

/** Adds an arrow towards better values to an axis title. */
function towardsBetter({ delta }: RowView, title: Words): Words {
  return delta.lower ? say('service.axisLowerBetter', title) : say('service.axisTowardsBetter', title);
}

function zeros(length: number): number[] {
  return new Array<number>(length).fill(0);
}

/** Rounds up to 1, 2, 2.5 or 5 times a power of ten. */
function niceWidth(width: number): number {
  if (!(width > 0)) return 0.001;
  const power = 10 ** Math.floor(Math.log10(width));
  return power * ([1, 2, 2.5, 5, 10].find((step) => step * power >= width) ?? 10);
}

function round(value: number): number {
  return Number(value.toPrecision(12));
}

function shares(index: RowIndex, facet: number, passes: Passes | undefined): Chart | undefined {
  const { values, codes } = index.facets[facet];
  const n = zeros(values.length);
  const right = zeros(values.length);
  for (let at = 0; at < index.count; at++) {
    const verdict = index.verdict(at);
    if (verdict === 'none' || passes?.(at) === false) continue;
    n[codes.data[at]]++;
    if (verdict === 'right') right[codes.data[at]]++;
  }
  const { id, title, metrics } = index.view.facets[facet];
  const shown = values
    .map((value, code) => ({ value, n: n[code], share: right[code] / n[code] }))
    .filter((entry) => entry.n > 0)
    .sort((a, b) => a.value.localeCompare(b.value, 'en', { numeric: true }))
    .map((entry) => ({ ...entry, metrics: passes === undefined ? (metrics?.(entry.value) ?? []) : [] }));
  if (shown.length === 0) return undefined;
  return { type: 'shares', id, title, facet: id, chance: index.view.chance, values: shown };
}

/** Counts table lines by which of the two evaluators are right. */
export function sidesOf(
  index: RowIndex,
  selection: Selection,
  versus: Versus,
): NonNullable<RowAnswer<'charts'>['sides']> {
  const passes = filterOf(index, { ...selection, versus: undefined });
  const counts = { both: 0, onlyFirst: 0, onlySecond: 0, neither: 0 };
  for (let at = 0; at < index.count; at++) {
    const side = passes?.(at) === false ? undefined : versus.side(at);
    if (side !== undefined) counts[side]++;
  }
  return counts;
}

function versusChart(index: RowIndex, versus: Versus, passes: Passes): Chart | undefined {
  const [xs, ys] = [index.delta.data, versus.other.delta.data];
  const yOf = (at: number): number => ys[versus.match(at) ?? -1] ?? NaN;
  const { drawn, of } = sample(index, (at) => !Number.isNaN(xs[at]) && !Number.isNaN(yOf(at)) && passes(at));
  if (of === 0) return undefined;
  const points = drawn.map((at) => ({ index: at, x: xs[at], y: yOf(at), side: versus.side(at) }));
  const { title } = index.view.delta;
  const isJudged = points.some(({ side }) => side !== undefined);
  const axis = { title: isJudged ? towardsBetter(index.view, title) : title };
  return { type: 'versus', id: 'versus', title, x: axis, y: axis, points, of };
}

/** `drawn` has evenly spaced lines among those that pass. `of` is the number of lines that pass. */
function sample({ count }: RowIndex, passes: Passes): { drawn: number[]; of: number } {
  let of = 0;
  for (let at = 0; at < count; at++) if (passes(at)) of++;
  const step = Math.max(1, of / pointsDrawn);
  const drawn: number[] = [];
  for (let at = 0, seen = 0; at < count && drawn.length < pointsDrawn; at++)
    if (passes(at) && seen++ === Math.floor(drawn.length * step)) drawn.push(at);
  return { drawn, of };
}

function scatter(index: RowIndex, passes: Passes): Chart | undefined {
  const { view } = index;
  if (view.points === undefined) return undefined;
  const [xs, ys] = [index.x.data, index.y.data];
  const { drawn, of } = sample(index, (at) => !Number.isNaN(xs[at]) && passes(at));
  if (of === 0) return undefined;
  const points = drawn.map((at) => ({
    index: at,
    x: xs[at],
    y: ys[at],
    right: index.verdict(at) === 'right',
  }));
  const isJudged = drawn.some((at) => index.verdict(at) !== 'none');
  const { title, x, y, border } = view.points;
  const better = border === 'zero' ? towardsBetter(view, x) : say('service.axisTowardsBetter', x);
  return {
    type: 'points',
    id: 'points',
    title,
    x: { title: isJudged ? better : x },
    y: { title: y },
    isJudged,
    border,
    points,
    of,
  };
}
