/* Compares a benchmark with other files, and with other splits of its own, as far as they share captions or images. */
import { resolve } from 'node:path';
import type { ImageRef } from '../../dataset/example';
import { openDataset } from '../../dataset/open';
import { defaultSplits } from '../../dataset/parts/splitNames';
import { inTurns } from '../../base/turns/steps';
import type { Item } from '../../probe/benchmark/items';
import { LeakFinder } from '../../probe/benchmark/leaks/leakFinder';
import type { Leaks } from '../../probe/benchmark/leaks/leakKinds';
import { ImageSearch, type ReadImages } from './imageSearch';
import type { Looks } from './looks';

/** How many images of another file are read at once. */
const atOnce = 256;

interface Comparison {
  /** The files to compare with. */
  others: readonly string[];
  folders: readonly string[];
  looks: Looks;
  signal: AbortSignal;
}

/** What each item shares with other files and splits. Undefined if there are none. */
export async function leaksIn(
  items: readonly Item[],
  images: ReadImages,
  { others, ...how }: Comparison,
): Promise<readonly (Leaks | undefined)[] | undefined> {
  const splits = splitsOf(items);
  const hasSplits = new Set(splits).size > 1;
  if (others.length === 0 && !hasSplits) return undefined;
  const finder = await inTurns(LeakFinder.of(items, splits, images.looks), how.signal);
  if (hasSplits)
    for (const [i, { captions, right, image, imageKey }] of items.entries()) {
      finder.caption(captions[right], splits[i]);
      if (image !== undefined)
        finder.image(image, splits[i], imageKey === undefined ? undefined : images.looks.get(imageKey));
    }
  for (const path of others) await compareWith(path, finder, how);
  return finder.leaks;
}

async function compareWith(
  path: string,
  finder: LeakFinder,
  { folders, looks, signal }: Omit<Comparison, 'others'>,
): Promise<void> {
  const dataset = await openDataset(resolve(path), { signal });
  const search = new ImageSearch(dataset, folders, signal);
  let waiting: ImageRef[] = [];
  const flush = async (): Promise<void> => {
    const sources = await search.sourcesOf(waiting);
    const found = sources.flatMap((source) => (source === undefined ? [] : [source]));
    const known = new Map((await looks.of(found)).map((look, i) => [found[i], look]));
    for (const [i, { name }] of waiting.entries())
      finder.image(name, path, sources[i] && known.get(sources[i]));
    waiting = [];
  };
  let last: string | undefined;
  for await (const { captions, images } of dataset.read({ signal })) {
    for (const { role, text } of captions) if (role === 'caption') finder.caption(text, path);
    for (const image of images) {
      if (image.bytes === undefined && image.name === last) continue;
      last = image.name;
      waiting.push(image.bytes === undefined ? image : { ...image, bytes: image.bytes.slice() });
    }
    if (waiting.length >= atOnce) await flush();
  }
  await flush();
}

/** The split of each item: of its row, or of its file if the dataset has several. Empty if neither says it. */
function splitsOf(items: readonly Item[]): string[] {
  const ofParts = new Map<string, string>();
  return items.map(({ tags, place }) => {
    const { split } = tags;
    if (typeof split === 'string') return split;
    if (place?.part === undefined) return '';
    let own = ofParts.get(place.part);
    if (own === undefined)
      ofParts.set(place.part, (own = [...defaultSplits([place.part], [], []).keys()].at(0) ?? ''));
    return own;
  });
}
