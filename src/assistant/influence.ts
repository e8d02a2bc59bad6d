/* What an assistant is told of an explanation: rounded numbers, and regions as rows of a grid or objects by name. */
import type { Explanation } from '../explain/explain';

const digits = 4;

export function influenceFor(explained: Explanation & { evaluator: { id: string } }): object {
  const { evaluator, caption, against, score, base, sum, method, exact, words, grid, regions, objects } =
    explained;
  return {
    ...{ evaluator: evaluator.id, caption, against, score, base, sum, method, exact },
    words: words.map(({ word, influence, ci, without }) => ({
      ...{ word, influence: rounded(influence), without: rounded(without) },
      ...(ci === undefined ? {} : { ci: ci.map(rounded) }),
    })),
    ...(grid === undefined || regions === undefined
      ? {}
      : {
          regions: {
            hiddenWith: grid.fill,
            influences: Array.from({ length: grid.rows }, (_, row) =>
              regions.filter((region) => region.row === row).map(({ influence }) => rounded(influence)),
            ),
          },
        }),
    ...(objects === undefined
      ? {}
      : {
          objects: {
            hiddenWith: objects.fill,
            leftOut: objects.leftOut,
            found: objects.found.map(({ name, influence, share, box }) => ({
              ...{ name, influence: rounded(influence), shareOfImage: rounded(share) },
              box: box.map(Math.round),
            })),
          },
        }),
  };
}

function rounded(value: number | null): number | null {
  return value === null ? null : Number(value.toPrecision(digits));
}
