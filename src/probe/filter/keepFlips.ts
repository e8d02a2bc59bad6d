/* Measures how often a change without a change of meaning reverses what a filter by the score decides. */
import { append } from '../../base/append';
import { say, together, type Words } from '../../base/say';
import { LongColumn } from '../../base/files/longColumn';
import type { Steps } from '../../base/turns/steps';
import { type BcaInterval, bcaIntervals } from '../../stats/bootstrap';
import { numberClusters } from '../../stats/clustering';
import { isDefined, type Outcome } from '../../stats/outcome';
import { wilsonInterval } from '../../stats/proportion';
import { intervalSeed, tooFewImages } from '../inference/interval';
import { countsOf, type Units, unitsOf, widerOf } from '../inference/units';
import type { Metric, Slice } from '../metric';

/** A change with the score before it and after it. */
interface Change {
  before: number;
  after: number;
  cluster: number;
  /** The group of changes with its own slice. */
  part?: string;
  /** The caption without changed words, if images share captions. */
  text?: string;
  /** Whether the change is of words, so that images with one caption may respond alike. */
  ofWords?: boolean;
}

/** Collects a run's scores, because the threshold of a filter depends on all of them. */
export class KeepFlips {
  private readonly originals = new LongColumn(Float64Array);
  private readonly originalClusters = new LongColumn(Uint32Array);
  private readonly originalTexts = new LongColumn(Uint32Array);
  private readonly before = new LongColumn(Float64Array);
  private readonly after = new LongColumn(Float64Array);
  private readonly clusters = new LongColumn(Uint32Array);
  private readonly texts = new LongColumn(Uint32Array);
  private readonly parts = new LongColumn(Uint8Array);
  private readonly names: string[] = [];
  private readonly ofWords = new Set<number>();
  private readonly numbers = new Map<string, number>();

  constructor(private readonly percents: readonly number[]) {}

  /** Adds a caption of the run. These scores set the threshold. */
  addOriginal(score: number, cluster: number, text = ''): void {
    this.originals.push(score);
    this.originalClusters.push(cluster);
    this.originalTexts.push(this.numberOf(text));
  }

  addChange({ before, after, cluster, part = '', text = '', ofWords = false }: Change): void {
    if (!this.names.includes(part)) this.names.push(part);
    const at = this.names.indexOf(part);
    if (ofWords) this.ofWords.add(at);
    this.before.push(before);
    this.after.push(after);
    this.clusters.push(cluster);
    this.texts.push(this.numberOf(text));
    this.parts.push(at);
  }

  private numberOf(text: string): number {
    const number = this.numbers.get(text) ?? this.numbers.size;
    this.numbers.set(text, number);
    return number;
  }

  /** One metric for each percentage, and with a `key` one for each part, as a slice of that name. */
  *metrics(probe: string, key?: string): Steps<Metric[]> {
    const metrics = yield* this.over(probe);
    if (key === undefined) return metrics;
    for (const [at, name] of this.names.entries())
      append(metrics, yield* this.over(probe, at, { [key]: name }));
    return metrics;
  }

  private *over(probe: string, part?: number, slice?: Slice): Steps<Metric[]> {
    const parts = this.parts.all();
    const isOwn = (_: number, at: number): boolean => part === undefined || parts[at] === part;
    const [before, after] = [this.before, this.after].map((column) => column.all().filter(isOwn));
    const [clusters, texts] = [this.clusters, this.texts].map((column) => column.all().filter(isOwn));
    const n = before.length;
    const units = this.unitsOf(clusters, part === undefined || this.ofWords.has(part) ? texts : undefined);
    const shared = { value: null, n, ties: 0, ...(slice === undefined ? {} : { slice }), ...countsOf(units) };
    const empty = this.percents.map((percent): Metric => ({
      id: `${probe}.keepFlips@${percent}`,
      ...shared,
    }));
    if (n === 0) return empty.map((metric) => ({ ...metric, note: say('probe.noExamples') }));
    const scores = this.originals.all();
    yield;
    const filtersBy = (originals: Uint32Array, own: Uint32Array): Filters =>
      new Filters({ scores, clusters: originals }, { before, after, clusters: own }, this.percents);
    const byImage = filtersBy(this.originalClusters.all(), clusters);
    const images = new Set(clusters).size;
    const few = tooFewImages(images);
    const intervals = few === undefined ? yield* byImage.intervals() : [];
    const byText =
      few === undefined && units.texts !== undefined
        ? yield* filtersBy(this.originalTexts.all(), texts).intervals()
        : undefined;
    const whole = byImage.whole();
    return empty.map((metric, at) => {
      const { value, ties, threshold, kept } = whole[at];
      const rule = say('filter.threshold', String(threshold), kept, scores.length);
      const interval = widerOf(units, few ?? intervals[at], byText?.[at]);
      return {
        ...metric,
        value,
        ties,
        ...ended(interval, few === undefined ? value : undefined, images, rule),
      };
    });
  }

  /** Images, and captions if words change and images share captions. */
  private unitsOf(clusters: Uint32Array, texts: Uint32Array | undefined): Units {
    return unitsOf(
      Array.from(clusters, (photo, at) => ({
        photo,
        ...(texts === undefined || this.ofWords.size === 0 ? {} : { text: String(texts[at]) }),
      })),
    );
  }
}

