import { addTo } from '../../base/lists';
import { say, type Words } from '../../base/say';
import type { Caption, Example } from '../../dataset/example';
import { imageKey } from '../../dataset/images/imageKey';
import type { ImageItem } from '../../protocol/item';
import type { GalleryContext } from '../probe';
import { refusalOf } from '../../perturb/text/fileLanguage';
import { plainly } from './alter';
import type { RococoOptions } from './options';

/** A true caption of an image, with the entry that has it. */
export interface OwnCaption extends Caption {
  entry: Example;
}

/** An image with the parts of its entries that this probe uses. */
export interface Participant {
  /** The first entry of the image. */
  example: Example;
  /** The entries of the image that are used. An entry without an image is alone. */
  entries: readonly Example[];
  /** Up to five captions. */
  captions: OwnCaption[];
  /** All true captions of the image, also those beyond five, and how `plainly` writes them. */
  truths: readonly string[];
  own: ReadonlySet<string>;
  /** The file's altered captions. `caption`: the original's index, if there are as many of both. */
  given: { text: string; caption?: number }[];
  image?: ImageItem;
}

/** A participant whose image and at least one caption can be ranked. */
export interface Embedded {
  participant: Participant;
  /** The image's embedding; empty if the evaluator has no embeddings. */
  image: Float32Array;
  cluster: number;
  /** The indexes of the captions that can be ranked. */
  captions: number[];
}

export interface Gathered {
  participants: Participant[];
  /** The number of altered captions left out because they equal a true caption of their image. */
  dropped: number;
}

/** The largest number of captions per image, as in the paper. Further captions are ignored. */
const most = 5;

/**
 * The reason why an image gets no altered captions: the rules do not support the file's language. Undefined if
 * the rules apply, or if the file's altered captions are used.
 */
function refusalFor(
  entries: readonly Example[],
  { language }: Pick<GalleryContext, 'language'>,
  { sources }: Pick<RococoOptions, 'sources'>,
): Words | undefined {
  const isGiven =
    sources?.includes('file') ??
    entries.some(({ captions }) => captions.some(({ role }) => role === 'altered'));
  return isGiven ? undefined : refusalOf(language);
}

/** Collects the images. All entries of an image are one, because its captions are true wherever the file has them. */
export async function gather(
  context: Pick<GalleryContext, 'language' | 'image'>,
  options: RococoOptions,
  examples: AsyncIterable<Example>,
  leaveOut: (reason: Words, example: Example) => void,
): Promise<Gathered> {
  const images = new Map<string, Example[]>();
  for await (const example of examples) {
    const [image] = example.images;
    const key = image === undefined ? JSON.stringify({ id: example.id }) : imageKey(image);
    addTo(images, key, example);
  }
  const participants: Participant[] = [];
  let dropped = 0;
  for (const all of images.values()) {
    const captions = all.flatMap((entry) => textsOf(entry, 'caption').map((own) => ({ ...own, entry })));
    const refusal =
      captions.length === 0 ? say('rococo.noPositiveCaption') : refusalFor(all, context, options);
    if (refusal !== undefined) {
      for (const entry of all) leaveOut(refusal, entry);
      continue;
    }
    const kept = captions.slice(0, most);
    const truths = captions.map(({ text }) => text);
    const own = new Set(truths.map(plainly));
    const spare = new Set(captions.slice(most).map(({ entry }) => entry));
    for (const { entry } of kept) spare.delete(entry);
    for (const entry of spare) leaveOut(say('rococo.furtherCaptions', most), entry);
    const entries = all.filter((entry) => !spare.has(entry));
    const given = entries.flatMap((entry) => givenOf(entry, kept));
    const wrong = given.filter(({ text }) => !own.has(plainly(text)));
    dropped += given.length - wrong.length;
    const [example] = entries;
    const image = options.textOnly ? undefined : context.image(example, 0);
    participants.push({
      ...{ example, entries, captions: kept, truths, own, given: wrong },
      ...(image && { image }),
    });
  }
  return { participants, dropped };
}

/** Collects the images of all examples of the run. */
export function gatherAll(context: GalleryContext, options: RococoOptions): Promise<Gathered> {
  return gather(context, options, context.examples(), (reason, example) => {
    for (const evaluator of context.evaluators) context.leaveOut(evaluator, reason, example);
  });
}

/** The texts about the first image of an entry. */
function textsOf({ captions }: Example, of: Caption['role']): Caption[] {
  return captions.filter(({ role, image }) => role === of && image === 0);
}

/** The altered captions of an entry, without those of captions that are not kept. */
function givenOf(entry: Example, kept: readonly OwnCaption[]): Participant['given'] {
  const altered = textsOf(entry, 'altered');
  const count = textsOf(entry, 'caption').length;
  const first = kept.findIndex((caption) => caption.entry === entry);
  if (altered.length !== count && altered.length !== Math.min(count, most))
    return altered.map(({ text }) => ({ text }));
  return altered
    .map(({ text }, at) => ({ text, caption: first + at }))
    .filter(({ caption }) => kept.at(caption)?.entry === entry);
}

/** How many entries of the file the images have. */
export function entriesIn(participants: readonly Participant[]): number {
  return participants.reduce((sum, { entries }) => sum + entries.length, 0);
}
