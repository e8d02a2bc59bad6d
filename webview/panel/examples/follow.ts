/* Keeps the open example among the listed ones: a filter must not leave the details of a row that it hides. */
import type { Selection } from '../../../src/protocol/rows';

export class Follower {
  private filter = '';

  /** `open` opens an example of the list. Of an empty list, it closes the open one. */
  constructor(private readonly open: (index: number | undefined) => void) {}

  /** Opens the first listed example if the filters are new and the list's first page does not show the open one. */
  follow(
    { text, facets, range, versus }: Selection,
    current: number | undefined,
    page: readonly { index: number }[],
  ): void {
    const filter = JSON.stringify([text.trim(), facets, range, versus]);
    const isNew = filter !== this.filter;
    this.filter = filter;
    if (isNew && current !== undefined && page.every(({ index }) => index !== current))
      this.open(page.at(0)?.index);
  }
}
