import { sha256Of } from '../base/files/sha256';
import { findSaid, together } from '../base/say';
import { CaptiousError } from '../base/errors';
import { say, type Words } from '../base/say';
import type { Evaluator, EvaluatorPreview, Scale } from './evaluator';

/** How a metric turns an encoder's cosines into scores. Embeddings and their store keys stay the same. */
export interface MetricSpec {
  scale: Scale;
  /** The text in front of each caption that is scored against an image. */
  prefix: string;
  note: Words;
}

const paperPrefix = 'A photo depicts ';

/** The names of metrics in references such as `clipscore:starter`. */
export const metricNames = ['clipscore', 'pac-s', 'cosine'] as const;
export type MetricName = (typeof metricNames)[number];
const metricPrefixes = new RegExp(`^(?:(?:${metricNames.join('|')}):)*`);

/** The metric names that start an id or reference, such as "clipscore:" in "clipscore:starter"; or "". */
export function metricPrefix(ref: string): string {
  return metricPrefixes.exec(ref)![0];
}

export function metricNamed(
  name: MetricName,
  changes: { weight?: number; prefix?: string } = {},
): MetricSpec {
  const prefix = changes.prefix ?? (name === 'cosine' ? '' : paperPrefix);
  if (name === 'cosine')
    return {
      scale: { name: 'cosine' },
      prefix,
      note: prefix === '' ? say('evaluator.plainCosines') : say('evaluator.prefixedCosines', prefix),
    };
  const weight = changes.weight ?? (name === 'clipscore' ? 2.5 : 2);
  const title = name === 'clipscore' ? 'CLIPScore' : 'PAC-S';
  const own = name === 'pac-s' ? say('evaluator.pacsWeightsNeeded') : undefined;
  return {
    scale: { name: 'clipped', weight },
    prefix,
    note: together(say('evaluator.clipscoreFormula', title, weight, prefix), own),
  };
}

/** Makes an evaluator that scores an image and a caption with a metric. It uses the encoder's embeddings. */
/** The notes on the encoder's own scores, which the metric does not use. */
const ownScores = ['model.plainCosines', 'model.sigmoidFromGraph', 'evaluator.calibratedSigmoid'] as const;

export function asMetric(
  encoder: Evaluator,
  { scale, prefix, note }: MetricSpec,
  { id, name, path }: { id: string; name: string; path?: string },
): Evaluator {
  const { info, measureTexts, embedTexts, embedImages } = encoder;
  if (!info.scores.includes('image-text') || embedImages === undefined || embedTexts === undefined)
    throw noSharedSpace(info, path);
  const sha256 = metricSha256(info.sha256, scale, prefix);
  const notes = [note, ...info.notes.filter((other) => !ownScores.some((code) => findSaid(other, code)))];
  return {
    ...encoder,
    info: {
      ...info,
      id,
      name,
      ...(encoder.scorePairs === undefined ? {} : { kind: 'dual-encoder' as const }),
      sha256,
      scale,
      prefix,
      notes,
      ...(path === undefined ? {} : { path }),
    },
    // A metric uses only cosines, even if the encoder scores pairs.
    scorePairs: undefined,
    rerank: undefined,
    measureTexts: measureTexts && ((texts, signal) => measureTexts.call(encoder, texts, signal)),
    embedTexts: (texts, signal) => embedTexts.call(encoder, texts, signal),
    embedImages: (images, signal) => embedImages.call(encoder, images, signal),
    close: () => encoder.close(),
  };
}

/** Previews a metric without opening its encoder. */
export function previewMetric(
  encoder: EvaluatorPreview,
  { scale, prefix }: MetricSpec,
  { path, ...own }: { id: string; name: string; path?: string },
): EvaluatorPreview {
  if (!encoder.sharedSpace) throw noSharedSpace(encoder, path);
  return {
    ...encoder,
    ...own,
    ...(path === undefined ? {} : { path }),
    ...(encoder.sha256 === undefined ? {} : { sha256: metricSha256(encoder.sha256, scale, prefix) }),
    scale,
    prefix,
  };
}

function metricSha256(encoder: string, scale: Scale, prefix: string): string {
  return sha256Of(['metric', 1, encoder, scale, prefix]);
}

function noSharedSpace(
  encoder: { id: string; name: string; path?: string },
  path: string | undefined,
): CaptiousError {
  return new CaptiousError('evaluator', say('evaluator.noSharedSpace', encoder.name), {
    at: path ?? encoder.path,
    remedy: say('evaluator.clipscoreUseDualEncoder', encoder.id),
  });
}
