import { append } from '../../../base/append';
import type { Lexicon } from '../../../perturb/society/lexicon';
import type { ImageItem, TextItem, Want } from '../../../protocol/item';
import { anchorWants, projectionWants } from '../valence';

/** Collects the pairs to score for one example. Each pair gets the index of its score. */
export class Wants {
  readonly list: Want[] = [];
  /** Index of the first cosine between two valence anchors. */
  anchorsAt: number | undefined;
  private readonly at = new Map<string, number>();

  constructor(readonly anchors: Lexicon['valence']) {}

  /** Requests each pair once. `origin`: the caption that the text is a variant of. */
  pair(left: ImageItem, text: string, origin?: string): number {
    const { source, transforms } = left;
    const key = JSON.stringify(['path' in source ? source.path : source.name, transforms, text]);
    let at = this.at.get(key);
    if (at === undefined) {
      const right: TextItem = { kind: 'text', text, ...(origin === undefined ? {} : { origin }) };
      at = this.list.push({ left, right }) - 1;
      this.at.set(key, at);
    }
    return at;
  }

  /**
   * Requests the cosines of a text with the anchors of valence. The first call also requests the cosines
   * among the anchors.
   */
  project(text: string): number {
    if (this.anchorsAt === undefined) {
      this.anchorsAt = this.list.length;
      append(this.list, anchorWants(this.anchors));
    }
    const at = this.list.length;
    append(this.list, projectionWants(this.anchors, text));
    return at;
  }
}
