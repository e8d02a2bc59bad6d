import { largest, smallest } from '../base/extent';
import { say } from '../base/say';
import type { Metric, Row } from './metric';
import type { Card } from '../protocol/panel';
import { rowCheck, rowSchema } from './rowSchema';
import { numberCard, type ProbeView, rowView } from './view';

/** Shows the texts and the numbers of any row as they are. */
export const plainRows = rowView<Row>({
  row: rowCheck(rowSchema),
  facets: [],
  delta: { title: say('probe.change'), head: 'Δ' },
  facts: (row) => [{ delta: deltaOf(row) ?? 0, harm: -(deltaOf(row) ?? 0), verdict: 'none', facets: [] }],
  words: (row) =>
    texts(row)
      .map(([, text]) => text)
      .join('\n'),
  line(row) {
    const [first, second] = texts(row);
    const [label = '', after = ''] = second ?? [];
    return { before: first?.[1] ?? row.example, after, label, delta: deltaOf(row) };
  },
  captions: (row) => texts(row).map(([label, text]) => ({ label, text })),
  detail: (row) => ({ notes: numbers(row).map(([key, value]) => `${key}: ${value}`) }),
  mark: (row) => ({
    texts: [],
    words: numbers(row)
      .map(([key, value]) => `${key} ${value}`)
      .join(' · '),
  }),
});

const common = new Set(['example', 'row', 'place', 'image']);

function own(row: Row): [string, unknown][] {
  return Object.entries(row).filter(([key]) => !common.has(key));
}

function texts(row: Row): [string, string][] {
  return own(row).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
}

function numbers(row: Row): [string, number][] {
  return own(row).filter((entry): entry is [string, number] => typeof entry[1] === 'number');
}

function deltaOf(row: Row): number | undefined {
  return numbers(row).find(([key]) => key === 'delta')?.[1];
}

const cardsShown = 4;

/** Cards of the first few metrics, without chance levels. */
export function plainCards(metrics: readonly Metric[]): Card[] {
  return metrics
    .filter(({ slice }) => slice === undefined)
    .slice(0, cardsShown)
    .map(({ id, ci, value }) => numberCard(id, id, id, rangeFor(value ?? 0, ci)));
}

function rangeFor(value: number, ci: Metric['ci']): [number, number] {
  const reach = Math.max(Math.abs(value), largest((ci ?? []).map(Math.abs)), 1e-9);
  return [Math.min(0, value, smallest(ci ?? [])) < 0 ? -reach : 0, reach];
}

/** The view of a probe that this version does not know. */
export function plainView(id: string): ProbeView {
  return {
    id,
    title: id.toUpperCase(),
    question: '',
    mode: 'pairs',
    madeFor: [],
    rows: plainRows,
    columns: { before: say('dataset.caption'), after: say('lgip.variant') },
    cards: plainCards,
  };
}
