import type { Card, PanelMetric } from '../../src/protocol/panel';
import { relativeId } from '../../src/protocol/parts/spreads';

/** Evaluators have different units, so a card shows several of them in their spreads, if all have these. */
export function inSpreads(card: Card, reports: readonly { metrics: readonly PanelMetric[] }[]): Card {
  const metric = relativeId(card.metric);
  const haveSpreads = reports.every(({ metrics }) =>
    metrics.some(({ id, slice, value }) => id === metric && slice === undefined && value !== null),
  );
  if (reports.length < 2 || !haveSpreads) return card;
  const range: Card['range'] = [card.range[0] < 0 ? -1 : 0, 1];
  return { ...card, metric, range };
}
