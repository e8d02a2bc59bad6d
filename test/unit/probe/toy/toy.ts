import type { PairProbe, Plan } from '../../../../src/probe/probe';
import { type ToyRow, toyView } from './view';

export const toy: PairProbe<Plan, ToyRow> = {
  ...toyView,
  options: [],
  needs: () => ['text-text'],
  refuse: ({ captions }) => (captions.length < 2 ? 'it has one caption' : undefined),
  plan: ({ captions: [left, right] }) => ({
    wants: [{ left: { kind: 'text', text: left.text }, right: { kind: 'text', text: right.text } }],
  }),
  measure: ({ id, row, place, captions: [left, right] }, _plan, [score]) => [
    { example: id, row, place, first: left.text, second: right.text, score },
  ],
  summary() {
    const scores: number[] = [];
    const metrics = () => [
      {
        id: 'toy.mean',
        value: scores.reduce((sum, score) => sum + score, 0) / scores.length,
        n: scores.length,
      },
    ];
    return {
      add: ({ score }) => scores.push(score),
      soFar: metrics,
      *finish() {
        yield;
        return { metrics: metrics(), warnings: [] };
      },
    };
  },
  claims: () => [],
  faults: () => [],
  shares: ({ score }) => [{ metric: 'toy.mean', value: score, better: 'higher' }],
  async charts(_report, rows) {
    const values: number[] = [];
    for await (const { score } of rows) values.push(score);
    return [{ type: 'histogram', title: 'How alike', axis: 'cosine', values }];
  },
  async *entries(rows) {
    for await (const { first, second } of rows) yield { pair: [first, second] };
  },
};
