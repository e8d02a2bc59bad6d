import { Random } from '../base/random';
import { choice, count, list, object, optional, type Shaped, text } from '../base/shape';
import { annotatorName, unassigned, parseWork, shiftStep, stepsOf } from '../base/editHistory';
import { say } from '../base/say';
import { type Judgement, judgement, type LastQuestion, type Side, sides } from '../protocol/judgement';
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

/** One annotator's judgments of a sample, saved as JSON between sessions. */
export class CheckSession {
  private constructor(private readonly file: CheckFile) {}

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
      parseWork(content, checkFile, {
        at,
        what: say`human check file`,
        remedy: say`Create a human check file with "captious check sample". Such a file has "schema": "${checkSchema}".`,
      }),
    );
  }

  get items(): readonly CheckItem[] {
    return this.file.items;
  }

  get annotator(): string {
    return this.file.annotator;
  }

  get origin(): CheckOrigin {
    return this.file.origin;
  }

  get lastQuestion(): LastQuestion {
    return lastQuestionOf(this.file.origin);
  }

  get canUndo(): boolean {
    return this.file.done.length > 0;
  }

  get canRedo(): boolean {
    return this.file.undone.length > 0;
  }

  /**
   * Sets the annotator of an unassigned session. Draws the sides again, because they should differ between
   * annotators.
   */
  assign(annotator: string): void {
    if (this.file.annotator !== unassigned) return;
    this.file.annotator = annotator;
    for (const one of this.file.items) one.changedOn = sideOf(this.file.origin.seed, one.id, annotator);
  }

  judge(index: number, change: Partial<Judgement>): void {
    const own = this.items.at(index);
    if (own === undefined) throw new RangeError(`There is no item ${index}.`);
    const before = own.judgement;
    const after = { ...before, ...change };
    if ((Object.keys(after) as (keyof Judgement)[]).every((name) => after[name] === before[name])) return;
    this.file.done.push({ item: index, before, after });
    this.file.undone.length = 0;
    own.judgement = after;
  }

  /** Returns the index of the item that changed; undefined if there was nothing to undo. */
  undo(): number | undefined {
    return this.shift('undo');
  }

  redo(): number | undefined {
    return this.shift('redo');
  }

  toString(): string {
    return `${JSON.stringify(this.file, null, 1)}\n`;
  }

  private shift(way: 'undo' | 'redo'): number | undefined {
    const shifted = shiftStep(this.file, way);
    if (shifted === undefined) return undefined;
    this.file.items[shifted.item].judgement = shifted.value;
    return shifted.item;
  }
}

/** The version that the view shows on each side. */
export function shownOn({ original, changed, changedOn }: CheckItem): Record<Side, CheckItem['original']> {
  return changedOn === 'left' ? { left: changed, right: original } : { left: original, right: changed };
}

function sideOf(seed: number, id: string, annotator: string): Side {
  return new Random(seed, id, annotator, 'side').uniform() < 0.5 ? 'left' : 'right';
}
