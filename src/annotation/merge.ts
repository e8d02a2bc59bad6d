import { CaptiousError } from '../base/errors';
import { annotatorsOf } from '../base/editHistory';
import { say } from '../base/say';
import { fleissKappa } from '../stats/fleiss';
import { isDefined } from '../stats/outcome';
import { type Grade, grades, isJudged } from '../protocol/judgement';
import type { CheckItem, CheckSession } from './session';

export const verdicts = ['both', 'one', 'neither'] as const;
export const preferences = ['original', 'changed', 'equal'] as const;
export type Preference = (typeof preferences)[number];

export interface Verdict {
  id: string;
  family: string;
  judged: number;
  /** How many of the two versions the majority accepts; a version without a majority counts as not accepted. */
  accepted: (typeof verdicts)[number];
  /** Whether a majority finds both versions fully correct. */
  full: boolean;
  /** null if there is no majority. */
  better: Preference | null;
}

export interface Kappa {
  value: number | null;
  /** The number of rated versions (for acceptability) or of rated items (for preference). */
  n: number;
  /** The reason, if κ is null. */
  note?: string;
}

export interface Tally {
  items: number;
  both: number;
  one: number;
  neither: number;
  full: number;
  equal: number;
  original: number;
  changed: number;
  noPreference: number;
}

export interface CheckResult {
  annotators: string[];
  items: number;
  /** The number of items judged by at least one annotator: the basis of the metrics below. */
  judged: number;
  /** The number of items judged by every annotator: the basis of κ. */
  byAll: number;
  total: Tally;
  families: (Tally & { family: string })[];
  kappa: { acceptability: Kappa; preference: Kappa };
  verdicts: Verdict[];
}

/** One annotator's judgment by version, not by side. */
interface Vote {
  original: Grade;
  changed: Grade;
  better: Preference;
}

export function mergeChecks(files: readonly { session: CheckSession; at: string }[]): CheckResult {
  const annotators = annotatorsOf(files.map(({ session: { annotator }, at }) => ({ annotator, at })));
  const [first] = files;
  if (first === undefined) throw new CaptiousError('usage', say`No human check files were given.`);
  const { rowsSha256 } = first.session.origin;
  for (const { session, at } of files)
    if (session.origin.rowsSha256 !== rowsSha256)
      throw new CaptiousError('input', say`The files belong to different reports.`, {
        at,
        remedy: say`Merge only files that were sampled from the same report.`,
      });
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
  const judged = all.filter(({ votes }) => votes.length > 0);
  const found = judged.map(({ item, votes }) => verdictOf(item, votes));
  const byAll = all.filter(({ votes }) => votes.length === annotators.length);
  const families = [...new Set(found.map(({ family }) => family))].sort();
  return {
    annotators,
    items: all.length,
    judged: judged.length,
    byAll: byAll.length,
    total: tallyOf(found),
    families: families.map((family) => ({
      family,
      ...tallyOf(found.filter((one) => one.family === family)),
    })),
    kappa: {
      acceptability: kappaOf(
        byAll.flatMap(({ votes }) =>
          (['original', 'changed'] as const).map((side) => {
            const yes = votes.filter((vote) => isAcceptable(vote[side])).length;
            return [yes, votes.length - yes];
          }),
        ),
      ),
      preference: kappaOf(
        byAll.map(({ votes }) =>
          preferences.map((kind) => votes.filter(({ better }) => better === kind).length),
        ),
      ),
    },
    verdicts: found,
  };
}

function voteOf({ judgement, changedOn }: CheckItem): Vote | undefined {
  const { left, right, better } = judgement;
  if (!isJudged(judgement) || left === null || right === null || better === null) return undefined;
  const isLeft = changedOn === 'left';
  return {
    original: isLeft ? right : left,
    changed: isLeft ? left : right,
    better: better === 'equal' ? 'equal' : better === changedOn ? 'changed' : 'original',
  };
}

function isAcceptable(grade: Grade): boolean {
  return grade !== grades[0];
}

function verdictOf({ id, family }: CheckItem, votes: readonly Vote[]): Verdict {
  const most = (holds: (vote: Vote) => boolean): boolean => 2 * votes.filter(holds).length > votes.length;
  const accepted = [most((vote) => isAcceptable(vote.original)), most((vote) => isAcceptable(vote.changed))];
  return {
    id,
    family,
    judged: votes.length,
    accepted: accepted.every(Boolean) ? 'both' : accepted.some(Boolean) ? 'one' : 'neither',
    full: most(({ original }) => original === 'fully') && most(({ changed }) => changed === 'fully'),
    better: preferences.find((kind) => most(({ better }) => better === kind)) ?? null,
  };
}

function tallyOf(found: readonly Verdict[]): Tally {
  const of = (holds: (verdict: Verdict) => boolean): number => found.filter(holds).length;
  return {
    items: found.length,
    both: of(({ accepted }) => accepted === 'both'),
    one: of(({ accepted }) => accepted === 'one'),
    neither: of(({ accepted }) => accepted === 'neither'),
    full: of(({ full }) => full),
    equal: of(({ better }) => better === 'equal'),
    original: of(({ better }) => better === 'original'),
    changed: of(({ better }) => better === 'changed'),
    noPreference: of(({ better }) => better === null),
  };
}

function kappaOf(table: readonly number[][]): Kappa {
  const kappa = fleissKappa(table);
  return isDefined(kappa)
    ? { value: kappa, n: table.length }
    : { value: null, n: table.length, note: `No κ: ${kappa.reason}.` };
}
