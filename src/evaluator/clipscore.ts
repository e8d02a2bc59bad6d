import { createHash } from 'node:crypto';
import { CaptiousError } from '../base/errors';
import type { Evaluator, EvaluatorPreview, Scale } from './evaluator';

/** What a metric makes of an encoder's cosines. Embeddings stay the encoder's own, and so do their places in the store. */
export interface MetricSpec {
  scale: Scale;
  /** Put before a caption that is scored against a picture. */
  prefix: string;
  note: string;
}

const paperPrefix = 'A photo depicts ';

/** Metrics that go by name: `clipscore:ENCODER`. */
export const metricNames = ['clipscore', 'pac-s', 'cosine'] as const;
export type MetricName = (typeof metricNames)[number];

export function metricNamed(
  name: MetricName,
  changes: { weight?: number; prefix?: string } = {},
): MetricSpec {
  const prefix = changes.prefix ?? (name === 'cosine' ? '' : paperPrefix);
  if (name === 'cosine')
    return {
      scale: { name: 'cosine' },
      prefix,
      note: `Plain cosines${prefix === '' ? '' : `, each caption preceded by "${prefix}"`}.`,
    };
  const weight = changes.weight ?? (name === 'clipscore' ? 2.5 : 2);
  const title = name === 'clipscore' ? 'CLIPScore' : 'PAC-S';
  const own =
    name === 'pac-s' ? ' PAC-S as published has weights of its own: it is that only with those.' : '';
  return {
    scale: { name: 'clipped', weight },
    prefix,
    note: `${title}: ${weight}·max(cos, 0), each caption preceded by "${prefix}".${own}`,
  };
}

/** The encoder in another chair: same embeddings, another score for a picture and a caption. */
export function asMetric(
  encoder: Evaluator,
  { scale, prefix, note }: MetricSpec,
  { id, name, path }: { id: string; name: string; path?: string },
): Evaluator {
  const { info, measureTexts, embedTexts, embedImages } = encoder;
  if (!info.scores.includes('image-text') || embedImages === undefined || embedTexts === undefined)
    throw noSharedSpace(info, path);
  const sha256 = metricSha256(info.sha256, scale, prefix);
  // The encoder may have notes about a scale of its own, which is not the one used here.
  const notes = [note, ...info.notes.filter((other) => !other.startsWith('Scores are '))];
  return {
    ...encoder,
    info: { ...info, id, name, sha256, scale, prefix, notes, ...(path === undefined ? {} : { path }) },
    measureTexts: measureTexts && ((texts, signal) => measureTexts.call(encoder, texts, signal)),
    embedTexts: (texts, signal) => embedTexts.call(encoder, texts, signal),
    embedImages: (images, signal) => embedImages.call(encoder, images, signal),
    close: () => encoder.close(),
  };
}

/** The same, of an encoder that is not open. */
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
  return createHash('sha256')
    .update(JSON.stringify(['metric', 1, encoder, scale, prefix]))
    .digest('hex');
}

function noSharedSpace(
  encoder: { id: string; name: string; path?: string },
  path: string | undefined,
): CaptiousError {
  return new CaptiousError('evaluator', `${encoder.name} does not embed pictures and texts into one space.`, {
    at: path ?? encoder.path,
    remedy: `This score is made of the cosine of a picture and a caption. Name a dual encoder, such as CLIP, instead of "${encoder.id}".`,
  });
}
