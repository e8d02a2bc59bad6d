/* Measures the spread of each evaluator: the standard deviation of its scores over mismatched pairs. */
import { say } from '../../base/say';
import type { Bench } from '../../bench/bench';
import type { Evaluator } from '../../evaluator/evaluator';
import { embedsBoth } from '../../probe/pairScores';
import type { Probe } from '../../probe/probe';
import type { Spread } from '../../probe/spread';
import type { WantKind } from '../../protocol/item';
import type { AuditRequest } from '../request';
import { type ScoredPair, spreadOfPairs } from '../../stats/decisions/spread';
import { drawMismatched, type DrawRequest, type MismatchedPair } from './draw';

/** The fewest mismatched pairs of an evaluator, unless the dataset has fewer. */
export const leastPairs = 200;
/** With fewer images, the error is too small: its interval has the truth in less than 90 % (scripts/simulateSpread.ts). */
const fewestForError = 50;
/** Embeddings are in the store after an audit, so further pairs cost an encoder almost nothing. */
const mostPairs = 500;

/** Pairs with the same image and caption on which the scores are to be compared, or `text-text` for text encoders. */
export function kindOfPairs({ scores }: Pick<Evaluator['info'], 'scores'>): WantKind {
  return scores.includes('image-text') ? 'image-text' : 'text-text';
}

/** How many mismatched pairs to score with an evaluator. */
export function pairsFor(evaluator: Evaluator): number {
  const { derived, mapped } = evaluator;
  const inner = derived?.inner ?? mapped?.inner;
  if (inner !== undefined) return pairsFor(inner);
  const isText = evaluator.embedTexts !== undefined && kindOfPairs(evaluator.info) === 'text-text';
  const isCheap = embedsBoth(evaluator) && evaluator.rerank === undefined;
  return isCheap || isText ? mostPairs : leastPairs;
}

/** Draws an evaluator's mismatched pairs. */
export function pairsOf(request: DrawRequest, evaluator: Evaluator): Promise<MismatchedPair[]> {
  return drawMismatched(request, kindOfPairs(evaluator.info), pairsFor(evaluator), [evaluator]);
}

/** The scores of mismatched pairs, without those that could not be scored. */
export async function scoreMismatched(
  evaluator: Evaluator,
  pairs: readonly MismatchedPair[],
  bench: Pick<Bench, 'scores'>,
  signal: AbortSignal,
): Promise<ScoredPair[]> {
  const outcomes = await bench.scores(
    evaluator,
    pairs.map(({ want }) => want),
    signal,
  );
  return pairs.flatMap(({ left, right }, i) => {
    const outcome = outcomes[i];
    return outcome.ok ? [{ left, right, score: outcome.value }] : [];
  });
}

/** The spread of scored pairs. The pairs are sorted, so that a merge of shards gives the same digits. */
export function spreadFrom(kind: WantKind, scored: readonly ScoredPair[]): Spread {
  // Pairs of the same two units, such as another caption of the image, differ in their score only.
  const keyed = scored.map((pair) => ({ pair, at: JSON.stringify([pair.left, pair.right, pair.score]) }));
  const pairs = keyed.sort((a, b) => (a.at < b.at ? -1 : 1)).map(({ pair }) => pair);
  const found = spreadOfPairs(pairs);
  const base = { kind, pairs: pairs.length };
  if (found === undefined)
    return {
      ...{ value: null, mean: null, ...base },
      note: pairs.length < 2 ? say('spread.tooFewMismatchedPairs') : say('spread.mismatchedPairsConstant'),
    };
  const units = found.influence.size;
  return {
    value: found.deviation,
    mean: found.mean,
    ...base,
    // Without one of only two units, no pair is left, so that the error is not defined.
    ...(units > 2 && Number.isFinite(found.error)
      ? {
          ...(units >= fewestForError ? { error: found.error } : {}),
          influence: Object.fromEntries(found.influence),
        }
      : {}),
  };
}

/** Whether a run scores mismatched pairs: some metric of the probe is in units of the score. */
export function needsSpread(
  { unit }: Pick<Probe, 'unit'>,
  { spread }: Pick<AuditRequest, 'spread'>,
): boolean {
  return unit !== undefined && spread !== false;
}

interface SpreadJob {
  request: Pick<AuditRequest, 'spread'>;
  probe: Probe;
  evaluators: readonly Evaluator[];
  bench: Pick<Bench, 'scores'>;
  spreads?: Map<Evaluator, Spread>;
}

/** The spread of each evaluator. Spreads that an earlier probe of the run measured are reused. */
export async function spreadsOf(
  { request, probe, evaluators, bench, spreads: known = new Map() }: SpreadJob,
  draw: DrawRequest,
): Promise<ReadonlyMap<Evaluator, Spread>> {
  if (!needsSpread(probe, request)) return new Map();
  for (const evaluator of evaluators) {
    if (known.has(evaluator)) continue;
    const scored = await scoreMismatched(evaluator, await pairsOf(draw, evaluator), bench, draw.signal);
    known.set(evaluator, spreadFrom(kindOfPairs(evaluator.info), scored));
  }
  return known;
}
