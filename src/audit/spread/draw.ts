import { Random } from '../../base/random';
import { pauses, throwIfCancelled } from '../../base/errors';
import type { Dataset } from '../../dataset/dataset';
import type { Example } from '../../dataset/example';
import type { ImageFinder } from '../../dataset/images/images';
import type { Evaluator } from '../../evaluator/evaluator';
import { clusterOfExample } from '../../probe/metric';
import type { ImageItem, Want, WantKind } from '../../protocol/item';
import { withReferences } from '../captions/references';
import { findImages } from '../findImages';

export interface DrawRequest {
  dataset: Pick<Dataset, 'read'>;
  limit: number;
  seed: number;
  finder: ImageFinder;
  signal: AbortSignal;
}

/** An image and a caption of another image, or captions of two images. `left` and `right` name their clusters. */
export interface MismatchedPair {
  left: string;
  right: string;
  want: Want;
}

interface Unit {
  name: string;
  /** The place in the random order. */
  order: number;
  example: Example;
  /** The captions of the image, in all rows. */
  captions: Set<string>;
  text: string;
  /** The place of `text` in a random order of these captions. */
  turn: number;
  image?: ImageItem;
}

/** How many images are drawn per needed image, because some image files may be missing. */
const reserve = 1.25;

/**
 * Draws pairs of an image and a caption of another image. The pairs depend only on the dataset, the seed and the
 * limit, so all evaluators with the same `most` get the same pairs. A small dataset gives fewer pairs.
 */
export async function drawMismatched(
  request: DrawRequest,
  kind: WantKind,
  most: number,
  evaluators: readonly Evaluator[] = [],
): Promise<MismatchedPair[]> {
  return pairUp(await drawUnits(request, kind, most, evaluators), most, 1, evaluators, request.signal);
}

/** Draws pairs of few images: each image with its own caption, then with captions of the others. */
export async function drawFew(
  request: DrawRequest,
  kind: WantKind,
  { images, pairs }: { images: number; pairs: number },
  evaluators: readonly Evaluator[],
): Promise<Want[]> {
  // Two captions of one image may be the same text, so texts are paired with those of other images only.
  const first = kind === 'image-text' ? 0 : 1;
  const units = await drawUnits(request, kind, images, evaluators);
  const drawn = await pairUp(units, pairs, first, evaluators, request.signal);
  return drawn.slice(0, pairs).map(({ want }) => want);
}

/** Each round pairs every image with the caption of the image `round` places further, so all images count equally. */
async function pairUp(
  units: readonly Unit[],
  most: number,
  from: number,
  evaluators: readonly Evaluator[],
  signal: AbortSignal,
): Promise<MismatchedPair[]> {
  const pairs: MismatchedPair[] = [];
  const pause = pauses(signal);
  for (let round = from; round < units.length && pairs.length < most; round++)
    for (const [i, left] of units.entries()) {
      const right = units[(i + round) % units.length];
      await pause();
      if (round > 0 && left.captions.has(right.text)) continue;
      pairs.push({
        left: clusterOfExample(left.example),
        right: clusterOfExample(right.example),
        want: wantOf(left, right, evaluators[0]),
      });
    }
  return pairs;
}

function wantOf(left: Unit, right: Unit, evaluator: Evaluator | undefined): Want {
  const text = { kind: 'text' as const, text: right.text };
  if (left.image === undefined) return { left: { kind: 'text', text: left.text }, right: text };
  const want: Want = { left: left.image, right: text, against: left.text };
  return withReferences({ wants: [want] }, left.example, evaluator ?? {}).wants[0];
}

/**
 * The first images in a random order that depends only on the seed and the images' names, each with a caption that
 * depends on its captions, however rows and their order share them.
 */
async function drawUnits(
  { dataset, limit, seed, finder, signal }: DrawRequest,
  kind: WantKind,
  most: number,
  evaluators: readonly Evaluator[],
): Promise<Unit[]> {
  const enough = Math.ceil(most * reserve);
  const drawn = new Map<string, Unit>();
  let bound = 1;
  let read = 0;
  for await (const example of dataset.read({ signal })) {
    if (read++ === limit) break;
    throwIfCancelled(signal);
    const name = example.images.at(0)?.name ?? example.id;
    const order = new Random(seed, name, 'spread').uniform();
    const texts = textsOf(example);
    if (order > bound || texts.length === 0 || (kind === 'image-text' && example.images.length === 0))
      continue;
    let unit = drawn.get(name);
    if (unit === undefined) {
      unit = { name, order, example, captions: new Set(), text: '', turn: Infinity };
      drawn.set(name, unit);
    }
    for (const { text } of example.captions) unit.captions.add(text.trim());
    for (const text of texts) {
      const turn = new Random(seed, name, text, 'spread').uniform();
      if (turn < unit.turn) Object.assign(unit, { example, text, turn });
    }
    if (drawn.size >= 2 * enough) bound = keepFirst(drawn, enough);
  }
  keepFirst(drawn, enough);
  const units = [...drawn.values()];
  if (kind === 'text-text') return units.slice(0, most);
  for (const unit of units) [unit.image] = await findImages(unit.example, finder, evaluators);
  return units.filter(({ image }) => image !== undefined).slice(0, most);
}

/** The captions of the first image. If it has none, the texts that people judged. */
function textsOf({ captions }: Example): string[] {
  const of = (role: string): string[] =>
    captions.flatMap((one) =>
      one.role === role && one.image === 0 && one.text.trim() !== '' ? [one.text.trim()] : [],
    );
  const own = of('caption');
  return own.length > 0 ? own : of('candidate');
}

/** Keeps the first units in the random order. Returns the order of the last one. */
function keepFirst(units: Map<string, Unit>, count: number): number {
  const first = [...units.values()].sort((a, b) => a.order - b.order).slice(0, count);
  units.clear();
  for (const unit of first) units.set(unit.name, unit);
  return units.size < count ? 1 : first[first.length - 1].order;
}
