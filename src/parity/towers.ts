import type { Bench } from '../bench/bench';
import { cosine } from '../bench/similarity';
import type { Evaluator } from '../evaluator/evaluator';
import type { Item } from '../protocol/item';
import type { Measurer } from './measurer';
import { squared } from './search';
import type { Change } from './change';
import type { Rows } from './references';
import type { Pair } from './difference';

/** How much the embeddings of a tower differ once A has all causes. */
export interface TowerDifference {
  tower: 'image' | 'text';
  lowest: number;
  median: number;
  n: number;
  /** The share of the squared difference left that B's embeddings of this tower remove from A. Null if nothing is left. */
  removes: number | null;
}

/** Compares embeddings of the same items, if B has embeddings of the same length. */
export async function towersOf(
  { b, bench, signal }: { b: Evaluator; bench: Bench; signal: AbortSignal },
  measurer: Measurer,
  pairs: readonly Pair[],
  causes: readonly Change[],
  rounding: number,
): Promise<TowerDifference[]> {
  if (b.derived !== undefined || b.mapped !== undefined || b.lookUp !== undefined) return [];
  if (b.embedTexts === undefined || b.embedImages === undefined) return [];
  const items: Record<'image' | 'text', Item[]> = {
    image: pairs.map(({ image }) => image),
    text: pairs.map(({ caption }) => ({ kind: 'text', text: b.info.prefix + caption })),
  };
  const left = (taken: Partial<Record<'image' | 'text', Rows>>): Promise<number> =>
    measurer
      .scores(causes, pairs.length, taken)
      .then((scored) => squared(scored!.scores, measurer.target, 0, pairs.length));
  const own = await left({});
  const towers: TowerDifference[] = [];
  for (const tower of ['image', 'text'] as const) {
    const rows = await measurer.rowsOf(
      tower,
      causes.filter((change) => change.tower === tower),
      pairs.length,
    );
    const other = (await bench.embeddings(b, items[tower], signal)).map((outcome, i) =>
      outcome.ok && rows?.[i].length === outcome.value.length ? outcome.value : undefined,
    );
    const cosines = other.flatMap((row, i) => (row === undefined ? [] : [cosine(rows![i], row)]));
    cosines.sort((x, y) => x - y);
    if (cosines.length === 0) continue;
    const isWhole = other.every((row) => row !== undefined);
    towers.push({
      tower,
      lowest: cosines[0],
      median: cosines[cosines.length >> 1],
      n: cosines.length,
      removes: isWhole && own > rounding ? 1 - (await left({ [tower]: other })) / own : null,
    });
  }
  return towers;
}
