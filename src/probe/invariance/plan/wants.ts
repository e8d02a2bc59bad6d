import { append } from '../../../base/lists';
import type { Lexicon } from '../../../perturb/society/lexicon';
import type { ImageItem, TextItem, Want } from '../../../protocol/item';
import { anchorWants, projectionWants } from '../valence';

/** Collects an example's pairs to score. The index of a pair in `list` is the index of its score. */
export class Wants {
  readonly list: Want[] = [];
  /** Index of the first cosine between two valence anchors. */
  anchorsAt: number | undefined;
  private readonly at = new Map<string, number>();

  constructor(readonly anchors: Lexicon['valence']) {}

  /** Requests the score of a pair once and returns its index. `origin`: the caption before the change. */
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

  /** Requests a text's cosines with the valence anchors; at first, also the cosines among the anchors. */
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
