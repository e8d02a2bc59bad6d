import { Random } from '../base/random';
import { choice, count, flag, list, object, optional, type Shaped, text } from '../base/shape';
import { annotatorName, parseSession, Session, stepsOf, unassigned } from './session';
import { say } from '../base/say';
import {
  type Grade,
  isJudged,
  type Judgement,
  judgement,
  type LastQuestion,
  type Side,
  sides,
} from '../protocol/judgement';
import { type Sampled, sampledFields } from '../protocol/sampled';

export const checkSchema = 'captious/check@1';

const item = object({
  ...sampledFields,
  /** The changed version's side, which the view does not reveal. */
  changedOn: choice(...sides),
  judgement,
});
export type CheckItem = Shaped<typeof item>;

/** The probes whose variants people can judge. */
export const checkedProbes = ['invariance', 'lgip', 'prsm'] as const;

const origin = object({
  report: text,
  /** Absent in files of earlier Captious versions, which supported only `invariance`. */
  probe: optional(choice(...checkedProbes)),
  rowsSha256: text,
  dataset: text,
  images: optional(list(text)),
  seed: count,
  /** A further criterion of the sample's strata, besides family and variant. */
  strata: optional(choice('frequency')),
  /** Whether people chose the items while they read the report, so that the items are no random sample. */
  picked: optional(flag),
});
export type CheckOrigin = Shaped<typeof origin>;

const checkFile = object({
  schema: choice(checkSchema),
  annotator: annotatorName,
  origin,
  items: list(item),
  ...stepsOf(judgement),
});
export type CheckFile = Shaped<typeof checkFile>;

function openFor(question: LastQuestion): Judgement {
  const open = { left: null, right: null, better: null };
  return question === 'better' ? open : { ...open, meaning: null };
}

/** The last question to the annotator: `meaning` for texts of LGIP and PRSM, `better` for variants of invariance. */
function lastQuestionOf({ probe }: CheckOrigin): LastQuestion {
  return probe === 'lgip' || probe === 'prsm' ? 'meaning' : 'better';
}

/** Answers about a variant. `last`: whether its meaning is that of the original or, for `better`, neither is better. */
export interface Answers {
  original: Grade;
  changed: Grade;
  last: 'same' | 'different';
}

/** One annotator's judgments of a sample. */
export class CheckSession extends Session<'judgement', CheckItem, CheckOrigin> {
  private constructor(file: CheckFile) {
    super(file, 'judgement');
  }

  static begin(sample: readonly Sampled[], from: CheckOrigin, annotator: string): CheckSession {
    const items = sample.map((one): CheckItem => ({
      ...one,
      changedOn: sideOf(from.seed, one.id, annotator),
      judgement: openFor(lastQuestionOf(from)),
    }));
    return new CheckSession({ schema: checkSchema, annotator, origin: from, items, done: [], undone: [] });
  }

  /** `at` names the file in messages. */
  static parse(content: string, at: string): CheckSession {
    return new CheckSession(
      parseSession(content, checkFile, {
        at,
        what: say('sessions.humanCheckFile'),
        remedy: say('sessions.createHumanCheck', checkSchema),
      }),
    );
  }

  get lastQuestion(): LastQuestion {
    return lastQuestionOf(this.file.origin);
  }

  /** Judges a variant that the annotator picked, which need not be in the session yet. `null` takes the answers back. */
  pick(one: Sampled, answers: Answers | null): void {
    const { items } = this.file;
    let at = items.findIndex(({ id }) => id === one.id);
    const open = openFor(this.lastQuestion);
    if (at < 0) {
      const changedOn = sideOf(this.origin.seed, one.id, this.annotator);
      at = items.push({ ...one, changedOn, judgement: open }) - 1;
    }
    if (answers === null) return this.change(at, open);
    const { original, changed, last } = answers;
    const { changedOn } = items[at];
    const [left, right] = changedOn === 'left' ? [changed, original] : [original, changed];
    if (this.lastQuestion === 'meaning') return this.change(at, { left, right, meaning: last });
    const better = last === 'same' ? 'equal' : changedOn === 'left' ? 'right' : 'left';
    this.change(at, { left, right, better });
  }

  override isOpen(item: CheckItem): boolean {
    return !isJudged(item.judgement);
  }

  /** Sets the annotator of an unassigned session, and draws the sides again for this annotator. */
  override assign(annotator: string): void {
    if (this.annotator !== unassigned) return;
    super.assign(annotator);
    for (const one of this.file.items) one.changedOn = sideOf(this.file.origin.seed, one.id, annotator);
  }
}

/** The version that the view shows on each side. */
export function shownOn({ original, changed, changedOn }: CheckItem): Record<Side, CheckItem['original']> {
  return changedOn === 'left' ? { left: changed, right: original } : { left: original, right: changed };
}

function sideOf(seed: number, id: string, annotator: string): Side {
  return new Random(seed, id, annotator, 'side').uniform() < 0.5 ? 'left' : 'right';
}
