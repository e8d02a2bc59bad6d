/* What is wrong with single items of a benchmark. */
import type { Steps } from '../../base/turns/steps';
import type { Metric } from '../metric';
import { type Corpus, Numbering } from './blind/corpus';
import { type Fault, faultMetrics, faultyMetric } from './faultNames';
import { type Item, seenOf, wordsOf } from './items';
import type { Known } from './known';
import { otherLanguages } from './languages';
import { leakKinds } from './leaks/leakKinds';
import { similarItems } from './similar';

/** The items with each fault. */
export function* faultsIn(corpus: Corpus, known: Known): Steps<Map<Fault, Uint8Array>> {
  const { items } = corpus;
  const seen = seenBy(items, known);
  const duplicate = duplicates(corpus, seen);
  yield;
  const similar = yield* similarItems(corpus);
  const other = yield* otherLanguages(corpus);
  return new Map<Fault, Uint8Array>([
    ['duplicate', duplicate],
    ['similar', similar.map((own, i) => own & ~duplicate[i])],
    ['contradiction', contradictions(corpus, seen)],
    ['equal', where(items, isEqual)],
    ['otherLanguage', other],
    ['long', where(items, ({ captions }) => captions.some((caption) => isLong(caption, clipTokens)))],
    ['longForSiglip', where(items, ({ captions }) => captions.some(isLongForSiglip))],
    [
      'longForLongClip',
      where(items, ({ captions }) => captions.some((caption) => isLong(caption, longClipTokens))),
    ],
    ...imageFaults(items, known),
    ...leakFaultsOf(items, known),
  ]);
}

/** What each item is about. An image with the pixels of an earlier one is this one. */
function seenBy(items: readonly Item[], { alike }: Known): (string | undefined)[] {
  return items.map(({ imageKey, crop, seen }) => {
    const like = imageKey === undefined ? undefined : alike?.get(imageKey);
    return like?.kind === 'same' ? seenOf(like.imageKey, crop) : seen;
  });
}

function where(items: readonly Item[], holds: (item: Item, i: number) => boolean): Uint8Array {
  return Uint8Array.from(items, (item, i) => (holds(item, i) ? 1 : 0));
}

/** Faults of images, as far as images were searched and read. */
function* imageFaults(
  items: readonly Item[],
  { missing, corrupt, alike }: Known,
): Generator<[Fault, Uint8Array]> {
  const has = (imageKeys: ReadonlySet<string>): Uint8Array =>
    where(items, ({ imageKey }) => imageKey !== undefined && imageKeys.has(imageKey));
  if (missing !== undefined) yield ['missingImage', has(missing)];
  if (corrupt !== undefined) yield ['corruptImage', has(corrupt)];
  if (alike === undefined) return;
  for (const [fault, kind] of [
    ['sameImage', 'same'],
    ['similarImage', 'similar'],
  ] as const)
    yield [
      fault,
      where(items, ({ imageKey }) => imageKey !== undefined && alike.get(imageKey)?.kind === kind),
    ];
}

/** What items share with other files and splits, and whether they share anything. */
function* leakFaultsOf(items: readonly Item[], { leaks }: Known): Generator<[Fault, Uint8Array]> {
  if (leaks === undefined) return;
  yield ['leak', where(items, (_, i) => leaks[i] !== undefined)];
  for (const kind of leakKinds) yield [kind, where(items, (_, i) => leaks[i]?.[kind] !== undefined)];
}

/** The number of items with each fault, and with any of them. `images` is the number of images of all items. */
export function faultCounts(faults: ReadonlyMap<Fault, Uint8Array>, images: number): Metric[] {
  const all = [...faults.values()];
  const any = Uint8Array.from(all[0], (_, i) => (all.some((items) => items[i] === 1) ? 1 : 0));
  const named = [...faults].map(([fault, items]) => [faultMetrics[fault], items] as const);
  return [...named, [faultyMetric, any] as const].map(([id, items]) => ({
    id,
    value: items.reduce((count, own) => count + own, 0),
    n: items.length,
    ...(images === items.length ? {} : { images }),
  }));
}

/** Items with the image and the captions of an earlier item, of which the same is right. */
function duplicates({ items, options }: Corpus, seen: readonly (string | undefined)[]): Uint8Array {
  const known = new Set<string>();
  return Uint8Array.from(items, ({ right }, i) => {
    const texts = options.at(i);
    const key = JSON.stringify([seen[i], texts[right], [...texts].sort()]);
    if (known.has(key)) return 1;
    known.add(key);
    return 0;
  });
}

const mostTexts = 2 ** 26;

/** Items with a caption that another item calls right, or wrong, for the same image. */
function contradictions({ items, options }: Corpus, seen: readonly (string | undefined)[]): Uint8Array {
  const images = new Numbering<string>();
  const roles = new Map<number, number>();
  const each = (item: number, visit: (key: number, role: 1 | 2) => void): void => {
    const { right } = items[item];
    const own = seen[item];
    if (own === undefined) return;
    const image = images.of(own) * mostTexts;
    for (const [c, text] of options.at(item).entries()) visit(image + text, c === right ? 1 : 2);
  };
  for (const item of items.keys()) each(item, (key, role) => roles.set(key, (roles.get(key) ?? 0) | role));
  const found = new Uint8Array(items.length);
  for (const item of items.keys())
    each(item, (key) => {
      if (roles.get(key) === 3) found[item] = 1;
    });
  return found;
}

/** Whether a wrong caption equals the right one, without case and punctuation. */
function isEqual({ captions, right }: Item): boolean {
  const [own, ...others] = [captions[right], ...captions.toSpliced(right, 1)].map(
    (caption) => wordsOf(caption).join(' ') || caption,
  );
  return others.includes(own);
}

/** The limits of CLIP (77) and of Long-CLIP (248), without the tokens for start and end. */
const clipTokens = 75;
const longClipTokens = 246;
const token = /'(?:s|t|re|ve|m|ll|d)|\p{L}+|\p{N}|[^\s\p{L}\p{N}]+/giu;

/** Whether CLIP's tokenizer surely makes more tokens: at least as many as words, digits and groups of signs. */
function isLong(caption: string, most: number): boolean {
  return caption.length > most && (caption.match(token)?.length ?? 0) > most;
}

/** SigLIP's limit (64), without the token for the end. */
const siglipTokens = 63;

/** Whether SigLIP surely truncates a caption: it makes a token or more of each word, and may ignore signs. */
function isLongForSiglip(caption: string): boolean {
  if (caption.length <= siglipTokens) return false;
  return caption.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length > siglipTokens;
}
