import { usageError } from '../base/errors';
import { choice, count, list, object, optional, type Shaped, text } from '../base/shape';
import { annotatorName, parseSession, Session, stepsOf } from './session';
import { say } from '../base/say';
import { type Candidate, decision, type Decision, item, type Item } from '../protocol/triplets';
import type { FullTriplet, HalfTriplet } from '../mining/half';

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

/** One annotator's decisions on triplets. */
export class TripletSession extends Session<'decision', Item, Origin> {
  private constructor(file: SessionFile) {
    super(file, 'decision');
  }

  static begin(halves: readonly HalfTriplet[], origin: Origin, annotator: string): TripletSession {
    const items = halves.map((half): Item => {
      const [second, negative] = [half.positives, half.negatives].map((list) => list.at(0)?.text ?? '');
      return { ...half, decision: { status: 'open', caption: half.caption, second, negative } };
    });
    return new TripletSession({ schema: sessionSchema, annotator, origin, items, done: [], undone: [] });
  }

  /** `at` names the file in messages. */
  static parse(content: string, at: string): TripletSession {
    return new TripletSession(
      parseSession(content, sessionFile, {
        at,
        what: say('sessions.tripletFile'),
        remedy: say('sessions.createTripletFile', sessionSchema),
      }),
    );
  }

  override isOpen({ decision: { status } }: Item): boolean {
    return status === 'open';
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

  /** Adds candidates for the second positive. Selects the first candidate if no second positive is selected. */
  offer(index: number, candidates: readonly Candidate[]): void {
    const own = this.items.at(index);
    if (own === undefined) throw new RangeError(`There is no item ${index}.`);
    const known = new Set(own.positives.map(({ text: have }) => have));
    for (const one of candidates) if (!known.has(one.text)) own.positives.push(one);
    const [first] = own.positives;
    if (own.decision.second === '' && first !== undefined) this.change(index, { second: first.text });
  }

  *triplets(): Generator<FullTriplet> {
    for (const { image, decision: made } of this.items) {
      if (made.status !== 'accepted') continue;
      const { caption, second, negative } = made;
      yield { ...(image === undefined ? {} : { image }), caption, second, negative };
    }
  }

  /** A text changed without a status reopens the item. Empty and repeated texts cannot be accepted. */
  protected override changed(before: Decision, change: Partial<Decision>): Decision {
    const after = { ...before, ...change };
    const edited = (['caption', 'second', 'negative'] as const).some((key) => after[key] !== before[key]);
    if (edited && change.status === undefined) after.status = 'open';
    if (after.status === 'accepted') refuseNoTriplet(after);
    return after;
  }
}

function refuseNoTriplet({ caption, second, negative }: Decision): void {
  const [p1, p2, n] = [caption, second, negative].map((one) => one.trim());
  const wrong =
    p1 === '' || p2 === '' || n === ''
      ? say('sessions.captionOfTripletMissing')
      : p1 === p2
        ? say('sessions.secondPositiveEqualsCaption')
        : n === p1 || n === p2
          ? say('sessions.negativeEqualsPositive')
          : undefined;
  if (wrong !== undefined) throw usageError(wrong, say('sessions.editOrRejectItem'));
}
