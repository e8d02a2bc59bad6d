import type { Evaluator } from '../../evaluator/evaluator';
import type { ImageItem } from '../../protocol/item';
import { pairScores } from '../pairScores';
import type { AskedPair, GalleryContext } from '../probe';
import type { Query } from './figures';

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
): Promise<(string | undefined)[]> {
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
