import { CaptiousError, inputError } from '../base/errors';
import { say, type Words } from '../base/say';
import { anything, count, list, object, type Shape, ShapeError, text } from '../base/shape';

/** A change of an item's decision, for undo and redo. */
interface Step<D> {
  item: number;
  before: D;
  after: D;
}

/** The content of a session file. */
interface SessionFile<I, D, O> {
  schema: string;
  annotator: string;
  origin: O;
  items: I[];
  /** All steps that can be undone, because undo must still work after the file is reopened. */
  done: Step<D>[];
  undone: Step<D>[];
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

/**
 * One annotator's decisions on items. `key` is the field of an item that has its decision. A session is saved as JSON
 * and can be resumed.
 */
export abstract class Session<K extends string, I extends Record<K, object>, O> {
  protected constructor(
    protected readonly file: SessionFile<I, I[K], O>,
    private readonly key: K,
  ) {}

  get items(): readonly I[] {
    return this.file.items;
  }

  get annotator(): string {
    return this.file.annotator;
  }

  get origin(): O {
    return this.file.origin;
  }

  get canUndo(): boolean {
    return this.file.done.length > 0;
  }

  get canRedo(): boolean {
    return this.file.undone.length > 0;
  }

  /** Sets the annotator of an unassigned session. */
  assign(annotator: string): void {
    if (this.annotator === unassigned) this.file.annotator = annotator;
  }

  abstract isOpen(item: I): boolean;

  /** The index of the next open item. After the last item, continues with the first. `index` if none is open. */
  nextOpen(index: number): number {
    const { items } = this;
    for (let step = 1; step <= items.length; step++) {
      const at = (index + step) % items.length;
      if (this.isOpen(items[at])) return at;
    }
    return index;
  }

  /** Changes the decision on an item. */
  change(index: number, change: Partial<I[K]>): void {
    const own = this.items.at(index);
    if (own === undefined) throw new RangeError(`There is no item ${index}.`);
    const before = own[this.key];
    const after = this.changed(before, change);
    if ((Object.keys(after) as (keyof I[K])[]).every((name) => after[name] === before[name])) return;
    this.file.done.push({ item: index, before, after });
    this.file.undone.length = 0;
    own[this.key] = after;
  }

  /** Undoes the last step. Returns the index of the item that changed; undefined if there was nothing to undo. */
  undo(): number | undefined {
    return this.shift(this.file.done, this.file.undone, 'before');
  }

  redo(): number | undefined {
    return this.shift(this.file.undone, this.file.done, 'after');
  }

  toString(): string {
    return `${JSON.stringify(this.file, null, 1)}\n`;
  }

  protected changed(before: I[K], change: Partial<I[K]>): I[K] {
    return { ...before, ...change };
  }

  private shift(from: Step<I[K]>[], to: Step<I[K]>[], value: 'before' | 'after'): number | undefined {
    const last = from.pop();
    if (last === undefined) return undefined;
    to.push(last);
    this.file.items[last.item][this.key] = last[value];
    return last.item;
  }
}

/** Reads a session file. Error messages use `at`, `what` and `remedy`. */
export function parseSession<
  F extends Pick<SessionFile<unknown, unknown, unknown>, 'items' | 'done' | 'undone'>,
>(content: string, shape: Shape<F>, { at, what, remedy }: { at: string; what: Words; remedy: Words }): F {
  let value: unknown;
  try {
    value = JSON.parse(content);
  } catch (cause) {
    throw new CaptiousError('input', say('sessions.notJson', what), { at, cause });
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
    throw inputError(say('sessions.fileInvalid', what, cause.what), remedy, at, cause);
  }
}

/** The annotators of the files to merge. Throws if two files have the same annotator. */
export function annotatorsOf(works: readonly { annotator: string; at: string }[]): string[] {
  const names = new Set<string>();
  for (const { annotator, at } of works) {
    if (names.has(annotator))
      throw inputError(
        say('sessions.annotatorRepeated', annotator),
        say('sessions.chooseFilePerAnnotator'),
        at,
      );
    names.add(annotator);
  }
  return [...names];
}
