/* How an evaluator answered the pairs of one example: how many it gave no score, and what was lost with them. */
import type { Outcome } from '../../base/outcome';
import type { Attribute, Example } from '../../dataset/example';
import { clusterOfExample } from '../metric';
import type { LostParts } from './lost';

export interface Answers {
  cluster: string;
  /** The image, if the user named other clusters. */
  image?: string;
  /** The example's group by column of the dataset. */
  groups: Record<string, string>;
  /** By kind of variant: how many pairs the evaluator was asked, and how many it gave no score. */
  kinds: Record<string, [asked: number, refused: number]>;
  /** What could not be measured. Absent if everything was. */
  lost?: LostParts & { images: number };
  /** How many pairs had an image that Captious could not read. They are not in `kinds`. */
  unreadable?: number;
  /** The example's number in the whole dataset, in the run of a shard. */
  number?: number;
}

const longestGroup = 80;

/** An outcome is undefined if the pair needs no score. `lost` is "all" if no row of the example could be measured. */
export function answersOf(
  example: Example,
  outcomes: readonly (Outcome<number> | undefined)[],
  kindOf: readonly string[] | undefined,
  lost: LostParts | 'all',
): Answers {
  const kinds: Answers['kinds'] = {};
  let unreadable = 0;
  for (const [i, outcome] of outcomes.entries()) {
    if (outcome === undefined) continue;
    if (!outcome.ok && outcome.unreadable === true) {
      unreadable++;
      continue;
    }
    const counts = (kinds[kindOf?.[i] ?? 'caption'] ??= [0, 0]);
    counts[0]++;
    if (!outcome.ok) counts[1]++;
  }
  const parts = lost === 'all' ? { variants: 0, captions: 0, images: 1 } : { ...lost, images: 0 };
  return {
    cluster: clusterOfExample(example),
    ...(example.cluster === undefined ? {} : { image: imageOf(example) }),
    groups: groupsOf(example.attributes),
    kinds,
    ...(parts.variants + parts.captions + parts.images === 0 ? {} : { lost: parts }),
    ...(unreadable === 0 ? {} : { unreadable }),
  };
}

/** The example's image, or its id if it has none. */
export function imageOf({ id, images }: Pick<Example, 'id' | 'images'>): string {
  return clusterOfExample({ id, images });
}

/** The columns that may name a group. Long texts and fractions are not names. */
function groupsOf(attributes: Readonly<Record<string, Attribute>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(attributes).flatMap(([column, value]) => {
      if (value === null || value === '') return [];
      const isName =
        typeof value === 'number' ? Number.isInteger(value) : String(value).length <= longestGroup;
      return isName ? [[column, String(value)]] : [];
    }),
  );
}
