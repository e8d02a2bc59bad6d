import { say, type Words } from '../base/say';
import type { CheckSession } from './check';
import { picksOf } from './picked';

/** What one annotator's judgments say once all are given; undefined before. */
export function ownResult(session: CheckSession): Words | undefined {
  const { items, origin } = session;
  if (items.length === 0 || items.some((item) => session.isOpen(item))) return undefined;
  // PRSM asks the questions of LGIP.
  const picks = picksOf(
    { session, at: '' },
    origin.probe === 'lgip' || origin.probe === 'prsm' ? 'lgip' : 'invariance',
  );
  const valid = [...picks.values()].filter((pick) => pick === 'valid').length;
  return say('sessions.checkDone', items.length, valid, picks.size - valid);
}
