import type { Caption, Example } from '../../dataset/example';
import type { Evaluator } from '../../evaluator/evaluator';
import type { ImageItem } from '../../protocol/item';
import type { GalleryContext } from '../probe';
import { plainly } from './alter';

/** An example as this probe sees it: its first five captions, what was altered by others, its photo. */
export interface Participant {
  example: Example;
  captions: Caption[];
  /** Altered captions of the file, each with the caption it was made from where the file tells by its order. */
  given: { text: string; caption?: number }[];
  image?: ImageItem;
}

export interface Gathered {
  participants: Participant[];
  /** Altered captions that equal a true one of their photo, and were left out. */
  dropped: number;
}

/** The paper keeps five captions a photo. */
const most = 5;

export async function gather(context: GalleryContext, textOnly: boolean): Promise<Gathered> {
  const participants: Participant[] = [];
  let dropped = 0;
  for await (const example of context.examples()) {
    const captions = example.captions.filter(({ role }) => role === 'caption').slice(0, most);
    if (captions.length === 0) {
      for (const evaluator of context.evaluators)
        context.leaveOut(evaluator, 'it has no caption that is said to be right', example);
      continue;
    }
    const altered = example.captions.filter(({ role }) => role === 'altered');
    const paired = altered.length === captions.length;
    const own = new Set(captions.map(({ text }) => plainly(text)));
    const given = altered.map(({ text }, at) => ({ text, ...(paired && { caption: at }) }));
    const kept = given.filter(({ text }) => !own.has(plainly(text)));
    dropped += given.length - kept.length;
    const image = textOnly ? undefined : context.image(example, 0);
    participants.push({ example, captions, given: kept, ...(image && { image }) });
  }
  return { participants, dropped };
}

/** Who sees photos, of those asked. */
export function seesPhotos(evaluator: Evaluator): boolean {
  return evaluator.embedTexts !== undefined && evaluator.embedImages !== undefined;
}
