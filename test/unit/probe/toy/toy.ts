import { Clusters, Figure } from '../../../../src/probe/figure';
import { clusterOf, ownCluster } from '../../../../src/probe/metric';
import { missingImage } from '../../../../src/probe/missingImage';
import type { PairProbe, Plan } from '../../../../src/probe/probe';
import { type ToyRow, toyView } from './view';

export const toy: PairProbe<Plan, ToyRow> = {
  ...toyView,
  options: [],
  needs: () => ['image-text'],
  refuse: (example, { image }) => {
    if (example.captions.length < 2) return 'it has one caption';
    return image(0) === undefined ? missingImage(example) : undefined;
  },
  // The image is on the left.
  plan: ({ captions }, { image }) => ({
    wants: captions.slice(0, 2).map(({ text }) => ({ left: image(0)!, right: { kind: 'text', text } })),
  }),
  measure: (example, _plan, [firstScore, secondScore]) => {
    // The evaluator may have no score. Without a row, the example is left out.
    if (Number.isNaN(firstScore) || Number.isNaN(secondScore)) return [];
    const { id, row, place, images, captions } = example;
    const [first, second] = captions.map(({ text }) => text);
    // Intervals are over images, or over the clusters that the user named.
    const of = { example: id, row, place, image: images.at(0)?.name, ...ownCluster(example) };
    return [{ ...of, first, second, firstScore, secondScore }];
  },
  summary() {
    const clusters = new Clusters();
    const wins = new Figure();
    const lead = new Figure();
    return {
      add(row) {
        const cluster = clusters.of(clusterOf(row));
        wins.compare(row.firstScore, row.secondScore, cluster);
        lead.add(row.firstScore - row.secondScore, cluster);
      },
      soFar: () => [wins.soFar('toy.first', { rate: true })],
      *finish() {
        // A rate counts its ties. Without `rate`, a metric is a mean.
        const metrics = [yield* wins.metric('toy.first', { rate: true }), yield* lead.metric('toy.lead')];
        return { metrics, warnings: [] };
      },
    };
  },
  claims: () => [],
  faults: () => [],
  shares: (row) => [{ metric: 'toy.lead', value: row.firstScore - row.secondScore, better: 'higher' }],
  async charts(_report, rows) {
    const values: number[] = [];
    for await (const { firstScore, secondScore } of rows) values.push(firstScore - secondScore);
    return [{ type: 'histogram', title: 'Lead of the first', axis: 'score', values }];
  },
  async *entries(rows) {
    for await (const { first, second } of rows) yield { pair: [first, second] };
  },
};
