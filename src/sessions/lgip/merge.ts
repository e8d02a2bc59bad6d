import { grades, type Meaning, meanings } from '../../protocol/judgement';
import type { CheckItem } from '../check';
import {
  acceptabilityKappa,
  type CheckFileAt,
  hasMajority,
  type Kappa,
  kappaOver,
  type Vote,
  votesOf,
} from '../votes';
import { keepsMeaning } from './variants';

export interface LgipVerdict {
  id: string;
  family: string;
  kind: string;
  judged: number;
  /** The majority's answer; null without a majority. */
  meaning: Meaning | null;
  /** Whether a majority finds that the variant describes the image worse than the caption. */
  worse: boolean;
  /**
   * Whether the variant fits its family. A valid paraphrase has the same meaning as the caption and does not describe
   * the image worse. Any other valid variant has a different meaning and describes the image worse.
   */
  valid: boolean;
}

export type LgipTally = ReturnType<typeof tallyOf>;

export interface LgipCheckResult {
  annotators: string[];
  items: number;
  /** The number of items judged by at least one annotator. */
  judged: number;
  /** The number of items judged by every annotator: the basis of κ. */
  byAll: number;
  kinds: (LgipTally & { family: string; kind: string })[];
  kappa: { acceptability: Kappa; meaning: Kappa };
  verdicts: LgipVerdict[];
}

export function mergeLgipChecks(files: readonly CheckFileAt[]): LgipCheckResult {
  const gathered = votesOf(files);
  const { annotators, all, byAll } = gathered;
  const judged = all.filter(({ votes }) => votes.length > 0);
  const verdicts = judged.map(({ item, votes }) => verdictOf(item, votes));
  const kinds = new Map<string, LgipVerdict[]>();
  for (const verdict of verdicts) {
    const name = JSON.stringify([verdict.family, verdict.kind]);
    kinds.set(name, [...(kinds.get(name) ?? []), verdict]);
  }
  return {
    annotators,
    items: all.length,
    judged: judged.length,
    byAll: byAll.length,
    kinds: [...kinds.keys()].sort().map((name) => {
      const own = kinds.get(name)!;
      return { family: own[0].family, kind: own[0].kind, ...tallyOf(own) };
    }),
    kappa: {
      acceptability: acceptabilityKappa(gathered),
      meaning: kappaOver(gathered, meanings, ({ meaning }) => meaning),
    },
    verdicts,
  };
}

function verdictOf({ id, family, variant }: CheckItem, votes: readonly Vote[]): LgipVerdict {
  const meaning = meanings.find((kind) => hasMajority(votes, (vote) => vote.meaning === kind)) ?? null;
  const worse = hasMajority(
    votes,
    ({ original, changed }) => grades.indexOf(changed) < grades.indexOf(original),
  );
  const valid = keepsMeaning(family) ? meaning === 'same' && !worse : meaning === 'different' && worse;
  return { id, family, kind: variant, judged: votes.length, meaning, worse, valid };
}

function tallyOf(verdicts: readonly LgipVerdict[]) {
  const of = (holds: (verdict: LgipVerdict) => boolean): number => verdicts.filter(holds).length;
  return {
    items: verdicts.length,
    same: of(({ meaning }) => meaning === 'same'),
    unsure: of(({ meaning }) => meaning === 'unsure'),
    different: of(({ meaning }) => meaning === 'different'),
    noMajority: of(({ meaning }) => meaning === null),
    worse: of(({ worse }) => worse),
    valid: of(({ valid }) => valid),
  };
}
