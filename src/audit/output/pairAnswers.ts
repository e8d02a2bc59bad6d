/* Counts what a gallery probe asked an evaluator: pairs by image, and what has no score. */
import type { Outcome } from '../../base/outcome';
import type { Example } from '../../dataset/example';
import type { AskedPair } from '../../probe/probe';
import { answersOf, imageOf } from '../../probe/refused/answers';
import { AnswerCounts } from '../../probe/refused/counts';
import type { LostPart } from '../../probe/refused/lost';
import type { ImageItem } from '../../protocol/item';
import { valueIn } from '../../base/lists';

/** One evaluator's answers. A pair counts once, although a search may ask for it again. */
export class PairAnswers {
  private readonly ofImage = new Map<string, { kinds: string[]; outcomes: Outcome<number>[] }>();
  private readonly known = new Set<string>();
  private readonly used = new Set<Example>();
  /** The different parts that an example lost. */
  private readonly lost = new Map<
    Example,
    { image: boolean; captions: Set<string>; variants: Set<string> }
  >();

  add({ image, text, kind }: AskedPair, outcome: Outcome<number>): void {
    const name = nameOf(image);
    const pair = JSON.stringify([name, image.transforms, text]);
    if (this.known.has(pair)) return;
    this.known.add(pair);
    const own = valueIn(this.ofImage, name, () => ({ kinds: [], outcomes: [] }));
    own.kinds.push(kind ?? 'caption');
    own.outcomes.push(outcome);
  }

  use(example: Example): void {
    this.used.add(example);
  }

  /** A part counts once, although a search may find it again. */
  lose(example: Example, part: LostPart): void {
    let own = this.lost.get(example);
    if (own === undefined)
      this.lost.set(example, (own = { image: false, captions: new Set(), variants: new Set() }));
    if (part === 'image') own.image = true;
    else if ('caption' in part) own.captions.add(part.caption);
    else own.variants.add(part.variant);
  }

  /** The counts, in the order of the images in the dataset. */
  counts(images: ReadonlyMap<string, Example>): AnswerCounts {
    const counts = new AnswerCounts();
    const left = new Set(this.lost.keys());
    const add = (example: Example, own?: { kinds: string[]; outcomes: Outcome<number>[] }): void => {
      const lost = left.delete(example) ? this.lost.get(example) : undefined;
      const parts = { variants: lost?.variants.size ?? 0, captions: lost?.captions.size ?? 0 };
      counts.add(answersOf(example, own?.outcomes ?? [], own?.kinds, lost?.image === true ? 'all' : parts));
    };
    for (const [name, example] of images) {
      const own = this.ofImage.get(name);
      if (own !== undefined) add(example, own);
    }
    for (const example of left) add(example);
    for (const example of this.used) counts.addMeasured(imageOf(example));
    return counts;
  }
}

export function nameOf({ source }: ImageItem): string {
  return 'path' in source ? source.path : source.name;
}
