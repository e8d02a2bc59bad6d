import { CaptiousError } from './errors';
import { say } from './say';
import { anything, count, list, object, type Shape, ShapeError } from './shape';

/** What a person did to one item of a list: a step that can be taken back and made again. */
export interface Step<T> {
  /** Position of the item. */
  item: number;
  before: T;
  after: T;
}

/** The part of a file of somebody's work that its steps are kept in. */
export interface Steps<T> {
  /** Every step, so that what was undone last week can still be redone, and the other way round. */
  done: Step<T>[];
  undone: Step<T>[];
}

/** The annotator of a file of work that nobody has opened yet. */
export const nobody = 'nobody yet';

const unread = object({ item: count, before: anything(), after: anything() });

export function stepsOf<T>(decision: Shape<T>): { done: Shape<Step<T>[]>; undone: Shape<Step<T>[]> } {
  const steps = list<Step<T>>((value, at) => {
    const { item, before, after } = unread(value, at);
    return { item, before: decision(before, `${at}.before`), after: decision(after, `${at}.after`) };
  });
  return { done: steps, undone: steps };
}

/** Takes the last step back, or makes the last that was taken back again; answers the item and what it is now. */
export function shiftStep<T>(
  { done, undone }: Steps<T>,
  way: 'undo' | 'redo',
): { item: number; value: T } | undefined {
  const [from, to] = way === 'undo' ? [done, undone] : [undone, done];
  const last = from.pop();
  if (last === undefined) return undefined;
  to.push(last);
  return { item: last.item, value: way === 'undo' ? last.before : last.after };
}

/** Reads a file of somebody's work. `what` and `remedy` are for messages, `at` names the file in them. */
export function parseWork<F extends Steps<unknown> & { items: readonly unknown[] }>(
  content: string,
  shape: Shape<F>,
  { at, what, remedy }: { at: string; what: string; remedy: string },
): F {
  let value: unknown;
  try {
    value = JSON.parse(content);
  } catch (cause) {
    throw new CaptiousError('input', say`This is no ${what}: it is not JSON.`, { at, cause });
  }
  try {
    const file = shape(value, '');
    const lost = [...file.done, ...file.undone].findIndex((one) => one.item >= file.items.length);
    if (lost >= 0) throw new ShapeError(`step ${lost}`, 'about an item of the file');
    return file;
  } catch (cause) {
    if (!(cause instanceof ShapeError)) throw cause;
    throw new CaptiousError('input', say`This is no ${what}: ${cause.message}`, { at, remedy, cause });
  }
}

/** Names of those whose work is joined; nobody counts twice. */
export function annotatorsOf(works: readonly { annotator: string; at: string }[]): string[] {
  const names = new Set<string>();
  for (const { annotator, at } of works) {
    if (names.has(annotator))
      throw new CaptiousError('input', say`Two of the files are by "${annotator}".`, {
        at,
        remedy: say`Give one file for each annotator.`,
      });
    names.add(annotator);
  }
  return [...names];
}
