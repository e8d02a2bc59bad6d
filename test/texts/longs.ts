import { Random } from '../../src/base/random';
import { errorKinds } from '../../src/perturb/long/kinds';
import { plantedErrors } from '../../src/perturb/long/planted';
import { sentencesOf } from '../../src/perturb/long/sentences';
import { examplesOf } from './corpora';

export interface LongSample {
  kind: string;
  image: string;
  /** The five captions of a COCO image as one text. */
  caption: string;
  /** The replaced words and the new ones. */
  change: string;
  made: string;
}

/** Draws this many errors of each kind, at most one of each for an image. */
export async function drawLongs(seed: number, count: number): Promise<LongSample[]> {
  const order = await examplesOf('fitted', new Random(seed, 'long', 'images'));
  const drawn = new Map(errorKinds.map((kind): [string, LongSample[]] => [kind, []]));
  for (const { images, captions } of order) {
    const open = errorKinds.filter((kind) => drawn.get(kind)!.length < count);
    if (open.length === 0) break;
    const caption = captions.map(({ text }) => sentence(text.trim())).join(' ');
    const image = images[0].name;
    const errors = plantedErrors(
      caption,
      sentencesOf(caption),
      [caption],
      (purpose) => new Random(seed, image, purpose),
    );
    for (const kind of open) {
      const own = errors.filter((error) => error.kind === kind);
      if (own.length === 0) continue;
      const { text, span, was } = new Random(seed, image, kind).pick(own);
      const change = `${caption.slice(...was)} → ${text.slice(...span)}`;
      drawn.get(kind)!.push({ kind, image, caption, change, made: text });
    }
  }
  return [...drawn.values()].flat();
}

function sentence(text: string): string {
  const ended = /[.!?]$/.test(text) ? text : `${text}.`;
  return ended[0].toUpperCase() + ended.slice(1);
}
