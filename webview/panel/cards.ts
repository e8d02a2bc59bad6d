import { metricText } from '../../src/base/pValue';
import { largest, smallest } from '../../src/base/extent';
import type { Card, PanelMetric, PanelProgress, PanelStanding, ReportView } from '../../src/protocol/panel';
import { el, svg, table } from '../base/dom';
import { whole } from '../base/format';
import { localized, localNumber, observed, t } from '../base/words';
import { worstFirst } from './byValue';
import { chanceText, intervalText, partsText, standsOn, valueOf } from './cardTexts';
import { inSpreads } from './inSpreads';
import { claimViews } from './remarks';
import { addTo } from '../../src/base/lists';

/** One evaluator's metrics, from a report or from an unfinished run. */
type Figures = Pick<PanelStanding, 'evaluator' | 'metrics'> & Pick<ReportView, 'cluster'>;

export function metricNamed({ metrics }: Figures, id: string): PanelMetric | undefined {
  return metrics.find((metric) => metric.id === id && metric.slice === undefined);
}

/** The sentence of a report. Its verdicts are collapsed, each with the rule that derives it from an interval. */
export function sentence(report: ReportView): HTMLElement {
  const { evaluator, claims, headline, metrics } = report;
  const [first, more] = headline === undefined ? [claims.slice(0, 1), claims.slice(1)] : [[], claims];
  const words = headline === undefined ? `${evaluator}:` : `${localized(headline)}.`;
  const none = metrics.some(({ ci }) => ci !== undefined)
    ? t('No verdict: the intervals below do not support one.')
    : t('No verdict: the metrics have no intervals.');
  const isSilent = claims.length === 0 && headline === undefined;
  return el(
    'section',
    { class: 'sentence', 'aria-label': t('Verdict') },
    isSilent
      ? el('p', { class: 'quiet' }, none)
      : el('p', {}, el('strong', { title: aboutHeadline(report) }, words), ' ', ...claimViews(first)),
    more.length === 0 ? null : claimsFold(t('{0} {0|verdict|verdicts}', whole(more.length)), more),
  );
}

/** The evaluator's full name, and the chance level of its most important share. */
function aboutHeadline(report: ReportView): string {
  const share = withValues(report.cards, [report]).find(
    ({ style, chance }) => style === 'percent' && chance !== undefined,
  );
  return [report.evaluator, ...(share === undefined ? [] : [chanceText(share)])].join(' · ');
}

/** Verdicts behind a line that opens them. */
export function claimsFold(line: string, claims: ReportView['claims']): HTMLElement {
  return el(
    'details',
    { class: 'more' },
    el('summary', {}, line),
    ...claims.map((claim) => el('p', {}, ...claimViews([claim]))),
  );
}

/** How many cards the first screen has. */
const cardsAtOnce = 3;

/** The most important cards of a report, and the others, collapsed. */
export function firstCards(report: ReportView): [HTMLElement, HTMLElement | null] {
  const all = worstFirst(
    withValues(report.cards, [report]),
    ({ metric }) => metricNamed(report, metric)?.value,
  );
  // Each group has its first card on the screen, as far as there is room.
  const leaders = all.filter(
    ({ group }, i) => all.findIndex((card) => localized(card.group ?? '') === localized(group ?? '')) === i,
  );
  const chosen = new Set([...new Set([...leaders, ...all])].slice(0, cardsAtOnce));
  const more = all.filter((card) => !chosen.has(card));
  const words = t('{0} more {0|metric|metrics}', whole(more.length));
  return [
    cards(
      all.filter((card) => chosen.has(card)),
      [report],
    ),
    more.length === 0
      ? null
      : el('details', { class: 'more' }, el('summary', {}, words), cards(more, [report])),
  ];
}

/** A metric that has no value in any report has no card. The table of all metrics still lists the metric. */
export function withValues(wanted: readonly Card[], reports: readonly Figures[]): Card[] {
  return wanted.filter((card) =>
    reports.some((report) => typeof metricNamed(report, card.metric)?.value === 'number'),
  );
}

