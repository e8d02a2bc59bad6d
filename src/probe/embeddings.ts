import type { Words } from '../base/say';
import type { Evaluator } from '../evaluator/evaluator';
import type { ImageItem, TextItem } from '../protocol/item';
import type { GalleryContext } from './probe';

const atOnce = 4096;

/** The items' embeddings. Of an item that fails, `onProblem` receives the index and the reason. */
export async function embed(
  { bench, signal }: Pick<GalleryContext, 'bench' | 'signal'>,
  evaluator: Evaluator,
  items: readonly (TextItem | ImageItem)[],
  onProblem: (at: number, problem: Words) => void,
): Promise<(Float32Array | undefined)[]> {
  const rows: (Float32Array | undefined)[] = [];
  for (let from = 0; from < items.length; from += atOnce) {
    const part = await bench.embeddings(evaluator, items.slice(from, from + atOnce), signal);
    for (const outcome of part) {
      const problem = !outcome.ok ? outcome.problem : directionProblem(outcome.value);
      if (problem !== undefined) onProblem(rows.length, problem);
      rows.push(outcome.ok && problem === undefined ? outcome.value : undefined);
    }
  }
  return rows;
}

function directionProblem(row: Float32Array): string | undefined {
  let sum = 0;
  for (const value of row) sum += value * value;
  if (!Number.isFinite(sum)) return 'An embedding contains NaN or infinity.';
  return sum === 0 ? 'An embedding is all zeros, so its cosine is undefined.' : undefined;
}

export function textItem(text: string): TextItem {
  return { kind: 'text', text };
}

/** The text with the evaluator's prefix for texts that are compared with images. */
export function promptItem(evaluator: Evaluator, text: string): TextItem {
  return { kind: 'text', text: evaluator.info.prefix + text };
}
