import type { WantKind } from '../../evaluator/item';
import { Clusters, Figure } from '../figure';
import type { Findings, Metric, Summary } from '../probe';
import type { VislaRow } from './row';

/** How differently the two positives are worded, in changed words: the harder half of VISLA is where P2 is far from P1. */
const wordingBands = [
  { name: '0–3 words', below: 4 },
  { name: '4–7 words', below: 8 },
  { name: '8–11 words', below: 12 },
  { name: '12 words or more', below: Infinity },
];

class Setting {
  readonly right = new Figure();
  readonly p1n = new Figure();
  readonly p2n = new Figure();
  readonly byWording = wordingBands.map(() => new Figure());
  /** How far the worst comparison was from turning. */
  readonly margin = new Figure();

  /** `toP1` and `toP2` are the similarities the negative's two rivals have, `n1` and `n2` those of the negative. */
  add(row: VislaRow, cluster: number, rivals: { p1n: [number, number]; p2n: [number, number] }): void {
    const worst = Math.min(rivals.p1n[0] - rivals.p1n[1], rivals.p2n[0] - rivals.p2n[1]);
    this.p1n.compare(...rivals.p1n, cluster);
    this.p2n.compare(...rivals.p2n, cluster);
    this.right.compare(worst, 0, cluster);
    this.margin.add(worst, cluster);
    this.byWording[wordingBands.findIndex((band) => row.words.p1p2 < band.below)].compare(worst, 0, cluster);
  }

  metrics(id: string): Metric[] {
    return [
      this.right.metric(id, { rate: true }),
      this.p1n.metric(`${id}.p1n`, { rate: true }),
      this.p2n.metric(`${id}.p2n`, { rate: true }),
      this.margin.metric(`${id}.margin`),
      ...this.byWording.map((figure, i) =>
        figure.metric(id, { rate: true, slice: { 'words changed from P1 to P2': wordingBands[i].name } }),
      ),
    ];
  }
}

export class VislaSummary implements Summary<VislaRow> {
  private readonly clusters = new Clusters();
  private readonly t2t = new Setting();
  private readonly i2t = new Setting();
  private withoutPhoto = 0;

  constructor(private readonly scores: readonly WantKind[]) {}

  add(row: VislaRow): void {
    const cluster = this.clusters.of(row.image ?? row.example);
    if (row.t2t) {
      const { p1p2, p1n, p2n } = row.t2t;
      this.t2t.add(row, cluster, { p1n: [p1p2, p2n], p2n: [p1p2, p1n] });
    }
    if (row.i2t) {
      const { p1, p2, n } = row.i2t;
      this.i2t.add(row, cluster, { p1n: [p1, n], p2n: [p2, n] });
    } else this.withoutPhoto++;
  }

  finish(): Findings {
    const metrics: Metric[] = [];
    const warnings: string[] = [];
    if (this.scores.includes('text-text')) metrics.push(...this.t2t.metrics('visla.t2t'));
    if (this.scores.includes('image-text')) {
      metrics.push(...this.i2t.metrics('visla.i2t'));
      if (this.withoutPhoto > 0) {
        warnings.push(
          `${this.withoutPhoto} triplets took part text to text only: their photos were not found. Name their folder with --images.`,
        );
      }
    }
    return { metrics, warnings };
  }
}
