/* Joins the rows of several draws, because people look at a caption with its variants, not at a draw. */
import type { Row } from '../metric';
import type { RowView } from '../view';

type Joining = Pick<RowView, 'key' | 'joined'>;

/** Groups the rows of one example that are about the same caption. Rows of other runs are groups of their own. */
export class DrawGroups<T extends { row: Row }> {
  private readonly held = new Map<string, T[]>();
  private example: string | undefined;

  constructor(private readonly view: Joining) {}

  /** Takes the next row, and returns the groups that no later row joins. */
  add(next: T): T[][] {
    const { row } = next;
    if (row.seed === undefined || this.view.joined === undefined) return [...this.rest(), [next]];
    const done = row.example === this.example ? [] : this.rest();
    this.example = row.example;
    const key = this.view.key?.(row) ?? '';
    const group = this.held.get(key);
    if (group === undefined) this.held.set(key, [next]);
    else group.push(next);
    return done;
  }

  rest(): T[][] {
    const groups = [...this.held.values()];
    this.held.clear();
    return groups;
  }
}

/** One row of a group of `DrawGroups`. */
export function joinedRow({ joined }: Joining, rows: readonly Row[]): Row {
  return rows.length === 1 || joined === undefined ? rows[0] : joined(rows);
}

/** The rows of a report, one for each caption, with each distinct variant of all draws once. */
export async function* joinedDraws<R extends Row>(view: Joining, rows: AsyncIterable<R>): AsyncGenerator<R> {
  const groups = new DrawGroups<{ row: R }>(view);
  const one = (group: readonly { row: R }[]): R =>
    joinedRow(
      view,
      group.map(({ row }) => row),
    ) as R;
  for await (const row of rows) yield* groups.add({ row }).map(one);
  yield* groups.rest().map(one);
}
