/* Scores a few pairs twice, because no metric means anything if a score depends on more than its pair. */
import { say } from '../../base/say';
import { createBench } from '../../bench/createBench';
import type { Evaluator } from '../../evaluator/evaluator';
import { embedsBoth } from '../../probe/pairScores';
import type { Want } from '../../protocol/item';
import type { Report } from '../../report/report';
import { mean } from '../../stats/summary';
import { drawFew, type DrawRequest } from './draw';
import { kindOfPairs } from './spread';
import type { Claim } from '../../probe/metric';

export type Repeat = NonNullable<Report['repeat']>;

/** Few images, because a store without them must encode each image twice. */
const few = { images: 10, pairs: 48 };
const fewest = 5;
/** Batches of the second time. The first has the batches of the run. */
const smallBatch = 3;
/** A divisor of the number of pairs, so that the reversed order has the same batches. */
const evenBatch = 4;
/** Changes below this share of the scores' standard deviation are rounding: float32 gives about 1e-6. */
const rounding = 1e-4;

interface Scoring {
  isReversed?: boolean;
  /** Absent for the batches of the run. */
  batchSize?: number;
  /** The name under which the store keeps the results. Without a name, nothing is stored. */
  name?: string;
}

/** The tests of a run's evaluators. Each evaluator is tested once. */
export class Repeats {
  private readonly known = new Map<Evaluator, Repeat | undefined>();

  /** Tests nothing without `draw`: a merge of shards only recalls results. `drawn` receives image names. */
  constructor(
    private readonly draw?: DrawRequest,
    private readonly options: { store?: string; batchSize?: number; drawn?: Set<string> } = {},
  ) {}

  async of(evaluator: Evaluator): Promise<Repeat | undefined> {
    if (!this.known.has(evaluator)) this.known.set(evaluator, await this.test(evaluator));
    return this.known.get(evaluator);
  }

  /** `earlier`: the results of an earlier, stopped run, or "again" if its images have changed. */
  async testAll(
    evaluators: readonly Evaluator[],
    earlier: readonly { repeat?: Repeat }[] | 'again' | undefined,
  ): Promise<void> {
    for (const [i, evaluator] of evaluators.entries()) {
      if (earlier === 'again') this.known.delete(evaluator);
      if (typeof earlier === 'object') this.recall(evaluator, earlier[i].repeat);
      else await this.of(evaluator);
    }
  }

  /** Uses the result of an earlier, stopped run, or of a shard. */
  recall(evaluator: Evaluator, found: Repeat | undefined): void {
    this.known.set(evaluator, found);
  }

  get(evaluator: Evaluator): Repeat | undefined {
    return this.known.get(evaluator);
  }

  /**
   * Scores pairs in the batches of the run, then reversed in small batches. If scores differ, further scorings tell whether
   * chance, the order or the batch decides.
   */
  private async test(evaluator: Evaluator): Promise<Repeat | undefined> {
    const { draw } = this;
    if (draw === undefined || isTable(evaluator) || mayCost(evaluator)) return undefined;
    const drawn = await drawFew(draw, kindOfPairs(evaluator.info), few, [evaluator]);
    const wants = drawn.slice(0, drawn.length - (drawn.length % evenBatch));
    for (const { left } of wants)
      if (left.kind === 'image' && 'path' in left.source) this.options.drawn?.add(left.source.name);
    const score = (scoring: Scoring): Promise<Float64Array> =>
      this.score(evaluator, wants, scoring, draw.signal);
    const most = fixedSize(evaluator);
    const batchSize = most ?? this.options.batchSize;
    const first = await score({ batchSize, name: 'first' });
    const scored = first.filter((value) => !Number.isNaN(value));
    if (scored.length < fewest) return undefined;
    const centre = mean(scored);
    const deviation = Math.sqrt(mean(scored.map((value) => (value - centre) ** 2)));
    const differ = (one: Float64Array, other: Float64Array): boolean =>
      largestChange(one, other) > rounding * deviation;
    const second = await score({ isReversed: true, batchSize: smallBatch, name: 'second' });
    const base: Repeat = { pairs: scored.length };
    if (!differ(first, second))
      return scored.every((value) => value === scored[0]) ? { ...base, constant: true } : base;
    const largest = largestChange(first, second);
    const effect = { largest, ...(deviation > 0 ? { relative: largest / deviation } : {}) };
    const again = await score({ isReversed: true, batchSize: smallBatch });
    if (differ(second, again)) return { ...base, decides: 'chance', ...effect };
    // Few texts and images fit into one batch. Pairs may be large, so their batches stay small.
    const size = Math.min(embedsBoth(innermost(evaluator)) ? few.pairs : evenBatch, most ?? Infinity);
    const [forward, backward] = [
      await score({ batchSize: size }),
      await score({ batchSize: size, isReversed: true }),
    ];
    return { ...base, decides: differ(forward, backward) ? 'order' : 'batch', ...effect };
  }

