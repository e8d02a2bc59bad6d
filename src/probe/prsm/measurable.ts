import type { Words } from '../../base/say';
import type { Evaluator } from '../../evaluator/evaluator';
import type { ImageItem } from '../../protocol/item';
import { pairScores } from '../pairScores';
import type { AskedPair, GalleryContext } from '../probe';
import { Family, type Query, wholePairs } from './figures';
import type { SetName } from './wordings';

/** A pair of an image and a wording. The original and the caption without a prefix are captions. */
export function askedPair(image: ImageItem, text: string, label: string): AskedPair {
  return { image, text, ...(label === 'o' || label === 'np' ? {} : { kind: 'paraphrase' as const }) };
}

/** For each image, why it has no score with any wording. An image that is refused once is asked with all others. */
export async function problemsOfImages(
  context: GalleryContext,
  evaluator: Evaluator,
  images: readonly ImageItem[],
  queries: readonly Query[],
): Promise<(Words | undefined)[]> {
  const text = queries.at(0)?.text ?? '';
  const scores = await pairScores(
    context,
    evaluator,
    images.map((image) => ({ image, text })),
  );
  const refused = images.filter((_, at) => {
    const score = scores[at];
    return !score.ok && score.unreadable !== true;
  });
  const wordings = queries.flatMap((query) => [...query.wordings]);
  const others = await pairScores(
    context,
    evaluator,
    refused.flatMap((image) => wordings.map(([label, own]) => askedPair(image, own, label))),
  );
  const measured = new Set(
    refused.filter((_, i) =>
      others.slice(i * wordings.length, (i + 1) * wordings.length).some(({ ok }) => ok),
    ),
  );
  return scores.map((score, at) => (score.ok || measured.has(images[at]) ? undefined : score.problem));
}

/** What a query lost: all of it, or some wordings. */
export interface LostWordings {
  query: Query;
  all: boolean;
  labels: readonly string[];
}

/** Reports a query that cannot be compared as a lost caption. Otherwise, each lost wording is a lost variant. */
export function lose(
  { lost }: Pick<GalleryContext, 'lost'>,
  evaluator: Evaluator,
  { query, all, labels }: LostWordings,
): void {
  if (all) lost?.(evaluator, query.example, { caption: query.text });
  else for (const label of labels) lost?.(evaluator, query.example, { variant: `${query.text} ${label}` });
}

/** The queries with wordings to compare. What they lack because it has no embedding is reported as lost. */
export function familiesOf(
  context: Pick<GalleryContext, 'lost'>,
  evaluator: Evaluator,
  {
    queries,
    rowOf,
    sets,
  }: {
    queries: readonly Query[];
    rowOf: ReadonlyMap<string, Float32Array | undefined>;
    sets: readonly SetName[];
  },
): Family[] {
  const pairs = wholePairs(sets).map((pair) => pair.split('-'));
  return queries.flatMap((query) => {
    const family = new Family(query, rowOf, sets);
    const all = family.pairs.length === 0;
    if (all && !pairs.some((labels) => labels.every((label) => query.wordings.has(label)))) return [];
    const labels = [...query.wordings.keys()].filter((label) => !family.labels.includes(label));
    lose(context, evaluator, { query, all, labels });
    return all ? [] : [family];
  });
}
