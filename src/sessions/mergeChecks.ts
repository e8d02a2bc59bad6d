import {
  acceptabilityKappa,
  type CheckFileAt,
  hasMajority,
  isAcceptable,
  type Kappa,
  kappaOver,
  type Preference,
  preferences,
  type Vote,
  votesOf,
} from './votes';
import type { CheckItem } from './check';

export const verdicts = ['both', 'one', 'neither'] as const;

export interface Verdict {
  id: string;
  family: string;
  judged: number;
  /** How many versions the majority accepts. A version without a majority is not accepted. */
  accepted: (typeof verdicts)[number];
  /** Whether a majority finds each version fully correct. */
  full: boolean;
  /** The majority's preference; null without a majority. */
  better: Preference | null;
}

export type Tally = ReturnType<typeof tallyOf>;

export interface CheckResult {
  annotators: string[];
  items: number;
  /** The number of items judged by at least one annotator: the basis of `total` and `families`. */
  judged: number;
  /** The number of items judged by every annotator: the basis of κ. */
  byAll: number;
  total: Tally;
  families: (Tally & { family: string })[];
  kappa: { acceptability: Kappa; preference: Kappa };
  verdicts: Verdict[];
}

export function mergeChecks(files: readonly CheckFileAt[]): CheckResult {
  const gathered = votesOf(files);
  const { annotators, all, byAll } = gathered;
  const judged = all.filter(({ votes }) => votes.length > 0);
  const found = judged.map(({ item, votes }) => verdictOf(item, votes));
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
      acceptability: acceptabilityKappa(gathered),
      preference: kappaOver(gathered, preferences, ({ better }) => better),
    },
    verdicts: found,
  };
}

function verdictOf({ id, family }: CheckItem, votes: readonly Vote[]): Verdict {
  const most = (holds: (vote: Vote) => boolean): boolean => hasMajority(votes, holds);
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

function tallyOf(found: readonly Verdict[]) {
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
