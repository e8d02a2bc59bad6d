/* The accuracy of an evaluator beside that of models without the image, on the same choices. */
import { pEquals } from '../../../base/pValue';
import { Random } from '../../../base/random';
import { say, together, type Words } from '../../../base/say';
import type { Steps } from '../../../base/turns/steps';
import { leastImages } from '../../../stats/decisions/smallSample';
import { Clusters, Figure } from '../../figure';
import { Difference } from '../../inference/difference';
import { clusterOf, type Metric, type Row } from '../../metric';
import { blindMetric } from '../blind/baselines';
import { baselineNames } from '../blind/names';
import { leftBy, testedBaselines } from '../blind/verdict';
import {
  type BlindCredits,
  blindCredits,
  chanceOf,
  creditsOf,
  type Decision,
  decided,
  type Rule,
} from './decisions';

/** With more choices than this, only those about a part of the images are kept, so that time and memory are bounded. */
const mostDecisions = 20_000;

interface Kept extends Decision {
  /** The credit of the evaluator for each right caption. */
  credits: readonly number[];
}

/** Collects the choices of one evaluator. */
export class BesideBlind {
  private kept: Kept[] = [];
  /** The share of images whose choices are kept: 1, 1/2, 1/4, … It does not depend on the order of the rows. */
  private share = 1;

  constructor(
    private readonly seed: number,
    private readonly most = mostDecisions,
  ) {}

  /** Adds a choice between right and wrong captions of one image, with their scores. */
  add(
    row: Pick<Row, 'cluster' | 'image' | 'example'>,
    captions: readonly string[],
    isRight: readonly boolean[],
    scores: readonly number[],
  ): void {
    if (isRight.every(Boolean) || !isRight.some(Boolean)) return;
    const observation = clusterOf(row);
    if (!this.isKept({ observation })) return;
    this.kept.push({
      ...{ observation, captions: captions.map((caption) => caption.trim()), isRight },
      credits: creditsOf(isRight, scores),
    });
    while (this.kept.length > this.most) {
      this.share /= 2;
      this.kept = this.kept.filter((one) => this.isKept(one));
    }
  }

  private isKept({ observation }: Pick<Decision, 'observation'>): boolean {
    return this.share === 1 || new Random(this.seed, observation, 'beside blind').uniform() < this.share;
  }

  /** The metrics beside the accuracy with this id. None without choices. */
  *metrics(id: string, rule: Rule): Steps<Metric[]> {
    const { kept, share } = this;
    if (kept.length === 0 && share === 1) return [];
    const sample = share === 1 ? undefined : say('benchmark.partOfImages', kept.length, 1 / share);
    const none = (why: Words): Metric[] =>
      [`${id}.blind`, `${id}.beyondBlind`].map((each) => ({
        ...{ id: each, value: null, n: kept.length, note: together(why, sample) },
      }));
    const clusters = new Clusters();
    const clusterOfEach = kept.map(({ observation }) => clusters.of(observation));
    if (new Set(clusterOfEach).size < leastImages) return none(say('benchmark.tooFewForBlind', leastImages));
    const credits = yield* blindCredits(kept, rule, this.seed);
    const chances = Float64Array.from(kept, (one) => chanceOf(one, rule));
    const over = { kept, rule, clusters: clusterOfEach, chances };
    const tested = testedBaselines(yield* accuracies(credits, over));
    const best = tested.find(({ isAbove }) => isAbove);
    if (best === undefined) return none(say('benchmark.noBlind'));
    const above = credits.filter(([name]) => tested.some((one) => one.name === name && one.isAbove));
    const note = say(
      'benchmark.bestOfBaselines',
      baselineNames[best.name],
      tested.length,
      pEquals(best.adjusted),
    );
    // Ties of the baseline would say that the evaluator's own comparisons are decided.
    const baseline = { ...best.metric };
    delete baseline.ties;
    return [
      { ...baseline, id: `${id}.blind`, kind: best.name, note: together(note, best.metric.note, sample) },
      ...(yield* gain(
        `${id}.blind.gain`,
        credits.find(([name]) => name === best.name)![1],
        tested.length,
        over,
      )).map((metric) => ({ ...metric, note: together(metric.note, sample) })),
      yield* beyond(`${id}.beyondBlind`, above, over, sample),
    ];
  }
}

interface Over {
  kept: readonly Kept[];
  rule: Rule;
  clusters: readonly number[];
  chances: Float64Array;
}

function* accuracies(credits: BlindCredits, { clusters, chances }: Over): Steps<Metric[]> {
  const metrics: Metric[] = [];
  const chance = chances.reduce((sum, own) => sum + own, 0) / chances.length;
  for (const [name, shares] of credits) {
    const figure = new Figure();
    for (const [i, credit] of shares.entries()) {
      figure.add(credit, clusters[i]);
      if (credit > 0 && credit < 1) figure.ties++;
    }
    metrics.push({ ...(yield* figure.metric(blindMetric(name), { share: true, ties: true })), chance });
  }
  return metrics;
}

/** The evaluator's accuracy minus that of the best baseline. The p value is that of the best of several tests. */
function* gain(
  id: string,
  best: Float64Array,
  tests: number,
  { kept, rule, clusters }: Over,
): Steps<Metric[]> {
  const difference = new Difference('results');
  for (const [i, { credits }] of kept.entries())
    difference.add(decided(credits, rule) - best[i], clusters[i]);
  const [whole, p] = yield* difference.metrics(id);
  if (p.value === null) return [whole, p];
  const times = say('benchmark.timesTests', tests);
  return [whole, { ...p, value: Math.min(1, p.value * tests), note: together(p.note, times) }];
}

/** The evaluator's accuracy on the choices that no baseline above chance gets right. */
function* beyond(
  id: string,
  above: BlindCredits,
  { kept, rule, clusters, chances }: Over,
  sample: Words | undefined,
): Steps<Metric> {
  const left = leftBy(kept.length, above);
  const figure = new Figure();
  let chance = 0;
  for (const [i, { credits }] of kept.entries()) {
    if (left[i] === 0) continue;
    const credit = decided(credits, rule);
    figure.add(credit === 1 ? 1 : 0, clusters[i]);
    if (credit > 0 && credit < 1) figure.ties++;
    chance += chances[i];
  }
  const metric = yield* figure.metric(id, { rate: true });
  const note = together(say('benchmark.leftOf', figure.n, kept.length), metric.note, sample);
  return figure.n === 0 ? { ...metric, note } : { ...metric, chance: chance / figure.n, note };
}
