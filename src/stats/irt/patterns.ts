/** What evaluators answered to items. */
export interface Answers {
  /** For each evaluator, the credit for each item: 1 for right, 0 for wrong, a part for ties, NaN without an answer. */
  credits: readonly Float64Array[];
  /** The number of captions of each item, of which one is right. */
  options: ArrayLike<number>;
}

/** Items with the same answers have the same parameters, so each list of answers is computed once. */
export interface Patterns {
  /** The pattern of each item. */
  of: Uint32Array;
  /** How many items have each pattern. */
  counts: Float64Array;
  /** The answers of each pattern, by evaluator. */
  answers: Float64Array[];
  options: Float64Array;
}

export function patternsOf({ credits, options }: Answers): Patterns {
  const known = new Map<string, number>();
  const counts: number[] = [];
  const answers: Float64Array[] = [];
  const ofPattern: number[] = [];
  const of = Uint32Array.from(options, (own, i) => {
    const list = Float64Array.from(credits, (column) => column[i]);
    const key = `${own} ${list.join()}`;
    let at = known.get(key);
    if (at === undefined) {
      known.set(key, (at = counts.length));
      counts.push(0);
      answers.push(list);
      ofPattern.push(own);
    }
    counts[at]++;
    return at;
  });
  return { of, counts: Float64Array.from(counts), answers, options: Float64Array.from(ofPattern) };
}

export const logistic = (x: number): number => 1 / (1 + Math.exp(-x));

/** How many patterns are computed between two steps. */
export const patternsInStep = 1024;
