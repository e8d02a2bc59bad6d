import * as z from 'zod/mini';
import type { Row } from '../../../../src/probe/metric';
import type { ProbeView } from '../../../../src/probe/view';

export interface ToyRow extends Row {
  first: string;
  second: string;
  firstScore: number;
  secondScore: number;
}

const row = z.object({
  example: z.string(),
  row: z.int(),
  first: z.string(),
  second: z.string(),
  firstScore: z.number(),
  secondScore: z.number(),
});

const leadOf = ({ firstScore, secondScore }: ToyRow): number => firstScore - secondScore;

export const toyView = {
  id: 'toy',
  title: 'Toy',
  question: 'Does the first caption score higher with the image than the second?',
  mode: 'pairs',
  madeFor: ['captions'],
  rows: {
    row: {
      schema: row,
      fits: (value): value is ToyRow => z.safeParse(row, value).success,
      fault: () => 'It is not a row of toy.',
    },
    facets: [],
    delta: { title: 'Lead of the first caption', head: 'lead' },
    fileLine: (row) => row.place?.line,
    facts: (row) => [{ delta: leadOf(row), harm: -leadOf(row), verdict: 'none', facets: [] }],
    words: ({ first, second }) => `${first}\n${second}`,
    line: (row) => ({
      before: row.first,
      after: row.second,
      label: 'pair',
      delta: leadOf(row),
      verdict: 'none',
    }),
    detail: ({ example }) => ({ example, captions: [], notes: [] }),
    mark: (row) => ({ texts: [row.first], words: `leads by ${leadOf(row)}`, captions: [] }),
  },
  unit: (metric) => (metric === 'toy.lead' ? 'difference' : undefined),
  columns: { before: 'first', after: 'second' },
  cards: () => [
    {
      title: 'First caption',
      metric: 'toy.first',
      style: 'percent',
      range: [0, 1],
      about: 'How often the first caption scores higher.',
    },
  ],
  leading: [{ metric: /^toy\.first$/, words: (value) => `${value} first` }],
} satisfies ProbeView<ToyRow>;