/** The cards of all reports of a probe, without duplicates. Not every evaluator has every card. */
export function cardsOf(reports: readonly ReportView[]): Card[] {
  return [...new Map(reports.flatMap((report) => report.cards.map((card) => [card.metric, card]))).values()];
}

export function cards(wanted: readonly Card[], reports: readonly Figures[]): HTMLElement {
  const groups = new Map<string, Card[]>();
  for (const card of withValues(wanted, reports)) {
    const name = localized(card.group ?? '');
    addTo(groups, name, card);
  }
  return el(
    'section',
    { class: 'card-groups', 'aria-label': t('Metrics') },
    ...[...groups].map(([group, own]) => {
      const list = el('div', { class: 'cards' }, ...own.map((card) => cardView(card, reports)));
      balanced.observe(list);
      const view = el('div', { class: 'card-group' }, group === '' ? null : el('h2', {}, group), list);
      view.style.setProperty('--count', String(own.length));
      return view;
    }),
  );
}

const gap = 12;

/** Distributes cards evenly over several rows. */
const balanced = new ResizeObserver((entries) => {
  for (const { target, contentRect } of entries) {
    const count = target.childElementCount;
    const least = parseFloat(getComputedStyle(target).getPropertyValue('--card'));
    const most = Math.max(1, Math.floor((contentRect.width + gap) / (least + gap)));
    const columns = Math.ceil(count / Math.ceil(count / most));
    (target as HTMLElement).style.setProperty('--columns', String(columns));
    target.classList.toggle('odd', columns > 1 && count % columns === 1);
  }
});

/** Shows the metrics of an unfinished run and the number of its examples so far. */
export function soFar(
  { cards: wanted, figures }: NonNullable<PanelProgress['partialMetrics']>,
  isOver: boolean,
): HTMLElement {
  const least = smallest(figures.map(({ examples }) => examples));
  return el(
    'section',
    { class: 'so-far', 'aria-label': t('Metrics so far') },
    el(
      'p',
      {},
      isOver
        ? t(
            'The run stopped. These metrics are from the first {0} {0|example|examples}, without intervals or verdicts.',
            whole(least),
          )
        : t(
            'These metrics are from {0} {0|example|examples} so far. Intervals and verdicts follow at the end.',
            whole(least),
          ),
    ),
    cards(wanted, figures),
  );
}

function cardView(given: Card, reports: readonly Figures[]): HTMLElement {
  // An evaluator without this metric has no row on the card.
  const measured = reports.filter((report) => metricNamed(report, given.metric) !== undefined);
  const card = inSpreads(given, measured);
  const title = localized(given.title);
  const rows = measured.map((report) => {
    const metric = metricNamed(report, card.metric);
    return el(
      'div',
      { class: 'figure' },
      reports.length > 1 ? el('div', { class: 'who', title: report.evaluator }, report.evaluator) : null,
      el(
        'div',
        { class: 'value' },
        el('b', {}, valueOf(metric, card)),
        ' ',
        el('span', { class: 'interval' }, intervalText(metric, card)),
      ),
      el(
        'div',
        { class: 'quiet' },
        [standsOn(metric, report.cluster, card), chanceText(card)].filter((part) => part !== '').join(' · '),
      ),
      // A count has no scale.
      metric === undefined || card.style === 'count' ? null : scale(metric, card),
    );
  });
  return el(
    'div',
    { class: measured.length > 1 ? 'card several' : 'card', title: localized(card.about) },
    el(card.group === undefined ? 'h2' : 'h3', {}, card === given ? title : t('{0} (in spreads)', title)),
    ...rows,
  );
}

