/* How near a caption's embedding is to those of right captions about other images. */
import { evaluatorError } from '../../base/errors';
import { say } from '../../base/say';
import type { Bench } from '../../bench/bench';
import type { Evaluator } from '../../evaluator/evaluator';
import { foldCount, foldOf } from '../../probe/benchmark/blind/corpus';
import type { ScoreOfText } from '../../probe/benchmark/blind/outside';
import type { Item } from '../../probe/benchmark/items';
import { dot } from '../../stats/regression/linear';
import { valueIn } from '../../base/lists';

const atOnce = 1024;

/**
 * The cosine of a caption's embedding and the mean of the embeddings of the distinct right captions of other folds. All
 * embeddings have the length 1. Texts that the encoder cannot embed have no score. Only sums and scores stay in memory.
 */
export async function typicalityOf(
  items: readonly Item[],
  seed: number,
  { evaluator, bench, signal }: { evaluator: Evaluator; bench: Bench; signal: AbortSignal },
): Promise<ScoreOfText> {
  const folds = foldsOfRight(items, seed);
  let sums: Float64Array[] = [];
  const each = async (
    texts: readonly string[],
    visit: (text: string, unit: Float64Array) => void,
  ): Promise<void> => {
    for (let from = 0; from < texts.length; from += atOnce) {
      const part = texts.slice(from, from + atOnce);
      const wanted = part.map((text) => ({ kind: 'text' as const, text: evaluator.info.prefix + text }));
      for (const [i, outcome] of (await bench.embeddings(evaluator, wanted, signal)).entries())
        if (outcome.ok) visit(part[i], unitOf(outcome.value));
    }
  };
  await each([...folds.keys()], (text, unit) => {
    if (sums.length === 0) sums = Array.from({ length: foldCount }, () => new Float64Array(unit.length));
    for (const fold of folds.get(text)!) addTo(sums[fold], unit);
  });
  if (sums.length === 0)
    throw evaluatorError(
      say('benchmark.nothingEmbedded', evaluator.info.name),
      say('bench.chooseEvaluator'),
      evaluator.info.path,
    );
  const others = sums.map((_, fold) => {
    const sum = new Float64Array(sums[0].length);
    for (const [other, own] of sums.entries()) if (other !== fold) addTo(sum, own);
    return unitOf(sum);
  });
  const scores = new Map<string, Float64Array>();
  const texts = new Set(items.flatMap(({ captions }) => captions));
  await each([...texts], (text, unit) => {
    scores.set(
      text,
      Float64Array.from(others, (other) => dot(unit, other)),
    );
  });
  return (text, fold) => scores.get(text)?.[fold] ?? NaN;
}

/** The folds in which each caption is right. */
function foldsOfRight(items: readonly Item[], seed: number): Map<string, Set<number>> {
  const known = new Map<string, number>();
  const folds = new Map<string, Set<number>>();
  for (const { captions, right, observation } of items) {
    const fold = valueIn(known, observation, () => foldOf(seed, observation));
    valueIn(folds, captions[right], () => new Set()).add(fold);
  }
  return folds;
}

function unitOf(vector: ArrayLike<number>): Float64Array {
  const own = Float64Array.from(vector);
  const length = Math.sqrt(dot(own, own));
  return own.map((value) => value / length);
}

function addTo(sum: Float64Array, vector: Float64Array): void {
  for (let i = 0; i < sum.length; i++) sum[i] += vector[i];
}
