import { CaptiousError } from '../base/errors';
import { Random } from '../base/random';
import { say } from '../base/say';
import type { Dataset } from '../dataset/dataset';
import type { Example, ImageRef } from '../dataset/example';
import { fileOf, type ImageFinder } from '../dataset/images/images';
import type { Transform } from '../perturb/transform';
import type { ImageItem } from '../protocol/item';
import type { Pair } from './measurer';

/** Two captions of an image make a decision, which an evaluator could make otherwise. */
const perImage = 2;

interface Drawn {
  draw: number;
  ref: ImageRef;
  captions: Map<string, number>;
}

/** Draws images with up to two of their captions. The draw does not depend on the order of the file. */
export async function samplePairs(
  dataset: Dataset,
  finder: ImageFinder,
  {
    pairs,
    seed,
    signal,
    knows,
  }: { pairs: number; seed: number; signal: AbortSignal; knows?: (pair: Pair) => boolean },
): Promise<Pair[]> {
  const drawn = new Map<string, Drawn>();
  let images = 0;
  for await (const example of dataset.read({ signal })) {
    images += example.images.length;
    note(example, drawn, seed, knows);
    if (drawn.size > 4 * pairs) keepFirst(drawn, 2 * pairs);
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
  const found: Pair[] = [];
  const missing: string[] = [];
  for (const { ref, captions } of inOrder(drawn)) {
    if (found.length >= pairs) break;
    const image = await itemOf(ref, finder);
    if (image === undefined) missing.push(ref.name);
    else
      for (const [caption] of [...captions].sort(([, a], [, b]) => a - b).slice(0, perImage))
        found.push({ image, caption });
  }
  if (found.length === 0)
    throw new CaptiousError('input', say('parity.noImageFiles', missing[0]), {
      at: dataset.path,
      remedy: say('parity.giveImages'),
    });
  return found.slice(0, pairs);
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

function inOrder(drawn: Map<string, Drawn>): Drawn[] {
  return [...drawn.values()].sort((a, b) => a.draw - b.draw);
}

function keepFirst(drawn: Map<string, Drawn>, count: number): void {
  for (const { ref } of inOrder(drawn).slice(count)) drawn.delete(ref.name);
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
