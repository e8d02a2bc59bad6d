import { eachOf, type Steps } from '../../base/turns/steps';
import type { Example } from '../../dataset/example';
import type { ImageItem } from '../../protocol/item';
import type { Family, Pair, Result } from './figures';
import type { Orders } from './orders';
import type { PrsmOptions } from './options';
import { rowOf } from './rowOf';

export interface Image {
  name: string;
  image: ImageItem;
  example: Example;
}

/** The number of top images that a row lists for each wording. */
export const namedImages = 10;

/** Converts the ranker's answer to one result per query. */
export function* resultsOf(
  options: Pick<PrsmOptions, 'sizes' | 'sets' | 'weight'>,
  families: readonly Family[],
  starts: readonly number[],
  answer: Orders,
  sizes: readonly number[],
  images: readonly Image[],
): Steps<Result[]> {
  const { sizes: asked } = options;
  const top = Math.min(namedImages, images.length);
  let at = 0;
  const found = yield* eachOf(families, function* (family, f): Steps<Result | undefined> {
    yield;
    const pairs = new Map<string, Pair>();
    for (const [a, b] of family.pairs) {
      const pair = at++;
      const shares = answer.shares.subarray(pair * sizes.length, (pair + 1) * sizes.length);
      // Too few images have scores for both wordings.
      if (shares.some(Number.isNaN)) continue;
      const ties = asked.map((_, s) =>
        [a, b].some((wording) => answer.edgeTies[(starts[f] + wording) * sizes.length + s] === 1),
      );
      pairs.set(`${family.labels[a]}-${family.labels[b]}`, {
        row: {
          first: family.labels[a],
          second: family.labels[b],
          rho: defined(answer.rho[pair]),
          listwise: defined(answer.listwise[pair]),
          shared: Object.fromEntries(asked.map((size, s) => [size, shares[s]])),
        },
        tied: [a, b].some((wording) => answer.tied[starts[f] + wording] > 0),
        edgeTied: ties,
      });
    }
    const firsts = family.labels.map((_, w) =>
      [...answer.topItems.subarray((starts[f] + w) * top, (starts[f] + w + 1) * top)].flatMap((item) =>
        item < 0 ? [] : images[item].name,
      ),
    );
    return pairs.size === 0
      ? undefined
      : { query: family.query, pairs, row: rowOf(family, pairs, firsts, asked, options) };
  });
  return found.filter((result) => result !== undefined);
}

function defined(value: number): number | null {
  return Number.isNaN(value) ? null : value;
}
