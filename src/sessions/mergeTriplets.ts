import { english } from '../base/english';
import { CaptiousError, inputError } from '../base/errors';
import { annotatorsOf } from './session';
import { say } from '../base/say';
import { fleissKappa } from '../stats/fleiss';
import { isDefined } from '../stats/outcome';
import type { Decision, Item } from '../protocol/triplets';
import { TripletSession } from './triplets';
import { valueIn } from '../base/lists';

export interface Agreement {
  annotators: string[];
  /** The number of items that every annotator decided. */
  items: number;
  /** Fleiss' κ of the decisions to accept or reject. If κ is null, `note` gives the reason. */
  kappa: number | null;
  note?: string;
  /** How many items all annotators accepted, and for how many of these they also chose the same captions. */
  allAccepted: number;
  sameTexts: number;
}

export interface Merged {
  session: TripletSession;
  agreement: Agreement;
}

/**
 * Merges several annotators' sessions. Each item gets the majority's decision and the captions with the most votes.
 * After a tie, the item stays open.
 */
export function mergeSessions(sessions: readonly { session: TripletSession; at: string }[]): Merged {
  const names = annotatorsOf(sessions.map(({ session: { annotator }, at }) => ({ annotator, at })));
  const [first] = sessions;
  if (first === undefined) throw new CaptiousError('usage', say('sessions.noTripletFiles'));
  for (const { session, at } of sessions)
    if (session.origin.sha256 !== first.session.origin.sha256)
      throw inputError(say('sessions.datasetsDiffer'), say('sessions.mergeSameDataset'), at);
  const byKey = new Map<string, { item: Item; decisions: Decision[] }>();
  for (const { session } of sessions) {
    for (const item of session.items) {
      const key = JSON.stringify([item.id, item.image, item.caption]);
      const known = valueIn(byKey, key, () => ({ item, decisions: [] }));
      if (item.decision.status !== 'open') known.decisions.push(item.decision);
    }
  }
  const merged = TripletSession.begin(
    [...byKey.values()].map(({ item }) => item),
    { ...first.session.origin, how: 'merged' },
    names.join(' + '),
  );
  for (const [i, { decisions }] of [...byKey.values()].entries()) {
    const agreed = majority(decisions);
    if (agreed !== undefined) merged.change(i, agreed);
  }
  return { session: merged, agreement: agreementOf([...byKey.values()], names) };
}

function majority(decisions: readonly Decision[]): Decision | undefined {
  const accepted = decisions.filter(({ status }) => status === 'accepted');
  const rejected = decisions.length - accepted.length;
  if (accepted.length === rejected) return undefined;
  if (accepted.length < rejected) return decisions.find(({ status }) => status === 'rejected');
  const votes = new Map<string, { decision: Decision; votes: number }>();
  for (const decision of accepted) {
    const known = votes.get(textsOf(decision));
    if (known === undefined) votes.set(textsOf(decision), { decision, votes: 1 });
    else known.votes++;
  }
  const [best, next] = [...votes.values()].sort((a, b) => b.votes - a.votes);
  // If two versions of the captions have equally many votes, the item stays open.
  return best.votes === next?.votes ? undefined : best.decision;
}

function agreementOf(items: readonly { decisions: readonly Decision[] }[], annotators: string[]): Agreement {
  const byAll = items.filter(({ decisions }) => decisions.length === annotators.length);
  const acceptances = byAll.map(
    ({ decisions }) => decisions.filter(({ status }) => status === 'accepted').length,
  );
  const kappa = fleissKappa(acceptances.map((yes) => [yes, annotators.length - yes]));
  const allAccepted = byAll.filter((_, i) => acceptances[i] === annotators.length);
  return {
    annotators,
    items: byAll.length,
    ...(isDefined(kappa) ? { kappa } : { kappa: null, note: `No κ: ${english(kappa.reason)}.` }),
    allAccepted: allAccepted.length,
    sameTexts: allAccepted.filter(({ decisions }) => new Set(decisions.map(textsOf)).size === 1).length,
  };
}

function textsOf({ caption, second, negative }: Decision): string {
  return JSON.stringify([caption, second, negative].map((text) => text.trim()));
}