/** The interval and the note of a metric. `share` is undefined if the images are too few for any interval. */
function ended(
  interval: Outcome<{ low: number; high: number }>,
  share: number | undefined,
  images: number,
  rule: Words,
): Pick<Metric, 'ci' | 'note'> {
  if (isDefined(interval)) return { ci: [interval.low, interval.high], note: rule };
  const score = share === 0 || share === 1 ? wilsonInterval(share * images, images) : interval;
  return isDefined(score)
    ? { ci: [score.low, score.high], note: together(say('probe.wilsonInterval'), rule) }
    : { note: together(say('probe.noInterval', interval.reason), rule) };
}

interface Originals {
  scores: Float64Array;
  clusters: Uint32Array;
}

interface Changes {
  before: ArrayLike<number>;
  after: ArrayLike<number>;
  clusters: ArrayLike<number>;
}

/** Filters that keep the highest scores of a sample of clusters. The sample also decides the thresholds. */
class Filters {
  private readonly clusterCount: number;
  /** The number of changes that some threshold would reverse. */
  private readonly changing: number;
  /** The originals' scores in descending order, with their clusters and the index of each distinct score. */
  private readonly descending: Float64Array;
  private readonly clusterAt: Uint32Array;
  private readonly levelAt: Uint32Array;
  /** The clusters of the changes that a threshold may reverse: each from one index up to another. */
  private readonly changed: { cluster: Uint32Array; from: Uint32Array; to: Uint32Array };
  private readonly originalsOf: Float64Array;
  private readonly changesOf: Float64Array;

  constructor(
    { scores, clusters }: Originals,
    private readonly changes: Changes,
    private readonly percents: readonly number[],
  ) {
    const numbered = numberClusters([...clusters, ...Array.from(changes.clusters)]);
    this.clusterCount = numbered.count;
    const count = scores.length;
    const order = Uint32Array.from(scores.keys()).sort((a, b) => scores[b] - scores[a] || a - b);
    this.descending = Float64Array.from(order, (at) => scores[at]);
    this.clusterAt = Uint32Array.from(order, (at) => numbered.of[at]);
    this.levelAt = new Uint32Array(count);
    const levels: number[] = [];
    for (const [at, score] of this.descending.entries()) {
      if (at === 0 || score !== this.descending[at - 1]) levels.push(score);
      this.levelAt[at] = levels.length - 1;
    }
    this.originalsOf = new Float64Array(this.clusterCount);
    for (const cluster of this.clusterAt) this.originalsOf[cluster]++;
    this.changesOf = new Float64Array(this.clusterCount);
    const found: [cluster: number, from: number, to: number][] = [];
    for (let at = 0; at < changes.before.length; at++) {
      const cluster = numbered.of[count + at];
      this.changesOf[cluster]++;
      // A threshold reverses the change if only one of its scores reaches it.
      const [a, b] = [changes.before[at], changes.after[at]].map((score) => firstKept(levels, score));
      if (a !== b) found.push([cluster, Math.min(a, b), Math.max(a, b)]);
    }
    this.changing = found.length;
    const column = (part: 0 | 1 | 2) => Uint32Array.from(found, (one) => one[part]);
    this.changed = { cluster: column(0), from: column(1), to: column(2) };
  }

  intervals(): Steps<Outcome<BcaInterval>[]> {
    return bcaIntervals(
      {
        ...{ clusters: this.clusterCount, count: this.percents.length },
        work: this.descending.length + this.changing,
        of: (times, out) => this.of(times, out),
      },
      { seed: intervalSeed },
    );
  }

  /** The shares over all clusters, with each filter's threshold. */
  whole(): { value: number; ties: number; threshold: number; kept: number }[] {
    const out = new Float64Array(this.percents.length);
    const places = this.of(new Float64Array(this.clusterCount).fill(1), out);
    const { before, after } = this.changes;
    return places.map((place, at) => {
      const threshold = this.descending[place];
      let ties = 0;
      for (let i = 0; i < before.length; i++) if (before[i] === threshold || after[i] === threshold) ties++;
      const kept = this.descending.reduce((sum, score) => (score >= threshold ? sum + 1 : sum), 0);
      return { value: out[at], ties, threshold, kept };
    });
  }

  /** Writes each filter's share to `out`. Returns the places of the thresholds among the descending scores. */
  of(times: Float64Array, out: Float64Array): number[] {
    const { clusterAt, levelAt, changed, originalsOf, changesOf } = this;
    let [originals, changes] = [0, 0];
    for (let c = 0; c < times.length; c++) {
      originals += times[c] * originalsOf[c];
      changes += times[c] * changesOf[c];
    }
    if (originals === 0 || changes === 0) {
      out.fill(NaN);
      return [];
    }
    const places: number[] = [];
    let [place, drawn] = [-1, 0];
    for (const [at, percent] of this.percents.entries()) {
      // Whole numbers keep the count exact: 30 % of 10 are 3.
      const needed = Math.ceil((percent * originals) / 100);
      while (drawn < needed) drawn += times[clusterAt[++place]];
      const level = levelAt[place];
      const { cluster, from, to } = changed;
      let reversed = 0;
      for (let i = 0; i < cluster.length; i++)
        if (from[i] <= level && level < to[i]) reversed += times[cluster[i]];
      out[at] = reversed / changes;
      places.push(place);
    }
    return places;
  }
}

/** The index of the first of the descending levels that is not above the score: the first threshold that keeps it. */
function firstKept(levels: readonly number[], score: number): number {
  let [low, high] = [0, levels.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (levels[middle] <= score) high = middle;
    else low = middle + 1;
  }
  return low;
}