  private async score(
    evaluator: Evaluator,
    wants: readonly Want[],
    { isReversed = false, batchSize, name }: Scoring,
    signal: AbortSignal,
  ): Promise<Float64Array> {
    const store = name === undefined ? undefined : this.options.store;
    const bench = createBench({
      ...(store === undefined ? {} : { store }),
      batchSize,
      hasSteadyBatches: true,
    });
    try {
      const asked = isReversed ? [...wants].reverse() : wants;
      const outcomes = await bench.scores(renamed(evaluator, name ?? ''), asked, signal);
      const scores = Float64Array.from(outcomes, (outcome) => (outcome.ok ? outcome.value : NaN));
      return isReversed ? scores.reverse() : scores;
    } finally {
      await bench.close();
    }
  }
}

/** The largest change of a score that both have. */
function largestChange(one: Float64Array, other: Float64Array): number {
  const changes = one.map((value, i) => Math.abs(value - other[i]));
  return changes.reduce((most, change) => (change > most ? change : most), 0);
}

function innermost(evaluator: Evaluator): Evaluator {
  const inner = evaluator.derived?.inner ?? evaluator.mapped?.inner;
  return inner === undefined ? evaluator : innermost(inner);
}

/** A judge's repeats measure the same, and their number says what they cost. */
function mayCost(evaluator: Evaluator): boolean {
  const { info, consent } = innermost(evaluator);
  return (
    info.kind === 'judge' ||
    [evaluator.consent, consent].some((one) => one !== undefined && one.runs !== true)
  );
}

function isTable(evaluator: Evaluator): boolean {
  const { lookUp, info, knowsImage } = innermost(evaluator);
  return lookUp !== undefined || knowsImage !== undefined || info.kind === 'scores';
}

/** The largest batch, if batches are fixed. */
function fixedSize(evaluator: Evaluator): number | undefined {
  const { fixedBatches } = innermost(evaluator);
  return fixedBatches && Math.min(fixedBatches.texts, fixedBatches.images);
}

/**
 * The evaluator with other keys in the store, so that a stored score is not taken for a repeated one. Its batches are in
 * the order of the pairs, although fixed batches are not.
 */
function renamed(evaluator: Evaluator, name: string): Evaluator {
  const { info, derived, mapped } = evaluator;
  const key = (own: string | undefined): string | undefined => own && `${own} repeat ${name}`;
  return Object.create(evaluator, {
    info: {
      value: {
        ...info,
        textKey: key(info.textKey),
        imageKey: key(info.imageKey),
        pairKey: key(info.pairKey ?? JSON.stringify([info.sha256, info.precision, info.provider])),
      },
    },
    ...(derived && { derived: { value: { ...derived, inner: renamed(derived.inner, name) } } }),
    ...(mapped && { mapped: { value: { ...mapped, inner: renamed(mapped.inner, name) } } }),
    fixedBatches: { value: undefined },
  }) as Evaluator;
}

/** The verdict on an evaluator whose scores depend on more than their pair. Undefined for others. */
export function repeatClaim(repeat: Repeat | undefined): Claim | undefined {
  if (repeat?.decides === undefined) return undefined;
  const { pairs, decides, largest = 0, relative } = repeat;
  const texts = {
    chance: say('spread.scoresChangeOnRepeat'),
    order: say('spread.scoresDependOnOrder'),
    batch: say('spread.scoresDependOnBatch'),
  };
  const size =
    relative === undefined
      ? say('spread.relativeChangeUnknown')
      : say('spread.relativeChange', relative.toPrecision(2));
  return {
    text: texts[decides],
    rule: say('spread.repeatRule', pairs, smallBatch, largest.toPrecision(2), size),
  };
}