/** The scale's range, multiplied by the smallest whole number that makes room for the value and its interval. */
export function roomFor({ value, ci }: PanelMetric, [from, to]: Card['range']): [number, number] {
  const reach = Math.max(
    0,
    largest([value ?? 0, ...(ci ?? [])].map((at) => (at < 0 && from < 0 ? at / from : at / to))),
  );
  const steps = Math.max(1, Math.ceil(reach));
  return [from * steps, to * steps];
}

/** Draws the value as a point, the interval as a bar, and the chance level as a line across the scale. */
export function scale(metric: PanelMetric, { range, chance }: Card): Node {
  const width = 160;
  const [from, to] = roomFor(metric, range);
  const at = (value: number) => 4 + Math.min(1, Math.max(0, (value - from) / (to - from))) * (width - 8);
  const parts: SVGElement[] = [svg('line', { x1: 4, x2: width - 4, y1: 9, y2: 9, class: 'rail' })];
  if (chance !== undefined)
    parts.push(svg('line', { x1: at(chance), x2: at(chance), y1: 2, y2: 16, class: 'chance' }));
  if (metric.ci) {
    const [low, high] = metric.ci;
    parts.push(
      svg('rect', { x: at(low), y: 4, width: Math.max(2, at(high) - at(low)), height: 10, class: 'bar' }),
    );
  }
  if (metric.value !== null) parts.push(svg('circle', { cx: at(metric.value), cy: 9, r: 3, class: 'point' }));
  return svg(
    'svg',
    {
      viewBox: `0 0 ${width} 18`,
      class: 'scale',
      preserveAspectRatio: 'xMinYMid meet',
      'aria-hidden': 'true',
    },
    ...parts,
  );
}

/** The table of all metrics of all reports, collapsed at first. */
export function allFigures(reports: readonly ReportView[]): HTMLElement {
  const keys = new Map<string, { metric: PanelMetric; cells: Map<string, PanelMetric> }>();
  for (const report of reports) {
    for (const metric of report.metrics) {
      const key = JSON.stringify([metric.id, metric.slice]);
      const entry = keys.get(key) ?? { metric, cells: new Map<string, PanelMetric>() };
      entry.cells.set(report.key, metric);
      keys.set(key, entry);
    }
  }
  const cell = (metric: PanelMetric | undefined, cluster: string | undefined): string => {
    if (metric === undefined) return '–';
    const value =
      metric.value === null ? t('not defined') : localNumber(metricText(metric.id, metric.value, metric.ci));
    const ends = metric.ci?.map((end) => metricText(metric.id, end, metric.ci)).join(', ');
    const ci = ends === undefined ? '' : ` ${localNumber(`[${ends}]`)}`;
    const ties = metric.ties ? ` ${t('ties={0}', whole(metric.ties))}` : '';
    const images = metric.images === undefined ? '' : ` (${observed(metric.images, cluster)})`;
    const parts = metric.parts === undefined ? '' : ` (${partsText(metric)})`;
    return `${value}${ci}${parts} n=${whole(metric.n)}${images}${ties}`;
  };
  const rows = [...keys.values()].map(({ metric, cells }) => [
    metricLabel(metric),
    ...reports.map(({ key, cluster }) => cell(cells.get(key), cluster)),
  ]);
  return el(
    'details',
    { class: 'more named-above' },
    el('summary', {}, t('All metrics')),
    table([t('metric'), ...reports.map(({ evaluator }) => evaluator)], rows, t('All metrics')),
  );
}

/** The metric's name and slice, and the id, which the documentation uses. */
function metricLabel({ id, name, slice = {} }: PanelMetric): HTMLElement {
  const parts = Object.entries(slice).map(
    // A word of a caption is not translated, even if it is also a text of the panel.
    ([key, value]) => `${localized(key)}: ${key === 'word' ? String(value) : localized(String(value))}`,
  );
  if (name === undefined) return el('span', {}, [id, ...parts].join(' · '));
  const label = [localized(name), ...parts].join(' · ');
  return el('span', {}, label, ' ', el('code', { class: 'quiet' }, id));
}
