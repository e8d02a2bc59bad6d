import { CaptiousError } from '../base/errors';
import { append } from '../base/lists';
import { Random } from '../base/random';
import { say } from '../base/say';
import type { Dataset } from '../dataset/dataset';
import type { Example, ImageRef } from '../dataset/example';
import { fileOf, type ImageFinder } from '../dataset/images/images';
import type { Transform } from '../perturb/transform';
import type { ImageSpec } from '../protocol/imageSpec';
import type { ImageItem } from '../protocol/item';
import { imageTraits } from './imageTraits';
import { captionTraits, type Trait, traits } from './traits';
import type { Pair } from './difference';

/** Two captions of an image make a decision, which an evaluator could make otherwise. */
const perImage = 2;
/** Causes are searched on at most so many pairs, and measured on all others. */
const mostSearched = 60;
/** How many images with a trait are preferred. Half of them confirm what is found on the other half. */
const preferred = 12;
/** In how many images of a large dataset traits are looked for. */
const lookedAt = 1000;

interface Drawn {
  draw: number;
  ref: ImageRef;
  captions: Map<string, number>;
}

/** An image of the dataset with a file, and what it can show. */
interface Candidate extends Drawn {
  image: ImageItem;
  traits: Set<Trait>;
}

export interface Sample {
  /** The pairs of searched images come first. All pairs of an image are on one side. */
  pairs: Pair[];
  searched: number;
  /** For each trait, the number of images that have it, in the sample and among those that were looked at. */
  traits: Record<Trait, { sample: number; looked: number }>;
  looked: number;
}

export interface SampleRequest {
  pairs: number;
  seed: number;
  signal: AbortSignal;
  knows?: (pair: Pair) => boolean;
  /** How A prepares images. */
  spec: ImageSpec;
  /** Which texts A truncates. */
  cuts: (texts: readonly string[]) => Promise<readonly boolean[]>;
}

/**
 * Draws images with up to two of their captions. Images and captions that show rare settings are preferred, up to half
 * of the sample. The draw does not depend on the order of the file.
 */
export async function samplePairs(
  dataset: Dataset,
  finder: ImageFinder,
  request: SampleRequest,
): Promise<Sample> {
  const drawn = await drawnFrom(dataset, request);
  const { candidates, missing } = await candidatesOf(drawn, finder, request);
  if (candidates.length === 0)
    throw new CaptiousError('input', say('parity.noImageFiles', missing[0]), {
      at: dataset.path,
      remedy: say('parity.giveImages'),
    });
  const rarest = traits
    .map((trait) => ({ trait, looked: candidates.filter((one) => one.traits.has(trait)).length }))
    .filter(({ looked }) => looked > 0)
    .sort((a, b) => a.looked - b.looked);
  const order = rarest.map(({ trait }) => trait);
  const chosen = choose(candidates, order, request.pairs);
  const { pairs, searched } = dealt(chosen, order, request.pairs);
  const names = new Set(pairs.map(({ image }) => image.source.name));
  const counts = traits.map((trait) => {
    const having = candidates.filter((one) => one.traits.has(trait));
    const sample = having.filter(({ ref }) => names.has(ref.name)).length;
    return [trait, { sample, looked: having.length }] as const;
  });
  return {
    pairs,
    searched,
    traits: Object.fromEntries(counts) as Sample['traits'],
    looked: candidates.length,
  };
}

async function drawnFrom(dataset: Dataset, { pairs, seed, signal, knows }: SampleRequest): Promise<Drawn[]> {
  const drawn = new Map<string, Drawn>();
  const kept = Math.max(lookedAt, 2 * pairs);
  let images = 0;
  for await (const example of dataset.read({ signal })) {
    images += example.images.length;
    note(example, drawn, seed, knows);
    if (drawn.size > 2 * kept)
      for (const { ref } of inOrder(drawn.values()).slice(kept)) drawn.delete(ref.name);
  }
  if (images > 0 && drawn.size === 0)
    throw new CaptiousError('input', say('parity.noKnownPairs'), {
      at: dataset.path,
      remedy: say('parity.checkNames'),
    });
  if (drawn.size === 0)
    throw new CaptiousError('input', say('parity.noImages'), {
      at: dataset.path,
      remedy: say('parity.useImageDataset'),
    });
  return inOrder(drawn.values()).slice(0, kept);
}

