/* Finds right captions and images of a benchmark that another file or split has, too. */
import { cocoNumber, hasCocoForm } from '../../../dataset/images/cocoNames';
import { pathOfName, withoutEnding } from '../../../dataset/images/nameFolders';
import type { Steps } from '../../../base/turns/steps';
import { type Look, LookIndex } from '../images/alike';
import { type Item, wordsOf } from '../items';
import { alike, bandHash, bands, BandTable, hashes, leastSimilar, sign } from '../minHash';
import type { LeakKind, Leaks } from './leakKinds';
import { addTo, valueIn } from '../../../base/lists';

/** Captions with fewer words are equal by chance. */
const leastWords = 4;
/** Many datasets have an image with a shorter name, such as `1.jpg`. */
const leastName = 6;
/** The most captions of a band that a caption is compared with. */
const mostCompared = 200;
const stepEvery = 5000;

/** A file, or a split of the benchmark's own file. */
type Group = string;

export class LeakFinder {
  /** What each item shares with other groups: by kind, the first group. */
  readonly leaks: (Leaks | undefined)[];
  private readonly byCaption = new Map<string, number[]>();
  private readonly texts: { items: readonly number[]; features: Uint32Array }[] = [];
  private readonly tables: BandTable[] = [];
  private readonly byName = new Map<string, Set<string>>();
  private readonly byImage = new Map<string, number[]>();
  private readonly index = new LookIndex();

  private constructor(
    items: readonly Item[],
    private readonly groups: readonly Group[],
    private readonly looks: ReadonlyMap<string, Look>,
  ) {
    this.leaks = items.map(() => undefined);
  }

  /** `groups`: the group of each item. `looks`: what images of the benchmark show, by `imageKey`. */
  static *of(
    items: readonly Item[],
    groups: readonly Group[],
    looks: ReadonlyMap<string, Look> = new Map(),
  ): Steps<LeakFinder> {
    const finder = new LeakFinder(items, groups, looks);
    for (const [i, item] of items.entries()) {
      if (i % stepEvery === 0) yield;
      finder.add(item, i);
    }
    for (const [imageKey, look] of looks) finder.index.add(imageKey, look);
    yield* finder.sign();
    return finder;
  }

  private add({ captions, right, image, imageKey }: Item, i: number): void {
    const words = wordsOf(captions[right]);
    if (words.length >= leastWords) addTo(this.byCaption, words.join(' '), i);
    if (imageKey === undefined) return;
    addTo(this.byImage, imageKey, i);
    const name = image === undefined ? undefined : nameKey(image);
    if (name === undefined) return;
    valueIn(this.byName, name, () => new Set()).add(imageKey);
  }

  private *sign(): Steps<void> {
    for (const [caption, items] of this.byCaption)
      this.texts.push({ items, features: featuresOf(caption.split(' ')) });
    const signatures = new Uint32Array(this.texts.length * hashes);
    for (const [t, { features }] of this.texts.entries()) {
      if (t % stepEvery === 0) yield;
      sign(features, signatures, t * hashes);
    }
    for (let band = 0; band < bands; band++) {
      yield;
      this.tables.push(new BandTable(signatures, band));
    }
  }

  /** Notes a right caption of another file or split. */
  caption(text: string, group: Group): void {
    const words = wordsOf(text);
    if (words.length < leastWords) return;
    const same = this.byCaption.get(words.join(' '));
    if (same !== undefined) this.note(same, 'leakedCaption', group);
    const features = featuresOf(words);
    const signature = new Uint32Array(hashes);
    sign(features, signature, 0);
    const near = new Set<number>();
    for (const [band, table] of this.tables.entries())
      for (const text of table.with(bandHash(signature, 0, band)).subarray(0, mostCompared)) near.add(text);
    for (const text of near) {
      const { items, features: own } = this.texts[text];
      if (items !== same && alike(own, features) >= leastSimilar)
        this.note(items, 'leakedSimilarCaption', group);
    }
  }

  /** Notes an image of another file or split. Where both images were read, their names do not count. */
  image(name: string, group: Group, look?: Look): void {
    const key = nameKey(name);
    for (const imageKey of (key === undefined ? undefined : this.byName.get(key)) ?? [])
      if (look === undefined || !this.looks.has(imageKey))
        this.note(this.byImage.get(imageKey), 'leakedImage', group);
    if (look === undefined) return;
    for (const { kind, imageKey } of this.index.all(look))
      this.note(this.byImage.get(imageKey), kind === 'same' ? 'leakedImage' : 'leakedSimilarImage', group);
  }

  private note(items: readonly number[] = [], kind: LeakKind, group: Group): void {
    for (const item of items) {
      if (this.groups[item] === group) continue;
      const own = (this.leaks[item] ??= {});
      own[kind] ??= group;
    }
  }
}

/** The name of a file without folders and without the ending, or COCO's number; undefined if it says too little. */
function nameKey(name: string): string | undefined {
  if (/^row /.test(name)) return undefined;
  const { file } = pathOfName(name);
  if (hasCocoForm(file)) return `COCO ${cocoNumber(file)}`;
  const own = withoutEnding(file).toLowerCase();
  return own.length < leastName ? undefined : own;
}

/** The distinct words and pairs of adjacent words, as hashes in ascending order. */
function featuresOf(words: readonly string[]): Uint32Array {
  const numbers = new Set<number>();
  let before = 0;
  for (const word of words) {
    let hash = 0x811c9dc5;
    for (let i = 0; i < word.length; i++) hash = Math.imul(hash ^ word.charCodeAt(i), 0x01000193);
    numbers.add(hash >>> 0);
    numbers.add((Math.imul(before ^ 0x9e3779b9, 0x85ebca6b) ^ hash) >>> 0);
    before = hash;
  }
  numbers.add((Math.imul(before ^ 0x9e3779b9, 0x85ebca6b) ^ 1) >>> 0);
  return Uint32Array.from(numbers).sort();
}
