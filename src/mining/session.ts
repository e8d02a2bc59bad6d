import { CaptiousError } from '../base/errors';
import { choice, count, list, object, optional, type Shaped, text } from '../base/shape';
import { annotatorName, unassigned, parseWork, shiftStep, stepsOf } from '../base/editHistory';
import { say } from '../base/say';
import { type Candidate, decision, type Decision, item, type Item } from '../protocol/triplets';
import type { FullTriplet, HalfTriplet } from './half';

export const sessionSchema = 'captious/triplets@1';

const origin = object({
  path: text,
  sha256: optional(text),
  how: choice('spatial', 'pairs', 'rules', 'lm', 'merged'),
  seed: count,
});
export type Origin = Shaped<typeof origin>;

const sessionFile = object({
  schema: choice(sessionSchema),
  annotator: annotatorName,
  origin,
  items: list(item),
  ...stepsOf(decision),
});
export type SessionFile = Shaped<typeof sessionFile>;

export interface Counts {
  items: number;
  open: number;
  accepted: number;
  rejected: number;
}

/** One annotator's decisions on triplets. A session is saved as JSON and can be resumed. */
export class Session {
  private constructor(private readonly file: SessionFile) {}

  static begin(halves: readonly HalfTriplet[], origin: Origin, annotator: string): Session {
    const items = halves.map((half): Item => {
      const [second, negative] = [half.positives, half.negatives].map((list) => list.at(0)?.text ?? '');
      return { ...half, decision: { status: 'open', caption: half.caption, second, negative } };
    });
    return new Session({ schema: sessionSchema, annotator, origin, items, done: [], undone: [] });
  }

  /** `at` names the file in messages. */
  static parse(content: string, at: string): Session {
    return new Session(
      parseWork(content, sessionFile, {
        at,
        what: say`triplet file`,
        remedy: say`Create a triplet file with "captious mine", or open a dataset in the triplet workshop. A triplet file has "schema": "${sessionSchema}".`,
      }),
    );
  }

  get items(): readonly Item[] {
    return this.file.items;
  }

  get annotator(): string {
    return this.file.annotator;
  }

  /** Sets the annotator of an unassigned session. */
  assign(annotator: string): void {
    if (this.file.annotator === unassigned) this.file.annotator = annotator;
  }

  get origin(): Origin {
    return this.file.origin;
  }

  get canUndo(): boolean {
    return this.file.done.length > 0;
  }

  get canRedo(): boolean {
    return this.file.undone.length > 0;
  }

  counts(): Counts {
    const of = (status: Decision['status']) =>
      this.items.filter(({ decision: { status: own } }) => own === status).length;
    return {
      items: this.items.length,
      open: of('open'),
      accepted: of('accepted'),
      rejected: of('rejected'),
    };
  }

  /**
   * Changes texts or the status. A changed text without a status reopens the item. A triplet with an empty or a
   * repeated text cannot be accepted.
   */
  change(index: number, change: Partial<Decision>): void {
    const own = this.items.at(index);
    if (own === undefined) throw new RangeError(`There is no item ${index}.`);
    const before = own.decision;
    const after = { ...before, ...change };
    const edited = (['caption', 'second', 'negative'] as const).some((key) => after[key] !== before[key]);
    if (edited && change.status === undefined) after.status = 'open';
    if (after.status === 'accepted') refuseNoTriplet(after);
    if (after.status === before.status && !edited) return;
    this.file.done.push({ item: index, before, after });
    this.file.undone.length = 0;
    own.decision = after;
  }

  /** Adds candidates for the second positive. Selects the first candidate if no second positive is selected. */
  offer(index: number, candidates: readonly Candidate[]): void {
    const own = this.items.at(index);
    if (own === undefined) throw new RangeError(`There is no item ${index}.`);
    const known = new Set(own.positives.map(({ text: have }) => have));
    for (const one of candidates) if (!known.has(one.text)) own.positives.push(one);
    const [first] = own.positives;
    if (own.decision.second === '' && first !== undefined) this.change(index, { second: first.text });
  }

  /** Returns the index of the item that changed. */
  undo(): number | undefined {
    return this.shift('undo');
  }

  redo(): number | undefined {
    return this.shift('redo');
  }

  *triplets(): Generator<FullTriplet> {
    for (const { image, decision: made } of this.items) {
      if (made.status !== 'accepted') continue;
      const { caption, second, negative } = made;
      yield { ...(image === undefined ? {} : { image }), caption, second, negative };
    }
  }

  toString(): string {
    return `${JSON.stringify(this.file, null, 1)}\n`;
  }

  private shift(way: 'undo' | 'redo'): number | undefined {
    const shifted = shiftStep(this.file, way);
    if (shifted === undefined) return undefined;
    this.file.items[shifted.item].decision = shifted.value;
    return shifted.item;
  }
}

function refuseNoTriplet({ caption, second, negative }: Decision): void {
  const [p1, p2, n] = [caption, second, negative].map((one) => one.trim());
  const wrong =
    p1 === '' || p2 === '' || n === ''
      ? say`A triplet needs three captions. At least one is missing.`
      : p1 === p2
        ? say`The second positive is the same as the caption.`
        : n === p1 || n === p2
          ? say`The negative is the same as a positive.`
          : undefined;
  if (wrong !== undefined)
    throw new CaptiousError('usage', wrong, {
      remedy: say`Choose another candidate, edit the text, or reject the item.`,
    });
}