function note(
  { images, captions }: Example,
  drawn: Map<string, Drawn>,
  seed: number,
  knows: ((pair: Pair) => boolean) | undefined,
): void {
  for (const { text, image } of captions) {
    const ref = images.at(image);
    if (ref === undefined || text.trim() === '') continue;
    if (knows?.({ image: unread(ref), caption: text }) === false) continue;
    let known = drawn.get(ref.name);
    if (known === undefined) {
      const draw = new Random(seed, ref.name, 'parity.image').uniform();
      drawn.set(ref.name, (known = { draw, ref, captions: new Map() }));
    }
    known.captions.set(text, new Random(seed, ref.name, text, 'parity.caption').uniform());
  }
}

function inOrder<T extends { draw: number }>(drawn: Iterable<T>): T[] {
  return [...drawn].sort((a, b) => a.draw - b.draw);
}

/** The drawn images that have a file, each with the two captions that show most. */
async function candidatesOf(
  drawn: readonly Drawn[],
  finder: ImageFinder,
  { cuts, spec }: SampleRequest,
): Promise<{ candidates: Candidate[]; missing: string[] }> {
  const candidates: Candidate[] = [];
  const missing: string[] = [];
  const texts = drawn.flatMap(({ captions }) => [...captions.keys()]);
  const isCut = new Map((await cuts(texts)).map((cut, i) => [texts[i], cut]));
  for (const one of drawn) {
    const image = await itemOf(one.ref, finder);
    if (image === undefined) {
      missing.push(one.ref.name);
      continue;
    }
    const shown = ([text]: [string, number]): number =>
      captionTraits(text, isCut.get(text)!).length > 0 ? 0 : 1;
    const captions = [...one.captions]
      .sort((a, b) => shown(a) - shown(b) || a[1] - b[1])
      .slice(0, perImage)
      .sort((a, b) => a[1] - b[1]);
    const own = captions.flatMap(([text]) => captionTraits(text, isCut.get(text)!));
    candidates.push({
      ...one,
      image,
      captions: new Map(captions),
      traits: new Set([...(await imageTraits(image.source, spec)), ...own]),
    });
  }
  return { candidates, missing };
}

/** Images in the order of their draw, with those of rare traits first until half of the sample is full. */
function choose(candidates: readonly Candidate[], order: readonly Trait[], pairs: number): Candidate[] {
  const chosen = new Set<Candidate>();
  const size = (): number => [...chosen].reduce((total, { captions }) => total + captions.size, 0);
  for (const trait of order) {
    const having = candidates.filter((one) => one.traits.has(trait));
    let count = having.filter((one) => chosen.has(one)).length;
    for (const one of having) {
      if (count >= preferred || size() >= pairs / 2) break;
      if (chosen.has(one)) continue;
      chosen.add(one);
      count++;
    }
  }
  for (const one of candidates) {
    if (size() >= pairs) break;
    chosen.add(one);
  }
  return [...chosen];
}

/** Puts every other image on the side where causes are searched, so that each trait is on both sides. */
function dealt(
  chosen: readonly Candidate[],
  order: readonly Trait[],
  most: number,
): Pick<Sample, 'pairs' | 'searched'> {
  const rank = ({ traits: own }: Candidate): number => {
    const at = order.findIndex((trait) => own.has(trait));
    return at === -1 ? order.length : at;
  };
  const sorted = [...chosen].sort((a, b) => rank(a) - rank(b) || a.draw - b.draw);
  const sides: [Pair[], Pair[]] = [[], []];
  let room = most;
  for (const [i, { image, captions }] of sorted.entries()) {
    const own = [...captions.keys()].slice(0, room).map((caption): Pair => ({ image, caption }));
    room -= own.length;
    const isFull = sides[0].length + own.length > mostSearched;
    append(sides[i % 2 === 0 && !isFull ? 0 : 1], own);
  }
  return { pairs: [...sides[0], ...sides[1]], searched: sides[0].length };
}

async function itemOf(ref: ImageRef, finder: ImageFinder): Promise<ImageItem | undefined> {
  if (ref.bytes !== undefined) return unread(ref);
  const found = fileOf(await finder.find(ref.name));
  return found === undefined ? undefined : { ...unread(ref), source: { name: ref.name, path: found.path } };
}

function unread({ name, bytes = new Uint8Array(), crop }: ImageRef): ImageItem {
  const transforms: Transform[] = crop === undefined ? [] : [{ op: 'crop', ...crop }];
  return { kind: 'image', source: { name, bytes }, transforms };
}
