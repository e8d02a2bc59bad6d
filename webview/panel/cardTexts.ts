/* The texts of a metric on a card: its value, its interval, and what they rest on. */
import { inARow } from '../../src/base/say';
import { metricText, mostDecimals, shortDecimals } from '../../src/base/pValue';
import type { Card, PanelMetric } from '../../src/protocol/panel';
import { inEnglish, percent, plain, whole } from '../base/format';
import { localized, localNumber, observed, t } from '../base/words';

function write(value: number, { style }: Pick<Card, 'style'>, ci?: PanelMetric['ci']): string {
  if (style === 'count') return whole(value);
  return style === 'percent' ? percent(value, 1) : plain(value, digitsFor(value, ci));
}

function digitsFor(value: number, ci: PanelMetric['ci']): number {
  return shortDecimals(value, ci, 3) ?? mostDecimals;
}

/** A metric's value with its interval and the number of its rows. */
export function cellText(metric: Pick<PanelMetric, 'value' | 'ci' | 'n'>, style: Card['style']): string {
  return [valueOf(metric, { style }), intervalText(metric, { style }), over(metric.n, 0)].join(' ');
}

type Written = Pick<PanelMetric, 'value' | 'ci'> | undefined;

export function valueOf(metric: Written, card: Pick<Card, 'style'>): string {
  if (metric === undefined) return '–';
  return metric.value === null ? t('not defined') : write(metric.value, card, metric.ci);
}

export function intervalText(metric: Written, card: Pick<Card, 'style'>): string {
  if (metric?.ci === undefined) return '';
  const ends = metric.ci.map((end) =>
    card.style === 'percent' ? (end * 100).toFixed(1) : inEnglish.plain(end, digitsFor(end, metric.ci)),
  );
  return localNumber(`[${ends.join(', ')}]`);
}

/** The parts of an interval, in percent on the card of a share. */
export function partsText({ id, ci, parts }: PanelMetric, card?: Pick<Card, 'style'>): string {
  const halfText = (half: number): string =>
    localNumber(card?.style === 'percent' ? `${(half * 100).toFixed(1)} %` : metricText(id, half, ci));
  return t('95 %: ±{0} over images, ±{1} over draws', halfText(parts!.images), halfText(parts!.draws));
}

export function standsOn(
  metric: PanelMetric | undefined,
  cluster: string | undefined,
  card?: Pick<Card, 'style' | 'units'>,
): string {
  if (metric === undefined) return t('not scored');
  const note = metric.value === null && metric.note !== undefined ? ` – ${localized(metric.note)}` : '';
  const kind = metric.kind === undefined ? '' : ` · ${metric.kind}`;
  const images = metric.images === undefined ? '' : ` · ${observed(metric.images, cluster)}`;
  const parts = metric.parts === undefined ? '' : ` · ${partsText(metric, card)}`;
  return `${over(metric.n, metric.ties ?? 0, card?.units)}${images}${parts}${kind}${note}`;
}

function over(n: number, ties: number, units?: Card['units']): string {
  if (units !== undefined) {
    const counts = [{ code: units.n, values: [inEnglish.whole(n)] }];
    if (ties > 0) counts.push({ code: units.ties, values: [inEnglish.whole(ties)] });
    return localized(inARow(counts, ', '));
  }
  if (ties === 0) return t('n = {0}', whole(n));
  return ties === 1 ? t('n = {0}, 1 tie', whole(n)) : t('n = {0}, {1} ties', whole(n), whole(ties));
}

/** The chance level of a share; empty for other metrics, whose zero needs no words. */
export function chanceText({ style, chance }: Card): string {
  return style === 'percent' && chance !== undefined ? t('chance level: {0}', percent(chance)) : '';
}
