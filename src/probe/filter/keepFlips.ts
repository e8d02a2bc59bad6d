/* Measures how often a change without a change of meaning reverses what a filter by the score decides. */
import { append } from '../../base/lists';
import { say, together, type Words } from '../../base/say';
import { LongColumn } from '../../base/files/longColumn';
import { eachOf, type Steps } from '../../base/turns/steps';
import { numberClusters } from '../../stats/clustering';
import { isDefined, type Outcome } from '../../stats/outcome';
import { clusteredShareInterval, wilsonInterval } from '../../stats/proportion';
import { sum } from '../../stats/summary';
import { tooFewImages } from '../inference/interval';
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
  addOriginal(score: number): void {
    this.originals.push(score);
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
    const scores = this.originals.all().slice().sort().reverse();
    const images = new Set(clusters).size;
    const few = tooFewImages(images);
    return yield* eachOf(this.percents.entries(), function* ([at, percent]): Steps<Metric> {
      yield;
      // Whole numbers keep the count exact: 30 % of 10 are 3.
      const threshold = scores[Math.ceil((percent * scores.length) / 100) - 1];
      const reversed = before.map((score, i) => (score >= threshold !== after[i] >= threshold ? 1 : 0));
      const value = sum(reversed) / n;
      const kept = scores.findLastIndex((score) => score >= threshold) + 1;
      const ties = before.filter((score, i) => score === threshold || after[i] === threshold).length;
      const rule = say('filter.threshold', String(threshold), kept, scores.length);
      const byText = units.texts === undefined ? undefined : endsBy(Array.from(texts), reversed);
      const interval = widerOf(units, few ?? endsBy(Array.from(clusters), reversed), byText);
      const ends = ended(interval, few === undefined ? value : undefined, images, rule);
      return { ...empty[at], value, ties, ...ends };
    });
  }

  /** Images, and captions if words change and images share captions. */
  private unitsOf(clusters: Uint32Array, texts: Uint32Array | undefined): Units {
    return unitsOf(
      Array.from(clusters, (image, at) => ({
        image,
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

/**
 * Wilson's clustered interval for the threshold of the run. A threshold that is drawn again in each resample gives
 * intervals that are too short, because few changes lie near it.
 */
function endsBy(clusters: readonly number[], reversed: Float64Array): Outcome<{ low: number; high: number }> {
  const { of, count } = numberClusters(clusters);
  const [totals, sizes] = [new Float64Array(count), new Float64Array(count)];
  for (const [i, one] of reversed.entries()) {
    totals[of[i]] += one;
    sizes[of[i]]++;
  }
  return clusteredShareInterval(totals, sizes);
}
