/* Whether an evaluator's abilities are enough. The editor imports this file, so it imports no probe. */
import { inARow, say, type Said, type Words } from '../../base/say';
import type { Ability } from '../probe';

const words: Readonly<Record<Ability, Said>> = {
  'text-text': say('probe.pairsOfCaptions'),
  'image-text': say('probe.imageWithCaption'),
  'image-image': say('probe.pairsOfImages'),
  texts: say('probe.embeddingsOfCaptions'),
  ranking: say('probe.ranking'),
};

/** Whether an evaluator with these abilities can be used. Unknown needs or abilities (none) do not exclude it. */
export function isEnough(needed: readonly string[], abilities: readonly string[]): boolean {
  return needed.length === 0 || abilities.length === 0 || needed.some((need) => abilities.includes(need));
}

/** Why an evaluator cannot be used. `subject` is the probe, or several. */
export function cannotUse(
  subject: Words,
  evaluator: string,
  needed: readonly string[],
  abilities: readonly string[],
): Said {
  const listed = (all: readonly string[]): Said =>
    inARow(
      [...new Set(all)].map((one) => (words as Partial<Record<string, Said>>)[one] ?? one),
      ', ',
    );
  return say('probe.evaluatorUnusable', evaluator, subject, listed(needed), listed(abilities));
}
