import { say, type Words } from '../../base/say';
import { allOf, eachOf, type Steps } from '../../base/turns/steps';
import { append } from '../../base/lists';
import type { WantKind } from '../../protocol/item';
import { quantileOfSorted } from '../../stats/summary';
import { BesideBlind } from '../benchmark/beside/besideBlind';
import { Difference } from '../inference/difference';
import { Clusters, Figure } from '../figure';
import type { Findings, PlanContext, Summary } from '../probe';
import { clusterOf, type Metric } from '../metric';
import type { VislaRow } from './row';

const wordBands = bands('words', [4, 8, 12]);
const characterBands = bands('characters', [10, 20, 30, 40, 50]);

/** Distances whose bands are slices of the accuracy. Triplets are usually harder if P2 is far from P1. */
const distances: readonly { name: string; bands: readonly Band[]; of: (row: VislaRow) => number }[] = [
  { name: 'words changed from P1 to P2', bands: wordBands, of: ({ words }) => words.p1p2 },
  {
    name: 'characters changed from P1 to P2',
    bands: characterBands,
    of: ({ characters }) => characters.p1p2,
  },
  { name: 'characters changed from P1 to N', bands: characterBands, of: ({ characters }) => characters.p1n },
];

const pairs = ['p1p2', 'p1n', 'p2n'] as const;

interface Band {
  name: string;
  below: number;
}

/** The borders 4, 8 and 12 make the bands "0–3 words", "4–7 words", …, "12 words or more". */
function bands(unit: string, borders: readonly number[]): Band[] {
  return [...borders, Infinity].map((below, i) => {
    const from = i === 0 ? 0 : borders[i - 1];
    return { below, name: below === Infinity ? `${from} ${unit} or more` : `${from}–${below - 1} ${unit}` };
  });
}

class Setting {
  readonly right = new Figure();
  readonly p1n = new Figure();
  readonly p2n = new Figure();
  /** Whether P1 beats the negative, minus whether P2 does. */
  readonly wording = new Difference('results');
  readonly byDistance = distances.map(({ bands: own }) => own.map(() => new Figure()));
  /** The smaller lead of the two comparisons with the negative. */
  readonly margin = new Figure();

  /** `rivals`: two scores for each comparison with the negative, of which the first should be higher. */
  add(row: VislaRow, cluster: number, rivals: { p1n: [number, number]; p2n: [number, number] }): void {
    const worst = Math.min(rivals.p1n[0] - rivals.p1n[1], rivals.p2n[0] - rivals.p2n[1]);
    this.p1n.compare(...rivals.p1n, cluster);
    this.p2n.compare(...rivals.p2n, cluster);
    const [near, far] = [rivals.p1n, rivals.p2n].map(([right, wrong]) => (right > wrong ? 1 : 0));
    this.wording.add(near - far, cluster);
    this.right.compare(worst, 0, cluster);
    this.margin.add(worst, cluster);
    for (const [i, { bands: own, of }] of distances.entries())
      this.byDistance[i][bandAt(own, of(row))].compare(worst, 0, cluster);
  }

  *metrics(id: string): Steps<Metric[]> {
    return [
      yield* this.right.metric(id, { rate: true }),
      yield* this.p1n.metric(`${id}.p1n`, { rate: true }),
      yield* this.p2n.metric(`${id}.p2n`, { rate: true }),
      ...(yield* this.wording.metrics(`${id}.wording`)),
      yield* this.margin.metric(`${id}.margin`),
      ...this.marginQuantiles(`${id}.margin`),
      ...(yield* allOf(distances, ({ name, bands: own }, at) =>
        eachOf(this.byDistance[at], (figure, i) =>
          figure.metric(id, { rate: true, slice: { [name]: own[i].name } }),
        ),
      )),
    ];
  }

  soFar(id: string): Metric[] {
    if (this.right.n === 0) return [];
    return [
      this.right.soFar(id, { rate: true }),
      this.p1n.soFar(`${id}.p1n`, { rate: true }),
      this.p2n.soFar(`${id}.p2n`, { rate: true }),
      this.margin.soFar(`${id}.margin`),
    ];
  }

  /** The first decile, the median and the last decile of the margins. */
  private marginQuantiles(id: string): Metric[] {
    const ascending = this.margin.ascending();
    return Object.entries({ q10: 0.1, median: 0.5, q90: 0.9 }).map(([name, q]) => ({
      id: `${id}.${name}`,
      n: ascending.length,
      ...(ascending.length === 0
        ? { value: null, note: say('probe.noExamples') }
        : { value: quantileOfSorted(ascending, q) }),
    }));
  }
}

/**
 * The edit distances between two captions of each triplet, such as P1 and N: their mean, and the share of
 * triplets in each band (Fig. 8). They describe the dataset and have no intervals.
 */
