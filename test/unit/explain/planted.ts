/* Evaluators whose scores are known by arithmetic. */
import type { Outcome } from '../../../src/base/outcome';
import type { Evaluator, EvaluatorInfo, ScoredPair } from '../../../src/evaluator/evaluator';
import type { ImageItem } from '../../../src/protocol/item';

const info: EvaluatorInfo = {
  ...{ id: 'planted', name: 'Planted', kind: 'pair-scorer', sha256: 'ab'.repeat(32), precision: 'float64' },
  ...{ scores: ['image-text'], provider: 'cpu', scale: { name: 'own' }, prefix: '', notes: [] },
};

export interface Planted extends Evaluator {
  /** The texts of each batch. */
  batches: string[][];
}

/** A cross-encoder that scores by a formula. */
export function planted(score: (text: string, image: ImageItem) => number | string): Planted {
  const batches: string[][] = [];
  return {
    info: { ...info, sha256: `planted ${score.toString()}` },
    kept: false,
    batches,
    scorePairs: (pairs: readonly ScoredPair[]) => {
      batches.push(pairs.map(({ text }) => text));
      return Promise.resolve(
        pairs.map(({ text, image }): Outcome<number> => {
          const value = score(text, image);
          return typeof value === 'number' ? { ok: true, value } : { ok: false, problem: value };
        }),
      );
    },
    close: () => Promise.resolve(),
  };
}

export const wordsIn = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** The sum of the weights of a text's words. */
export const bag =
  (weights: Readonly<Record<string, number>>, start = 0) =>
  (text: string): number =>
    wordsIn(text).reduce((sum, word) => sum + (weights[word] ?? 0), start);

/** An image of one byte, because the planted evaluators read no pixels. */
export const image: ImageItem = {
  kind: 'image',
  source: { name: 'planted.png', bytes: Uint8Array.of(1) },
  transforms: [],
};

/** The cell that is hidden in an image, as row · columns + column. Undefined if none is. */
export function hiddenCell({ transforms }: ImageItem): number | undefined {
  const last = transforms.at(-1);
  return last?.op === 'blank' ? last.row * last.columns + last.column : undefined;
}
