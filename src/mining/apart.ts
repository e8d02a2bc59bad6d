import { pauses } from '../base/errors';
import type { Example } from '../dataset/example';
import { imageKey } from '../dataset/images/imageKey';
import { valueIn } from '../base/lists';

/** The captions of images that have them in several entries, by `imageKey`. */
export type Apart = ReadonlyMap<string, readonly string[]>;

export async function captionsApart(examples: AsyncIterable<Example>, signal?: AbortSignal): Promise<Apart> {
  const pause = pauses(signal);
  const images = new Map<string, { texts: string[]; entries: number }>();
  for await (const { images: refs, captions } of examples) {
    await pause();
    for (const [at, ref] of refs.entries()) {
      const key = imageKey(ref);
      const own = valueIn(images, key, () => ({ texts: [], entries: 0 }));
      own.entries++;
      for (const { role, image, text } of captions)
        if (role === 'caption' && image === at) own.texts.push(text);
    }
  }
  return new Map([...images].flatMap(([key, { texts, entries }]) => (entries > 1 ? [[key, texts]] : [])));
}
