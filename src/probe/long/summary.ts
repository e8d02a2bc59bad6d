import { append } from '../../base/lists';
import { say, type Words } from '../../base/say';
import { allOf, eachOf, type Steps } from '../../base/turns/steps';
import { editKinds } from '../../perturb/long/kinds';
import { errorKinds } from '../../perturb/long/kinds';
import { numberClusters } from '../../stats/clustering';
import { Clusters, Figure } from '../figure';
import { associationMetric, associationOf, lengthAgreement } from '../inference/lengthAgreement';
import { clusterOf, FirstDraw, type Metric, type Slice } from '../metric';
import type { Findings, Summary } from '../probe';
import { longBand, longBands } from './names';
import { isError, type LongRow, type PlantedVariant } from './row';
import { DetectionSlope } from './slope';

const deciles = Array.from({ length: 10 }, (_, at) => at + 1);

export class LongSummary implements Summary<LongRow> {
  private readonly clusters = new Clusters();
  private readonly pr = new Figure();
  private readonly byKind = figuresOf(errorKinds);
  private readonly byLength = figuresOf(longBands);
  private readonly byDecile = figuresOf(deciles.map(String));
  private readonly byDecileAndLength = figuresOf(
    deciles.flatMap((decile) => longBands.map((band) => `${decile} ${band}`)),
  );
  private readonly slope = new DetectionSlope();
  private readonly slopeRead = new DetectionSlope();
  private readonly ignored = new Figure();
  private readonly changed = new Figure();
  private readonly edits = figuresOf(editKinds);
  private readonly rated = { scores: [] as number[], ratings: [] as number[], words: [] as number[] };
  private readonly ratedImages: string[] = [];
  private readonly first = new FirstDraw();
  private captions = 0;
  private planted = 0;
  private withoutErrors = 0;
  private truncated = 0;

  add(row: LongRow): void {
    const cluster = this.clusters.of(clusterOf(row));
    const errors = row.variants.filter(isError);
    if (this.first.has(row)) this.addCaption(row, errors.length);
    for (const error of errors) this.addError(row, error, cluster);
    for (const kind of editKinds)
      for (const { kind: own, delta } of row.variants)
        if (own === kind) this.addEdit(this.edits.get(kind)!, delta, cluster);
  }

  private addCaption(row: LongRow, errors: number): void {
    if (row.rating !== undefined) this.addRated(row, row.rating);
    this.captions++;
    // No error is planted in a candidate that people rated.
    const isPlanted = row.rating === undefined || row.variants.length > 0;
    if (isPlanted) this.planted++;
    if (isPlanted && errors === 0) this.withoutErrors++;
    if (row.truncated === true) this.truncated++;
  }

  private addRated(row: LongRow, rating: number): void {
    const { scores, ratings, words } = this.rated;
    scores.push(row.score);
    ratings.push(rating);
    words.push(row.words);
    this.ratedImages.push(clusterOf(row));
  }

  /** Agreement with people's ratings, if there are any. */
  private *agreement(): Steps<Metric[]> {
    const { scores, ratings } = this.rated;
    if (scores.length === 0) return [];
    const clusters = numberClusters(this.ratedImages);
    const found = yield* associationOf('tauB', ratings, scores, clusters);
    return [
      associationMetric('long.tauB', found, scores.length, clusters.count),
      ...(yield* lengthAgreement('long', { ...this.rated, clusters })),
    ];
  }

  private addEdit(figure: Figure, delta: number, cluster: number): void {
    figure.add(delta, cluster);
    if (delta === 0) figure.ties++;
  }

  private addError(row: LongRow, error: PlantedVariant, cluster: number): void {
    const band = longBand(row.words);
    for (const figure of [
      this.pr,
      this.byKind.get(error.kind)!,
      this.byLength.get(band)!,
      this.byDecile.get(String(error.decile))!,
      this.byDecileAndLength.get(`${error.decile} ${band}`)!,
    ])
      figure.compare(row.score, error.score, cluster);
    const isDetected = row.score > error.score;
    this.slope.add(error.position, isDetected, cluster);
    if (error.past === undefined) return;
    this.ignored.add(error.past ? 1 : 0, cluster);
    if (error.past) {
      this.changed.add(error.score === row.score ? 0 : 1, cluster);
      if (error.score === row.score) this.changed.ties++;
    }
    if (!error.past) this.slopeRead.add(error.position, isDetected, cluster);
  }

  soFar(): Metric[] {
    return [this.pr.soFar('long.pr', { rate: true })];
  }

  *finish(): Steps<Findings> {
    const metrics: Metric[] = [yield* this.pr.metric('long.pr', { rate: true })];
    append(
      metrics,
      yield* eachOf(deciles, (decile) =>
        this.byDecile.get(String(decile))!.metric(`long.pr.position.${decile}`, { rate: true }),
      ),
    );
    append(metrics, yield* this.slope.metrics('long.slope'));
    append(metrics, yield* this.limitMetrics());
    append(
      metrics,
      yield* eachOf(this.edits, ([kind, figure]) =>
        figure.metric(`long.${kind}`, { interval: 'skewed', ties: true }),
      ),
    );
    append(metrics, yield* this.agreement());
    append(metrics, yield* this.slices());
    return { metrics, warnings: this.warnings() };
  }

  /** What is after the token limit. An evaluator that truncates texts must give such an error the caption's score. */
  private *limitMetrics(): Steps<Metric[]> {
    const unknown = this.ignored.n === 0 && this.pr.n > 0;
    const metrics = [
      yield* this.ignored.metric('long.ignored', { share: true }),
      yield* this.changed.metric('long.ignored.changed', { share: true }),
      ...(yield* this.slopeRead.metrics('long.slope.read')),
    ];
    return unknown ? metrics.map((metric) => ({ ...metric, note: say('long.limitUnknown') })) : metrics;
  }

  private *slices(): Steps<Metric[]> {
    const sliced = (id: string, figure: Figure | undefined, slice: Slice): Steps<Metric[]> =>
      listed(id, figure!, slice);
    return [
      ...(yield* allOf(errorKinds, (error) => sliced('long.pr', this.byKind.get(error), { error }))),
      ...(yield* allOf(longBands, (band) =>
        sliced('long.pr', this.byLength.get(band), { 'caption length': band }),
      )),
      ...(yield* allOf(deciles, (decile) =>
        allOf(longBands, (band) =>
          sliced(`long.pr.position.${decile}`, this.byDecileAndLength.get(`${decile} ${band}`), {
            'caption length': band,
          }),
        ),
      )),
    ];
  }

  private warnings(): Words[] {
    const { captions, planted, withoutErrors, truncated, changed } = this;
    const moved = changed.n - changed.ties;
    return [
      ...(withoutErrors > 0 ? [say('long.captionsWithoutErrors', withoutErrors, planted)] : []),
      ...(truncated > 0 ? [say('long.captionsTruncated', truncated, captions)] : []),
      ...(moved > 0 ? [say('long.pastLimitChanged', moved, changed.n)] : []),
    ];
  }
}

/** The metric of a slice, if it has errors. */
function* listed(id: string, figure: Figure, slice: Slice): Steps<Metric[]> {
  return figure.n === 0 ? [] : [yield* figure.metric(id, { rate: true, slice })];
}

function figuresOf(names: readonly string[]): Map<string, Figure> {
  return new Map(names.map((name) => [name, new Figure()]));
}
