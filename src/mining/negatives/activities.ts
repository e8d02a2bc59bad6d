import { analyse, nounPhraseAt } from '../../perturb/text/analysis';
import type { RandomFor } from '../../perturb/text/flip/flip';
import { isNoun } from '../../perturb/text/tags';
import type { Token } from '../../perturb/text/token';
import { beings } from '../../perturb/text/words';
import { isListed } from '../../perturb/words/concepts';
import { seenTogether } from '../../perturb/words/fit';
import { singular } from '../../perturb/words/number';
import { put } from '../../perturb/words/replace';
import { isUsualIn, isParticle, slotsOf } from '../../perturb/words/slots';
import type { Candidate } from '../../protocol/triplets';

/**
 * Each verb has three forms, such as "sit sits sitting". "|" separates verbs that exclude each other. "=" joins
 * verbs that can both be true at once.
 */
const lines = `
  sit sits sitting = rest rests resting | stand stands standing | lie lies lying = lay lays laying = sleep sleeps sleeping | walk walks walking | run runs running | jump jumps jumping | swim swims swimming | kneel kneels kneeling
  ride rides riding = drive drives driving | carry carries carrying | push pushes pushing | pull pulls pulling
  eat eats eating = chew chews chewing | cook cooks cooking = make makes making = prepare prepares preparing | cut cuts cutting = slice slices slicing | sell sells selling = buy buys buying
  throw throws throwing = toss tosses tossing | catch catches catching | hit hits hitting | kick kicks kicking
  wear wears wearing | hold holds holding = carry carries carrying
  feed feeds feeding | wash washes washing | chase chases chasing | ride rides riding
  enter enters entering | leave leaves leaving = exit exits exiting
`;

interface Verb {
  form: number;
  line: number;
  part: number;
}

const parts = lines
  .trim()
  .split('\n')
  .map((line) => line.split('|').map((part) => part.split('=').map((verb) => verb.trim().split(/\s+/))));
const verbs = new Map<string, Verb[]>();
for (const [line, ofLine] of parts.entries())
  for (const [part, same] of ofLine.entries())
    for (const forms of same)
      for (const [form, word] of forms.entries())
        verbs.set(word, [...(verbs.get(word) ?? []), { form, line, part }]);

/**
 * Replaces the subject's verb with an incompatible verb: "sitting on a bench" → "standing on a bench". The new
 * verb must be usual after this subject and before this object.
 */
export function otherActivities(
  caption: string,
  tokens: readonly Token[],
  randomFor: RandomFor,
): Candidate[] {
  const form = analyse(tokens);
  if (form === undefined) return [];
  const { subject, next } = form;
  const at = /^(is|are)$/.test(tokens[next]?.lower ?? '') ? next + 1 : next;
  const verb = tokens[at];
  const known = verbs.get(verb?.lower ?? '');
  if (known === undefined || !beings.has(tokens[subject.to - 1].lower)) return [];
  // A second activity in the caption could contradict the new verb.
  if (
    tokens.some(
      ({ lower, pos }, i) =>
        (i !== at && (verbs.has(lower) || (pos === 'VERB' && !lower.endsWith('ed')))) || alsoSays.test(lower),
    )
  )
    return [];
  const made = known.flatMap(({ form: ending, line, part }) =>
    parts[line].flatMap((same, i) => (i === part ? [] : same.map((forms) => forms[ending]))),
  );
  const fitting = [...new Set(made)].filter((word) => fits(tokens, subject.to - 1, at, word));
  if (fitting.length === 0) return [];
  const { text } = put(caption, verb, randomFor('activity').pick(fitting), false);
  return [{ text, from: 'activity' }];
}

/** Words that suggest a posture, a held object, another activity ("while") or a lifeless subject ("statue"). */
const alsoSays =
  /^(hands?|mouth|lap|back|shoulders?|head|trunk|each|together|while|up|down|asleep|and|stuffed|toy|statue)$/;

function fits(tokens: readonly Token[], subject: number, at: number, word: string): boolean {
  const changed = tokens.map((token, i) =>
    i === at ? { ...token, text: word, lower: word, pos: 'VERB' as const } : token,
  );
  let from = at + 1;
  while (changed[from] !== undefined && isParticle(changed[from])) from++;
  const object = nounPhraseAt(changed, from);
  if (object === undefined) return false;
  const before = slotsOf(changed, subject).filter(({ exact }) => exact.startsWith('>'));
  const after = slotsOf(changed, object.to - 1).filter(({ exact }) => !/^[>~]/.test(exact));
  return (
    before.length > 0 &&
    after.length > 0 &&
    changed
      .slice(object.to)
      .every((noun) => !isNoun(noun) || seenTogether(word, singular(noun.lower, isListed)) > 0) &&
    isUsualIn(singular(changed[subject].lower, isListed), before) &&
    isUsualIn(singular(object.head.lower, isListed), after)
  );
}
