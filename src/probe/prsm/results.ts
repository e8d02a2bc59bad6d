import { eachOf, type Steps } from '../../base/turns/steps';
import type { Example } from '../../dataset/example';
import type { ImageItem } from '../../protocol/item';
import type { StabilityAnswer } from '../../protocol/ranking';
import type { Family, Pair, Result } from './figures';
import type { PrsmOptions } from './options';
import { rowOf } from './rowOf';

export interface Photo {
  name: string;
  image: ImageItem;
  example: Example;
}

/** The number of top images that a row lists for each wording. */
export const namedPhotos = 10;

/** Converts the ranker's answer to one result per query. */
export function* resultsOf(
  options: Pick<PrsmOptions, 'sizes' | 'sets' | 'weight'>,
  families: readonly Family[],
  starts: readonly number[],
  answer: StabilityAnswer,
  sizes: readonly number[],
  photos: readonly Photo[],
): Steps<Result[]> {
  const { sizes: asked } = options;
  const top = Math.min(namedPhotos, photos.length);
  let at = 0;
  return yield* eachOf(families, function* (family, f): Steps<Result> {
    yield;
    const pairs = new Map<string, Pair>();
    for (const [a, b] of family.pairs) {
      const pair = at++;
      const ties = asked.map((_, s) =>
        [a, b].some((wording) => answer.edgeTies[(starts[f] + wording) * sizes.length + s] === 1),
      );
      pairs.set(`${family.labels[a]}-${family.labels[b]}`, {
        row: {
          first: family.labels[a],
          second: family.labels[b],
          rho: defined(answer.rho[pair]),
          listwise: defined(answer.listwise[pair]),
          shared: Object.fromEntries(
            asked.map((size, s) => [size, answer.shared[pair * sizes.length + s] / sizes[s]]),
          ),
        },
        tied: [a, b].some((wording) => answer.tied[starts[f] + wording] > 0),
        edgeTied: ties,
      });
    }
    const firsts = family.labels.map((_, w) =>
      [...answer.topItems.subarray((starts[f] + w) * top, (starts[f] + w + 1) * top)].map(
        (item) => photos[item].name,
      ),
    );
    return { query: family.query, pairs, row: rowOf(family, pairs, firsts, asked, options) };
  });
}

function defined(value: number): number | null {
  return Number.isNaN(value) ? null : value;
}
