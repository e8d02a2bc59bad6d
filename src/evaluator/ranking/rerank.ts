import * as z from 'zod/mini';
import { sha256Of } from '../../base/files/sha256';
import type { CaptiousError } from '../../base/errors';
import { evaluatorError } from '../../base/errors';
import { say, inARow } from '../../base/say';
import { partlyTogether } from '../../dataset/images/partlyFound';
import { type Evaluator, type EvaluatorPreview, isByName, uncoveredBy } from '../evaluator';
import type { FileIdentity, KindPreview } from '../fileContext';
import { encoderRef } from '../fileFields';
import { described, optionalKey } from '../../base/schema';

/** The fewest results that may be reranked. R@10 needs ten. */
export const fewestReranked = 10;
const usualTop = 32;

export const rerankFile = z.object({
  encoder: encoderRef,
  scorer: described(
    z.string(),
    'The evaluator that scores an image and a caption together: an id or a path, as for the encoder.',
  ),
  top: optionalKey(
    z.int().check(z.minimum(fewestReranked, `an integer of ${fewestReranked} or more`)),
    `How many of the encoder's first results the scorer reranks in RoCOCO and PRSM. Default: ${usualTop}.`,
  ),
});
export type RerankFile = z.infer<typeof rerankFile>;

type Own = Pick<FileIdentity, 'id' | 'name' | 'path'>;

/**
 * Makes an evaluator that searches with `encoder` and sorts the first results with `scorer`. The score of
 * an image and a caption comes from `scorer`.
 */
export function reranked(
  encoder: Evaluator,
  scorer: Evaluator,
  { top = usualTop }: RerankFile,
  { id, name, path }: Own,
): Evaluator {
  const { embedTexts, embedImages, measureTexts } = encoder;
  const { scorePairs } = scorer;
  if (embedTexts === undefined || embedImages === undefined) throw noTowers(encoder.info, path);
  if (scorePairs === undefined || scorer.info.kind === 'judge') throw noPairs(scorer.info, path);
  const { info } = scorer;
  const { textKey, imageKey, dimension } = encoder.info;
  const fixed = [encoder.fixedBatches, scorer.fixedBatches];
  const fixedBatches =
    fixed[0] && fixed[1] ? { ...fixed[0], images: fixed[1].images } : (fixed[0] ?? fixed[1]);
  return {
    info: {
      ...info,
      id,
      name: name === id ? nameOf(encoder.info, info) : name,
      kind: 'pair-scorer',
      path,
      sha256: sha256Of(['rerank', 1, encoder.info.sha256, info.sha256, top]),
      scores: ['text-text', 'image-text', 'image-image'],
      textKey,
      imageKey,
      ...(dimension === undefined ? {} : { dimension }),
      ...(encoder.info.draft === true ? { draft: true } : {}),
      pairKey: info.pairKey ?? sha256Of([info.sha256, info.precision, info.provider]),
      notes: [
        say('ranking.rerankNote', info.name, top, encoder.info.name),
        ...info.notes,
        ...encoder.info.notes.map((note) => inARow([encoder.info.name, note], ': ')),
      ],
    },
    rerank: top,
    ...knowledgeOf(encoder, scorer),
    parallel: Math.min(encoder.parallel ?? 1, scorer.parallel ?? 1),
    ...(fixedBatches === undefined ? {} : { fixedBatches }),
    ...(encoder.kept === false || scorer.kept === false ? { kept: false } : {}),
    uncovered: () => ({ ...uncoveredBy(encoder), ...uncoveredBy(scorer) }),
    ...(encoder.consent === undefined ? {} : { consent: encoder.consent }),
    measureTexts: measureTexts && ((texts, signal) => measureTexts.call(encoder, texts, signal)),
    embedTexts: (texts, signal) => embedTexts.call(encoder, texts, signal),
    embedImages: (images, signal) => embedImages.call(encoder, images, signal),
    scorePairs: (pairs, signal) => scorePairs.call(scorer, pairs, signal),
    close: async () => {
      await Promise.all([encoder.close(), scorer.close()]);
    },
  };
}

/** Each part may know images by name, or read their files. Without files, both parts must know an image. */
function knowledgeOf(
  encoder: Evaluator,
  scorer: Evaluator,
): Pick<Evaluator, 'byName' | 'knowsImage' | 'partlyKnown'> {
  const parts = [encoder, scorer];
  const knowing = parts.filter(({ knowsImage }) => knowsImage !== undefined);
  return {
    byName: { image: isByName(encoder, 'image'), pair: isByName(scorer, 'pair') },
    ...(knowing.length === parts.length
      ? { knowsImage: (name: string) => parts.every((part) => part.knowsImage!(name)) }
      : {}),
    ...(knowing.length > 0
      ? { partlyKnown: partlyTogether(parts.flatMap(({ partlyKnown }) => partlyKnown ?? [])) }
      : {}),
  };
}

export function previewReranked(
  encoder: EvaluatorPreview,
  scorer: EvaluatorPreview,
  { id, name, path }: Own,
): KindPreview {
  if (!encoder.sharedSpace) throw noTowers(encoder, path);
  // A Python evaluator that may score pairs passes here, because only opening it shows whether it does.
  if (scorer.kind === 'dual-encoder' || !scorer.scores.includes('image-text')) throw noPairs(scorer, path);
  return {
    name: name === id ? nameOf(encoder, scorer) : name,
    scores: ['text-text', 'image-text', 'image-image'],
    sharedSpace: false,
    remote: encoder.remote || scorer.remote,
    ...((encoder.python ?? scorer.python) && { python: true }),
  };
}

function nameOf(encoder: { name: string }, scorer: { name: string }): string {
  return `${encoder.name}, reranked by ${scorer.name}`;
}

function noTowers({ name }: { name: string }, at: string): CaptiousError {
  return evaluatorError(say('evaluator.noSharedSpace', name), say('ranking.setDualEncoder'), at);
}

function noPairs({ name }: { name: string }, at: string): CaptiousError {
  return evaluatorError(say('ranking.scorerCannotRerank', name), say('ranking.setJointScorer'), at);
}
