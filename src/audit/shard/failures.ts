import type { Words } from '../../base/say';
import type { Outcome } from '../../base/outcome';
import { imageItemKey, textItemKey } from '../../evaluator/wantKey';
import type { ImageItem, TextItem } from '../../protocol/item';

/** Records why embeddings failed, because the store contains only the embeddings that succeeded. */
export class Failures {
  private readonly problems: Map<string, Words>;

  constructor(list: readonly (readonly [key: string, problem: Words])[] = []) {
    this.problems = new Map(list);
  }

  note(items: readonly (TextItem | ImageItem)[], outcomes: readonly Outcome<unknown>[]): void {
    for (const [i, outcome] of outcomes.entries())
      if (!outcome.ok) this.problems.set(keyOf(items[i]), outcome.problem);
  }

  of(item: TextItem | ImageItem): Words | undefined {
    return this.problems.size === 0 ? undefined : this.problems.get(keyOf(item));
  }

  list(): [key: string, problem: Words][] {
    return [...this.problems].sort(([a], [b]) => (a < b ? -1 : 1));
  }
}

function keyOf(item: TextItem | ImageItem): string {
  return item.kind === 'text' ? textItemKey(item.text) : imageItemKey(item);
}
