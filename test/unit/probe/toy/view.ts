import * as z from 'zod/mini';
import type { Row } from '../../../../src/probe/metric';
import type { ProbeView } from '../../../../src/probe/view';

export interface ToyRow extends Row {
  first: string;
  second: string;
  score: number;
}

const row = z.object({
  example: z.string(),
  row: z.int(),
  first: z.string(),
  second: z.string(),
  score: z.number(),
});

export const toyView = {
  id: 'toy',
  title: 'Toy',
  question: 'How alike are the first two captions?',
  mode: 'pairs',
  madeFor: ['triplet'],
  rows: {
    row: {
      schema: row,
      fits: (value): value is ToyRow => z.safeParse(row, value).success,
      fault: () => 'It is not a row of toy.',
    },
    facets: [],
    delta: { title: 'Cosine', head: 'cosine' },
    fileLine: (row) => row.place?.line,
    facts: ({ score }) => [{ delta: score, harm: -score, verdict: 'none', facets: [] }],
    words: ({ first, second }) => `${first}\n${second}`,
    line: ({ first, second, score }) => ({
      before: first,
      after: second,
      label: 'pair',
      delta: score,
      verdict: 'none',
    }),
    detail: ({ example }) => ({ example, captions: [], notes: [] }),
    mark: ({ first, score }) => ({ texts: [first], words: `alike ${score}`, captions: [] }),
  },
  columns: { before: 'left', after: 'right' },
  cards: () => [
    {
      title: 'Alike',
      metric: 'toy.mean',
      style: 'number',
      range: [0, 1],
      about: 'Mean cosine of two captions.',
    },
  ],
  leading: [{ metric: /^toy\.mean$/, words: (value) => `${value} alike` }],
} satisfies ProbeView<ToyRow>;
