import { say } from '../../base/say';
import type { Caption, Example } from '../../dataset/example';
import type { ImageItem } from '../../protocol/item';
import type { GalleryContext } from '../probe';
import { refusalOf } from '../../perturb/text/fileLanguage';
import { plainly } from './alter';
import type { RococoOptions } from './options';

/**
 * The parts of an example that this probe uses: up to five captions, the file's altered captions, and the
 * image.
 */
export interface Participant {
  example: Example;
  captions: Caption[];
  /**
   * The file's altered captions. `caption` is the index of the original caption. It is absent if the numbers of
   * altered and original captions differ.
   */
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
 * The reason why an example gets no altered captions: the rules do not support the file's language. Undefined if
 * the rules apply, or if the file's altered captions are used.
 */
export function refusalFor(
  { captions }: Example,
  { language }: Pick<GalleryContext, 'language'>,
  { sources }: Pick<RococoOptions, 'sources'>,
): string | undefined {
  const isGiven = sources?.includes('file') ?? captions.some(({ role }) => role === 'altered');
  return isGiven ? undefined : refusalOf(language);
}

export async function gather(context: GalleryContext, options: RococoOptions): Promise<Gathered> {
  const participants: Participant[] = [];
  let dropped = 0;
  for await (const example of context.examples()) {
    const captions = example.captions.filter(({ role }) => role === 'caption').slice(0, most);
    if (captions.length === 0) {
      for (const evaluator of context.evaluators)
        context.leaveOut(evaluator, say('rococo.noPositiveCaption'), example);
      continue;
    }
    const refusal = refusalFor(example, context, options);
    if (refusal !== undefined) {
      for (const evaluator of context.evaluators) context.leaveOut(evaluator, refusal, example);
      continue;
    }
    const altered = example.captions.filter(({ role }) => role === 'altered');
    const paired = altered.length === captions.length;
    const own = new Set(captions.map(({ text }) => plainly(text)));
    const given = altered.map(({ text }, at) => ({ text, ...(paired && { caption: at }) }));
    const kept = given.filter(({ text }) => !own.has(plainly(text)));
    dropped += given.length - kept.length;
    const image = options.textOnly ? undefined : context.image(example, 0);
    participants.push({ example, captions, given: kept, ...(image && { image }) });
  }
  return { participants, dropped };
}
