/* What is wrong with single items of a benchmark. */
import type { Metric } from '../metric';
import { type Corpus, Numbering } from './blind/corpus';
import { type Fault, faultMetrics, faultyMetric } from './faultNames';
import { type Item, wordsOf } from './items';
import { similarItems } from './similar';

/** The items with each fault. `missing`: the names of images without a file, if images were searched. */
export function faultsIn(corpus: Corpus, missing?: ReadonlySet<string>): Map<Fault, Uint8Array> {
  const { items } = corpus;
  const duplicate = duplicates(corpus);
  const where = (holds: (item: Item) => boolean): Uint8Array =>
    Uint8Array.from(items, (item) => (holds(item) ? 1 : 0));
  const found = new Map<Fault, Uint8Array>([
    ['duplicate', duplicate],
    ['similar', similarItems(corpus).map((own, i) => own & ~duplicate[i])],
    ['contradiction', contradictions(corpus)],
    ['equal', where(isEqual)],
    ['long', where(({ captions }) => captions.some(isLong))],
  ]);
  if (missing !== undefined)
    found.set(
      'missingImage',
      where(({ image }) => image !== undefined && missing.has(image)),
    );
  return found;
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
function duplicates({ items, options }: Corpus): Uint8Array {
  const known = new Set<string>();
  return Uint8Array.from(items, ({ seen, right }, i) => {
    const texts = options.at(i);
    const key = JSON.stringify([seen, texts[right], [...texts].sort()]);
    if (known.has(key)) return 1;
    known.add(key);
    return 0;
  });
}

const mostTexts = 2 ** 26;

/** Items with a caption that another item calls right, or wrong, for the same image. */
function contradictions({ items, options }: Corpus): Uint8Array {
  const images = new Numbering<string>();
  const roles = new Map<number, number>();
  const each = (item: number, visit: (key: number, role: 1 | 2) => void): void => {
    const { seen, right } = items[item];
    if (seen === undefined) return;
    const image = images.of(seen) * mostTexts;
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

/** CLIP's limit, without the tokens for start and end. */
const mostTokens = 75;
const token = /'(?:s|t|re|ve|m|ll|d)|\p{L}+|\p{N}|[^\s\p{L}\p{N}]+/giu;

/** Whether CLIP surely truncates a caption: it has at least as many tokens as words, digits and groups of signs. */
function isLong(caption: string): boolean {
  return caption.length > mostTokens && (caption.match(token)?.length ?? 0) > mostTokens;
}
