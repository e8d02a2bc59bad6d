import { sha256Of } from '../base/files/sha256';
import { say } from '../base/say';
import * as z from 'zod/mini';
import { imageTransformSchema } from '../perturb/transformSchema';
import {
  type CalibratedFamily,
  correctionOf,
  type Estimator,
  estimators,
  type Standing,
} from './calibration';
import type { Derived, Evaluator, EvaluatorPreview } from './evaluator';
import type { KindPreview } from './fileContext';
import { encoderRef, fittedFrom } from './fileFields';
import type { ImageItem } from '../protocol/item';
import { described, optionalKey } from '../base/schema';

const ownWords = 'a number between 0 and 1';

export const calibratedFile = z.object({
  encoder: encoderRef,
  estimator: described(z.enum(estimators), 'How the score is corrected.'),
  lambda: described(
    z.number().check(z.minimum(0, ownWords), z.maximum(1, ownWords)),
    'The fraction of the correction that is subtracted.',
  ),
  families: described(
    z.array(
      z.object({
        name: z.string(),
        weight: z.number(),
        shift: described(z.number(), "The median shift of the family's variants."),
        transforms: optionalKey(
          z.array(imageTransformSchema),
          "The transforms that make the family's variants. Absent if the transforms need more than the image.",
        ),
        op: z.optional(z.literal('move')),
        words: optionalKey(z.array(z.string()), 'Words that make a caption a variant.'),
      }),
    ),
    'Families of changes that keep the meaning, with their measured shifts.',
  ),
  fitted: fittedFrom,
});
export type CalibratedFile = Omit<z.infer<typeof calibratedFile>, 'families'> & {
  families: CalibratedFamily[];
};

/** Makes an evaluator that corrects the scores of `inner`. */
export function calibrated(
  inner: Evaluator,
  { estimator, lambda, families, fitted }: CalibratedFile,
  { id, name, path }: { id: string; name: string; path: string },
): Evaluator {
  const { info } = inner;
  const known = estimator === 'signed' ? families : families.filter(({ words }) => words === undefined);
  const sha256 = sha256Of(['calibrated', 1, info.sha256, estimator, lambda, known]);
  const note = say(
    'evaluator.calibratedScores',
    info.name,
    lambda,
    estimator,
    known.map((family) => family.name).join(', '),
  );
  const knows = say('evaluator.calibratedImageVariants');
  const spoken = known.some(({ words }) => words !== undefined)
    ? [say('evaluator.calibratedCaptionVariants')]
    : [];
  // A calibrated evaluator has no embeddings, so it has none of the fields that describe embeddings.
  const rest = { ...info };
  delete rest.dimension;
  delete rest.textKey;
  delete rest.imageKey;
  return {
    info: {
      ...rest,
      id,
      name,
      path,
      kind: 'pair-scorer',
      sha256,
      notes: [note, knows, ...spoken, ...(fitted === undefined ? [] : [fitted]), ...info.notes],
    },
    ...(inner.consent === undefined ? {} : { consent: inner.consent }),
    derived: derivedFrom(inner, estimator, lambda, known),
    close: () => inner.close(),
  };
}

export function previewCalibrated(
  { scores, remote, python }: EvaluatorPreview,
  { name }: { name: string },
): KindPreview {
  return { name, scores, remote, sharedSpace: false, ...(python && { python }) };
}

/** Corrects a pair's score by its caption's scores for all variants. `signed` needs only the pair's own. */
function derivedFrom(
  inner: Evaluator,
  estimator: Estimator,
  lambda: number,
  families: readonly CalibratedFamily[],
): Derived {
  const orbits = estimator !== 'signed';
  const variantsOf = (image: ImageItem, { transforms = [] }: CalibratedFamily): ImageItem[] =>
    transforms.map((transform) => ({ ...image, transforms: [...image.transforms, transform] }));
  return {
    inner,
    expand: (want) => {
      if (want.left.kind !== 'image' || want.right.kind !== 'text' || !orbits) return [want];
      const { original } = standing(want.left, families);
      const members = [original, ...families.flatMap((family) => variantsOf(original, family))];
      return [want, ...members.map((left) => ({ ...want, left }))];
    },
    combine: (want, scores) => {
      const [own, first, ...rest] = scores;
      if (want.left.kind !== 'image' || want.right.kind !== 'text') return own;
      const { family: of, at: place } = standing(want.left, families);
      const words = want.right.text;
      let at = 0;
      const standings = families.map((family): Standing => {
        const variants = rest.slice(at, (at += orbits ? (family.transforms?.length ?? 0) : 0));
        const variant = of === family || says(words, family);
        // A family without transforms, such as moved objects, has no known variants. `others` is then empty.
        const others =
          of === family && variants.length > 0
            ? [first, ...variants.filter((_, i) => i !== place)]
            : variants;
        return { ...family, variant, score: of === family ? own : (first ?? own), others };
      });
      return own - lambda * correctionOf(estimator, standings);
    },
  };
}

/**
 * Returns the original of an image. For a variant, also returns its family and, as `at`, the index of the image's
 * last transform in `family.transforms` (−1 if it is not there).
 */
function standing(
  image: ImageItem,
  families: readonly CalibratedFamily[],
): { original: ImageItem; family?: CalibratedFamily; at?: number } {
  const last = image.transforms.at(-1);
  if (last === undefined) return { original: image };
  const key = JSON.stringify(last);
  for (const family of families) {
    const at = family.transforms?.findIndex((transform) => JSON.stringify(transform) === key) ?? -1;
    if (at !== -1 || (family.op !== undefined && family.op === last.op))
      return { original: { ...image, transforms: image.transforms.slice(0, -1) }, family, at };
  }
  return { original: image };
}

function says(caption: string, { words = [] }: CalibratedFamily): boolean {
  const spoken = new Set(caption.toLowerCase().match(/[\p{L}\p{N}'-]+/gu) ?? []);
  return words.some((word) => spoken.has(word.toLowerCase()));
}
