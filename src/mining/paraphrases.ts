import type { Caption, Example } from '../dataset/example';
import { wanted } from './chat';
import { inBatches, type LmOptions, writtenTexts } from './lm';

/** An example's captions, each with its paraphrases by a language model. */
export type ParaphrasedExample = Awaited<ReturnType<typeof written>>;

/** PRSM's set P1 has two paraphrases of a caption. */
export const paraphrasesNeeded = 2;

/** The most requests for one caption: one for paraphrases, and one check per paraphrase. */
export const requestsForCaption = 1 + wanted;

/** The captions of an example that can be paraphrased. */
export function paraphrasable({ captions }: Example): Caption[] {
  return captions.filter(({ role, text }) => role === 'caption' && text.trim() !== '');
}

/**
 * Asks a language model for two paraphrases of each caption, as PRSM does for its set P1. The model checks each
 * paraphrase. Equal captions are asked for once, and `limit` counts captions.
 */
export async function* paraphrasesByLm(
  examples: AsyncIterable<Example>,
  options: LmOptions,
  leaveOut: (reason: string) => void,
): AsyncGenerator<ParaphrasedExample> {
  const { limit = Infinity } = options;
  const known = new Map<string, Promise<string[]>>();
  const paraphrasesOf = (text: string): Promise<string[]> => {
    const found =
      known.get(text) ??
      writtenTexts(text, true, options, leaveOut).then((made) =>
        made.slice(0, paraphrasesNeeded).map((one) => one.text),
      );
    known.set(text, found);
    return found;
  };
  const take = (example: Example, begun: number): Caption[] | undefined | 'end' => {
    if (begun >= limit) return 'end';
    const captions = paraphrasable(example).slice(0, limit - begun);
    return captions.length === 0 ? undefined : captions;
  };
  yield* inBatches(examples, options, leaveOut, {
    take,
    sizeOf: (captions) => captions.length,
    make: (example, captions) => written(example, captions, paraphrasesOf),
  });
}

async function written(
  example: Example,
  captions: readonly Caption[],
  paraphrasesOf: (text: string) => Promise<string[]>,
) {
  return {
    example,
    captions: await Promise.all(
      captions.map(async ({ text }) => ({
        text: text.trim(),
        paraphrases: await paraphrasesOf(text.trim()),
      })),
    ),
  };
}

/**
 * An entry of LGIP's format, which gives each caption its paraphrases. It keeps the columns of the example, such as
 * a group, unless they have names of the format.
 */
export function entryOf({ example, captions }: ParaphrasedExample): Record<string, unknown> {
  const { attributes, images, id } = example;
  return {
    ...attributes,
    id,
    image: images.at(0)?.name ?? '',
    caption: captions.map(({ text }) => text),
    same_caps: captions.map(({ paraphrases }) => paraphrases),
  };
}
