import { CaptiousError } from './errors';
import { say, type Words } from './say';
import { anything, count, list, object, type Shape, ShapeError, text } from './shape';

/** A change of a list item, for undo and redo. */
export interface Step<T> {
  item: number;
  before: T;
  after: T;
}

/** The steps in a session file. */
export interface Steps<T> {
  /** All steps that can be undone, because undo must still work after the file is reopened. */
  done: Step<T>[];
  undone: Step<T>[];
}

export const unassigned = 'unassigned';

/** The annotator in a session file. Captious 0.1 stored unassigned sessions as "nobody yet". */
export const annotatorName: Shape<string> = (value, at) => {
  const name = text(value, at);
  return name === 'nobody yet' ? unassigned : name;
};

const unread = object({ item: count, before: anything(), after: anything() });

export function stepsOf<T>(decision: Shape<T>): { done: Shape<Step<T>[]>; undone: Shape<Step<T>[]> } {
  const steps = list<Step<T>>((value, at) => {
    const { item, before, after } = unread(value, at);
    return { item, before: decision(before, `${at}.before`), after: decision(after, `${at}.after`) };
  });
  return { done: steps, undone: steps };
}

/** Undoes or redoes the last step. Returns the item and its new value, or undefined if there is no such step. */
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

/** Reads a session file. Error messages use `at`, `what` and `remedy`. */
export function parseWork<F extends Steps<unknown> & { items: readonly unknown[] }>(
  content: string,
  shape: Shape<F>,
  { at, what, remedy }: { at: string; what: Words; remedy: Words },
): F {
  let value: unknown;
  try {
    value = JSON.parse(content);
  } catch (cause) {
    throw new CaptiousError('input', say`This is not a ${what}: it is not JSON.`, { at, cause });
  }
  try {
    const file = shape(value, '');
    for (const list of ['done', 'undone'] as const) {
      const lost = file[list].findIndex((step) => step.item >= file.items.length);
      if (lost >= 0) throw new ShapeError(`${list}[${lost}].item`, 'the index of an item');
    }
    return file;
  } catch (cause) {
    if (!(cause instanceof ShapeError)) throw cause;
    throw new CaptiousError('input', say`This is not a ${what}: ${cause.message}`, { at, remedy, cause });
  }
}

/** The annotators of the files to merge. Throws if two files have the same annotator. */
export function annotatorsOf(works: readonly { annotator: string; at: string }[]): string[] {
  const names = new Set<string>();
  for (const { annotator, at } of works) {
    if (names.has(annotator))
      throw new CaptiousError('input', say`Two of the files have the same annotator, "${annotator}".`, {
        at,
        remedy: say`Choose one file per annotator.`,
      });
    names.add(annotator);
  }
  return [...names];
}
