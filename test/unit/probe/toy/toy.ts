import { Clusters, Figure } from '../../../../src/probe/figure';
import { clusterOf, ownCluster } from '../../../../src/probe/metric';
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
  measure: (example, _plan, [score]) => {
    const { id, row, place, images, captions } = example;
    const [first, second] = captions.map(({ text }) => text);
    // Intervals are over images, or over the clusters that the user named.
    const of = { example: id, row, place, image: images.at(0)?.name, ...ownCluster(example) };
    return [{ ...of, first, second, score }];
  },
  summary() {
    const clusters = new Clusters();
    const score = new Figure();
    return {
      add: (row) => score.add(row.score, clusters.of(clusterOf(row))),
      soFar: () => [score.soFar('toy.mean')],
      *finish() {
        return { metrics: [yield* score.metric('toy.mean')], warnings: [] };
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
