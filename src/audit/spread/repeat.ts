/* Scores a few pairs twice, because no metric means anything if scores are constant or change by themselves. */
import { english, say } from '../../base/say';
import type { Bench, BenchOptions } from '../../bench/bench';
import { createBench } from '../../bench/createBench';
import type { Evaluator } from '../../evaluator/evaluator';
import type { Report } from '../../report/report';
import { isDefinedSpread, type Spread } from '../../probe/spread';
import { mean } from '../../stats/summary';
import type { Want } from '../../protocol/item';
import { drawFew, type DrawRequest } from './draw';
import { kindOfPairs } from './spread';

export type Repeat = NonNullable<Report['repeat']>;

/** Few images, because a store without them must encode each image twice. */
const few = { images: 10, pairs: 50 };
const fewest = 5;
/** The batch size of the second time; the first has that of the run. */
const batchSize = 3;
/** Changes below this share of the scores' standard deviation are rounding. */
const rounding = 1e-3;

/**
 * Scores pairs in the order of the dataset, then reversed in small batches. If scores differ, a third time in the same
 * small batches tells whether the batch or chance decides. Undefined if too few pairs could be scored, or if an answer
 * may cost money.
 */
export async function repeatOf(
  evaluator: Evaluator,
  draw: DrawRequest,
  bench: Pick<Bench, 'scores'>,
  store: BenchOptions['store'],
): Promise<Repeat | undefined> {
  if (mayCost(evaluator)) return undefined;
  const wants = await drawFew(draw, kindOfPairs(evaluator.info), few, [evaluator]);
  const first = await scoresOf(evaluator, wants, bench, draw.signal);
  const found = [...first.keys()].filter((at) => !Number.isNaN(first[at]));
  if (found.length < fewest) return undefined;
  const scores = found.map((at) => first[at]);
  const base: Repeat = { pairs: found.length, constant: scores.every((score) => score === scores[0]) };
  if (answersFromTable(evaluator)) return base;
  const small = async (stored?: string): Promise<Float64Array> => {
    const again = createBench({ store: stored, batchSize });
    try {
      return (await scoresOf(renamed(evaluator), [...wants].reverse(), again, draw.signal)).reverse();
    } finally {
      await again.close();
    }
  };
  const second = await small(store);
  const centre = mean(scores);
  const deviation = Math.sqrt(mean(scores.map((score) => (score - centre) ** 2)));
  const changeOf = (a: Float64Array, b: Float64Array): number =>
    found.reduce((most, at) => Math.max(most, Number.isNaN(b[at]) ? Infinity : Math.abs(a[at] - b[at])), 0);
  const largest = changeOf(first, second);
  if (largest <= rounding * deviation) return base;
  const isSteady = changeOf(second, await small()) <= rounding * deviation;
  return {
    ...base,
    constant: false,
    changed: isSteady ? 'by batch' : 'by chance',
    ...(Number.isFinite(largest) ? { largest } : {}),
  };
}

interface RepeatJob {
  evaluators: readonly Evaluator[];
  bench: Pick<Bench, 'scores'>;
  store?: BenchOptions['store'];
  /** The results of an earlier probe of the run. Absent in merges, which score nothing. */
  repeats?: Map<Evaluator, Repeat | undefined>;
}

/** Tests each evaluator once per run. */
export async function repeatsOf(
  { evaluators, bench, store, repeats }: RepeatJob,
  draw: DrawRequest,
): Promise<ReadonlyMap<Evaluator, Repeat | undefined>> {
  if (repeats === undefined) return new Map();
  for (const evaluator of evaluators)
    if (!repeats.has(evaluator)) repeats.set(evaluator, await repeatOf(evaluator, draw, bench, store));
  return repeats;
}

function mayCost({ info, consent, derived, mapped }: Evaluator): boolean {
  const inner = derived?.inner ?? mapped?.inner;
  if (info.kind === 'judge') return true;
  return (consent !== undefined && consent.runs !== true) || (inner !== undefined && mayCost(inner));
}

function answersFromTable({ lookUp, info, derived, mapped }: Evaluator): boolean {
  const inner = derived?.inner ?? mapped?.inner;
  return inner === undefined ? lookUp !== undefined || info.kind === 'scores' : answersFromTable(inner);
}

/** The evaluator with other keys in the store, so that a stored result is not taken for a repeated one. */
function renamed(evaluator: Evaluator): Evaluator {
  const { info, derived, mapped, fixedBatches } = evaluator;
  const key = (own: string | undefined): string | undefined => own && `${own} again`;
  return Object.create(evaluator, {
    info: {
      value: {
        ...info,
        textKey: key(info.textKey),
        imageKey: key(info.imageKey),
        pairKey: key(info.pairKey ?? JSON.stringify([info.sha256, info.precision, info.provider])),
      },
    },
    ...(derived && { derived: { value: { ...derived, inner: renamed(derived.inner) } } }),
    ...(mapped && { mapped: { value: { ...mapped, inner: renamed(mapped.inner) } } }),
    ...(fixedBatches && { fixedBatches: { value: { texts: batchSize, images: batchSize } } }),
  }) as Evaluator;
}

async function scoresOf(
  evaluator: Evaluator,
  wants: readonly Want[],
  bench: Pick<Bench, 'scores'>,
  signal: AbortSignal,
): Promise<Float64Array> {
  const outcomes = await bench.scores(evaluator, wants, signal);
  return Float64Array.from(outcomes, (outcome) => (outcome.ok ? outcome.value : NaN));
}

/** The verdicts of a report: those of the probe, unless scores that are constant or change by themselves forbid them. */
export function claimsAfter(
  claims: Report['claims'],
  repeat: Repeat | undefined,
  spread: Spread | undefined,
): Report['claims'] {
  const isConstant =
    repeat?.constant ?? (spread !== undefined && spread.pairs >= fewest && !isDefinedSpread(spread));
  const pairs = repeat?.pairs ?? spread?.pairs ?? 0;
  if (isConstant)
    return [
      {
        text: english(say`The evaluator gives every pair the same score, so no metric says anything.`),
        rule: english(
          say`Pairs of images and captions that were scored before the run, all alike: ${pairs}.`,
        ),
      },
    ];
  if (repeat?.changed === undefined) return claims;
  return [
    {
      text: english(
        repeat.changed === 'by batch'
          ? say`The score of a pair depends on the other pairs of its batch or on their order.`
          : say`The score of a pair changes when it is scored again.`,
      ),
      rule: english(
        say`Before the run, ${pairs} pairs were scored again, in reverse order and in batches of ${batchSize}. The largest change is ${repeat.largest?.toPrecision(3) ?? '–'}.`,
      ),
    },
    ...claims,
  ];
}
