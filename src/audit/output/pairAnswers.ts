/* Counts the pairs that a gallery probe asked an evaluator to score, by image. */
import type { Outcome } from '../../base/outcome';
import type { Example } from '../../dataset/example';
import type { AskedPair } from '../../probe/probe';
import { answersOf } from '../../probe/refused/answers';
import { AnswerCounts } from '../../probe/refused/counts';
import type { ImageItem } from '../../protocol/item';

/** One evaluator's answers. A pair counts once, although a search may ask for it again. */
export class PairAnswers {
  private readonly ofImage = new Map<string, { kinds: string[]; outcomes: Outcome<number>[] }>();
  private readonly known = new Set<string>();

  add({ image, text, kind }: AskedPair, outcome: Outcome<number>): void {
    const name = nameOf(image);
    const pair = JSON.stringify([name, image.transforms, text]);
    if (this.known.has(pair)) return;
    this.known.add(pair);
    let own = this.ofImage.get(name);
    if (own === undefined) this.ofImage.set(name, (own = { kinds: [], outcomes: [] }));
    own.kinds.push(kind ?? 'caption');
    own.outcomes.push(outcome);
  }

  /** The counts, in the order of the images in the dataset. */
  counts(images: ReadonlyMap<string, Example>): AnswerCounts {
    const counts = new AnswerCounts();
    for (const [name, example] of images) {
      const own = this.ofImage.get(name);
      if (own !== undefined)
        counts.add(answersOf(example, own.outcomes, own.kinds, { variants: 0, captions: 0 }));
    }
    return counts;
  }
}

export function nameOf({ source }: ImageItem): string {
  return 'path' in source ? source.path : source.name;
}
