/** Gathers the answers of several annotators by item. */
import { english } from '../base/english';
import { CaptiousError, inputError } from '../base/errors';
import { annotatorsOf } from './session';
import { say } from '../base/say';
import { fleissKappa } from '../stats/fleiss';
import { isDefined } from '../stats/outcome';
import { type Grade, grades, isJudged, type Meaning } from '../protocol/judgement';
import type { CheckItem, CheckSession } from './check';

export const preferences = ['original', 'changed', 'equal'] as const;
export type Preference = (typeof preferences)[number];

/** One annotator's judgment of an item. It names the versions (original, changed) instead of the sides. */
export interface Vote {
  original: Grade;
  changed: Grade;
  better: Preference | null;
  meaning: Meaning | null;
}

export interface Kappa {
  value: number | null;
  /** The number of items that κ is computed from; for acceptability, the number of versions. */
  n: number;
  /** The reason for a null κ. */
  note?: string;
}

export interface Votes {
  annotators: string[];
  all: { item: CheckItem; votes: Vote[] }[];
  /** The items that every annotator judged. κ is computed from these items. */
  byAll: { item: CheckItem; votes: Vote[] }[];
}

export interface CheckFileAt {
  session: CheckSession;
  at: string;
}

export function votesOf(files: readonly CheckFileAt[]): Votes {
  const annotators = annotatorsOf(files.map(({ session: { annotator }, at }) => ({ annotator, at })));
  const [first] = files;
  if (first === undefined) throw new CaptiousError('usage', say('sessions.noHumanCheckFiles'));
  const { rowsSha256 } = first.session.origin;
  for (const { session, at } of files)
    if (session.origin.rowsSha256 !== rowsSha256)
      throw inputError(say('sessions.reportsDiffer'), say('sessions.mergeSameReport'), at);
  const byId = new Map<string, { item: CheckItem; votes: Vote[] }>();
  for (const { session } of files) {
    for (const item of session.items) {
      const known = byId.get(item.id) ?? { item, votes: [] };
      byId.set(item.id, known);
      const vote = voteOf(item);
      if (vote !== undefined) known.votes.push(vote);
    }
  }
  const all = [...byId.values()];
  return { annotators, all, byAll: all.filter(({ votes }) => votes.length === annotators.length) };
}

function voteOf({ judgement, changedOn }: CheckItem): Vote | undefined {
  const { left, right, better, meaning } = judgement;
  if (!isJudged(judgement) || left === null || right === null) return undefined;
  const isLeft = changedOn === 'left';
  return {
    original: isLeft ? right : left,
    changed: isLeft ? left : right,
    better: better === null || better === 'equal' ? better : better === changedOn ? 'changed' : 'original',
    meaning: meaning ?? null,
  };
}

export function isAcceptable(grade: Grade): boolean {
  return grade !== grades[0];
}

/** Whether a property holds for more than half of the votes. */
export function hasMajority(votes: readonly Vote[], holds: (vote: Vote) => boolean): boolean {
  return 2 * votes.filter(holds).length > votes.length;
}

export function acceptabilityKappa({ byAll }: Votes): Kappa {
  return kappaOf(
    byAll.flatMap(({ votes }) =>
      (['original', 'changed'] as const).map((side) => {
        const yes = votes.filter((vote) => isAcceptable(vote[side])).length;
        return [yes, votes.length - yes];
      }),
    ),
  );
}

export function kappaOver<T>(
  { byAll }: Votes,
  answers: readonly T[],
  answerOf: (vote: Vote) => T | null,
): Kappa {
  return kappaOf(
    byAll.map(({ votes }) =>
      answers.map((answer) => votes.filter((vote) => answerOf(vote) === answer).length),
    ),
  );
}

function kappaOf(table: readonly number[][]): Kappa {
  const kappa = fleissKappa(table);
  return isDefined(kappa)
    ? { value: kappa, n: table.length }
    : { value: null, n: table.length, note: `No κ: ${english(kappa.reason)}.` };
}
