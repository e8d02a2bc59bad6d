import { nounsOf } from '../words/replace';
import { type TextVariant, variantOf } from '../text/variant';

const side =
  /\b(?<before>(?:on|to|at|in|from) (?:the |its )?(?:far |top |upper |lower |bottom )?)(?<side>left|right)(?= (?:side|corner|edge|half|of|and (?:a|an|the|there)|is|are|stands|sits)\b|[.,;]|$)/giu;

/** Words that say that something is on both sides. */
const both = /\b(?:both|either|each|opposite|other|two) (?:of )?(?:the )?(?:sides?|edges?|corners?|ends?)\b/i;

const general =
  /^(?:image|picture|photo|side|left|right|edge|corner|half|background|foreground|front|view|scene|part|top|bottom|middle|center|frame)$/;

/**
 * Replaces "left" by "right" or the reverse, in a sentence that names one side of the image. `others` are the other
 * sentences: what one of them puts on the other side may be named here, too.
 */
export function sideFlip(sentence: string, others: readonly string[]): TextVariant | undefined {
  const found = [...sentence.matchAll(side)];
  if (found.length !== 1 || (sentence.match(/\b(?:left|right)(?:most)?\b/gi) ?? []).length !== 1)
    return undefined;
  if (both.test(sentence)) return undefined;
  const was = found[0].groups!.side.toLowerCase();
  const opposite = was === 'left' ? 'right' : 'left';
  const named = new Set(contentOf(sentence));
  const isNamed = (other: string): boolean =>
    (new RegExp(`\\b${opposite}`, 'i').test(other) || both.test(other)) &&
    contentOf(other).some((noun) => named.has(noun));
  if (others.some(isNamed)) return undefined;
  const at = found[0].index + found[0].groups!.before.length;
  const text = sentence.slice(0, at) + opposite + sentence.slice(at + was.length);
  return variantOf(sentence, text, { family: 'beyond', kind: 'relation', rule: 'side' });
}

function contentOf(text: string): string[] {
  return nounsOf(text)
    .map(({ lower }) => lower.replace(/s$/, ''))
    .filter((noun) => !general.test(noun));
}