class Distance {
  private readonly counts: number[];
  private n = 0;
  private total = 0;

  constructor(
    private readonly id: string,
    private readonly unit: string,
    private readonly bands: readonly Band[],
  ) {
    this.counts = bands.map(() => 0);
  }

  add(distance: number): void {
    this.n++;
    this.total += distance;
    this.counts[bandAt(this.bands, distance)]++;
  }

  metrics(): Metric[] {
    const share = (sum: number) =>
      this.n === 0
        ? { value: null, n: 0, note: say('probe.noExamples') }
        : { value: sum / this.n, n: this.n };
    return [
      { id: this.id, ...share(this.total) },
      ...this.counts.map((count, i) => ({
        id: `${this.id}.share`,
        ...share(count),
        slice: { [`${this.unit} changed`]: this.bands[i].name },
      })),
    ];
  }
}

/** Compares both settings: how often both, neither or only one of them is right (Figs. 9 and 10). */
class SideBySide {
  private readonly figures = new Map(
    (
      [
        ['both right', 'visla.both'],
        ['both wrong', 'visla.both.wrong'],
        ['only i2t', 'visla.both.onlyI2t'],
        ['only t2t', 'visla.both.onlyT2t'],
      ] as const
    ).map(([outcome, id]) => [outcome, { id, figure: new Figure() }]),
  );

  /** Whether the image and both captions are right, minus whether the captions alone are. */
  private readonly gain = new Difference('results');

  add(settings: NonNullable<VislaRow['settings']>, cluster: number): void {
    this.gain.add(settings === 'only i2t' ? 1 : settings === 'only t2t' ? -1 : 0, cluster);
    for (const [outcome, { figure }] of this.figures) figure.add(outcome === settings ? 1 : 0, cluster);
  }

  *metrics(): Steps<Metric[]> {
    return [
      ...(yield* eachOf(this.figures.values(), ({ id, figure }) => figure.metric(id, { share: true }))),
      ...(yield* this.gain.metrics('visla.both.gain')),
    ];
  }
}

function bandAt(own: readonly Band[], distance: number): number {
  return own.findIndex(({ below }) => distance < below);
}

export class VislaSummary implements Summary<VislaRow> {
  private readonly clusters = new Clusters();
  private readonly t2t = new Setting();
  private readonly i2t = new Setting();
  private readonly both = new SideBySide();
  private readonly distances = pairs.flatMap((pair) => [
    {
      of: (row: VislaRow) => row.characters[pair],
      distance: new Distance(`visla.distance.characters.${pair}`, 'characters', characterBands),
    },
    {
      of: (row: VislaRow) => row.words[pair],
      distance: new Distance(`visla.distance.words.${pair}`, 'words', wordBands),
    },
  ]);
  private withoutImage = 0;

  private readonly scores: readonly WantKind[];
  private readonly beside: BesideBlind;

  constructor({ scores, seed }: Pick<PlanContext, 'scores' | 'seed'>) {
    this.scores = scores;
    this.beside = new BesideBlind(seed);
  }

  add(row: VislaRow): void {
    const cluster = this.clusters.of(clusterOf(row));
    if (row.t2t) {
      const { p1p2, p1n, p2n } = row.t2t;
      this.t2t.add(row, cluster, { p1n: [p1p2, p2n], p2n: [p1p2, p1n] });
    }
    if (row.i2t) {
      const { p1, p2, n } = row.i2t;
      this.i2t.add(row, cluster, { p1n: [p1, n], p2n: [p2, n] });
      this.beside.add(row, [row.p1, row.p2, row.n], [true, true, false], [p1, p2, n]);
    } else if (row.lost === undefined) this.withoutImage++;
    if (row.settings) this.both.add(row.settings, cluster);
    for (const { of, distance } of this.distances) distance.add(of(row));
  }

  soFar(): Metric[] {
    return [...this.t2t.soFar('visla.t2t'), ...this.i2t.soFar('visla.i2t')];
  }

  *finish(): Steps<Findings> {
    const metrics: Metric[] = [];
    const warnings: Words[] = [];
    if (this.scores.includes('text-text')) append(metrics, yield* this.t2t.metrics('visla.t2t'));
    if (this.scores.includes('image-text')) {
      append(metrics, yield* this.i2t.metrics('visla.i2t'));
      append(metrics, yield* this.beside.metrics('visla.i2t', 'every'));
      if (this.withoutImage > 0) {
        warnings.push(say('visla.tripletsWithoutImage', this.withoutImage));
      }
    }
    if (this.scores.includes('text-text') && this.scores.includes('image-text'))
      append(metrics, yield* this.both.metrics());
    append(
      metrics,
      this.distances.flatMap(({ distance }) => distance.metrics()),
    );
    return { metrics, warnings };
  }
}
