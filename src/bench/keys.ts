import { createHash } from 'node:crypto';
import { versions } from '../base/files/versions';
import type { EvaluatorInfo } from '../evaluator/evaluator';
import type { Transform } from '../perturb/transform';

/** To increase when a transform's arithmetic or a key's meaning changes: stored results are then invalid. */
const generation = 2;

/** What turns a text into tokens: the tokenizers' package, and the Unicode tables of Node.js. */
function textLibraries(): (string | undefined)[] {
  return [versions()['@huggingface/tokenizers'], process.versions.unicode];
}

/** What decodes an image. */
function imageLibraries(): (string | undefined)[] {
  const { sharp, 'sharp-libvips': libvips } = versions();
  return [sharp, libvips];
}

/** The key of a text: SHA-256 of the text and of everything that affects its result. See docs/cache-keys.md. */
export function textKey(info: EvaluatorInfo, text: string): Buffer {
  return keyOf(['text', towerKey(info, 'textKey'), textLibraries()], text);
}

export function imageKey(info: EvaluatorInfo, sha256: string, transforms: readonly Transform[]): Buffer {
  return keyOf(['image', towerKey(info, 'imageKey'), imageLibraries(), sha256, transforms], '');
}

export function pairKey(
  info: EvaluatorInfo,
  sha256: string,
  transforms: readonly Transform[],
  text: string,
  references?: readonly string[],
): Buffer {
  return keyOf(
    [
      'pair',
      ...(info.pairKey === undefined ? [info.sha256, info.precision, info.provider] : [info.pairKey]),
      imageLibraries(),
      // A judge gets the text itself, and each of its scores may cost money.
      ...(info.kind === 'judge' ? [] : [textLibraries()]),
      sha256,
      transforms,
      ...(references === undefined ? [] : [references]),
    ],
    text,
  );
}

/**
 * The key of an external score or embedding, or of a score from region features. It contains the image's name, because
 * the file may be missing, or only hold its place. An embedding has no text.
 */
export function givenKey(
  info: EvaluatorInfo,
  name: string,
  transforms: readonly Transform[],
  text: string | undefined,
): Buffer {
  if (text === undefined)
    return keyOf(['given image', info.sha256, info.imageKey ?? null, name, transforms], '');
  const own = info.pairKey === undefined ? [info.sha256] : [info.pairKey, textLibraries()];
  return keyOf(['given', ...own, name, transforms], text);
}

function keyOf(parts: readonly unknown[], text: string): Buffer {
  // The text is hashed as UTF-16, because all lone surrogates are equal in UTF-8.
  return createHash('sha256')
    .update(`${JSON.stringify([generation, ...parts])}\n`, 'utf8')
    .update(text, 'utf16le')
    .digest();
}

function towerKey(info: EvaluatorInfo, tower: 'textKey' | 'imageKey'): string {
  const key = info[tower];
  if (key === undefined) throw new Error(`The evaluator ${info.id} returns embeddings but has no ${tower}.`);
  return key;
}
