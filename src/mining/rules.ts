import { Random } from '../base/random';
import type { Caption, Example } from '../dataset/example';
import { advancedParaphrases, cleaned } from '../perturb/text/paraphrase';
import { beyondFlips } from '../perturb/text/beyond';
import type { RandomFor } from '../perturb/text/flip';
import { readingOf } from '../perturb/text/language';
import { tag } from '../perturb/text/tagger';
import type { Token } from '../perturb/text/token';
import type { TextVariant } from '../perturb/text/variant';
import { conceptOf } from '../perturb/words/concepts';
import { nounsOf, replaceNoun } from '../perturb/words/replace';
import type { Candidate } from '../protocol/triplets';
import type { HalfTriplet } from './half';

const leastLength = 5;
const mostCandidates = 5;
/** For each caption. More replacements would only repeat the idea. */
const mostNounsReplaced = 2;

/**
 * Groups of visible things. Words for people are excluded, because a replacement may offend or may also be
 * true.
 */
const replaceable = new Set(['animal', 'artifact', 'food', 'plant', 'vehicle part']);

/**
 * Makes one half triplet per image, from its first caption with candidates on both sides, or from its first
 * caption if there is none.
 */
export async function* mineByRules(
  examples: AsyncIterable<Example>,
  seed: number,
  leaveOut: (reason: string) => void,
): AsyncGenerator<HalfTriplet> {
  for await (const example of examples) {
    let half: HalfTriplet | undefined;
    for (const [at, caption] of example.captions.entries()) {
      if (caption.role !== 'caption') continue;
      const next = halfByRules(example, caption, at, seed);
      half ??= next;
      if (next.positives.length === 0 || next.negatives.length === 0) continue;
      half = next;
      break;
    }
    if (half === undefined) leaveOut('no caption');
    else yield half;
  }
}

/** Pairs of a caption and a negative, still without a second positive. */
export async function* minePairs(
  examples: AsyncIterable<Example>,
  leaveOut: (reason: string) => void,
): AsyncGenerator<HalfTriplet> {
  for await (const example of examples) {
    const caption = example.captions.find(({ role }) => role === 'caption');
    const negatives = example.captions.filter(({ role }) => role === 'negative');
    if (caption === undefined || negatives.length === 0) {
      leaveOut(caption === undefined ? 'no caption' : 'no negative caption');
      continue;
    }
    const text = caption.text.trim();
    yield {
      ...headOf(example, caption),
      caption: text,
      positives: positivesByRules(text, tag(text)),
      negatives: negatives.map(({ text: negative }) => ({ text: negative.trim(), from: 'given' })),
    };
  }
}

function halfByRules(example: Example, caption: Caption, at: number, seed: number): HalfTriplet {
  const text = caption.text.trim();
  const head = headOf(example, caption);
  if (readingOf(text) !== 'english') return { ...head, caption: text, positives: [], negatives: [] };
  const tokens = tag(text);
  const randomFor: RandomFor = (purpose) => new Random(seed, example.id, at, purpose);
  return {
    ...head,
    caption: text,
    positives: positivesByRules(text, tokens),
    negatives: negativesByRules(text, tokens, randomFor),
  };
}

function headOf(example: Example, caption: Caption): { id: string; image?: string } {
  const image = example.images.at(caption.image)?.name;
  return { id: example.id, ...(image === undefined ? {} : { image }) };
}

/** LGIP's paraphrase rules, except templates, which only add words around the caption. */
export function positivesByRules(caption: string, tokens: readonly Token[] | undefined): Candidate[] {
  return candidatesOf(cleaned(advancedParaphrases(caption, tokens), caption, leastLength));
}

/** Makes flips that keep agreement, opposite relations, negations, and nouns replaced within their group. */
export function negativesByRules(
  caption: string,
  tokens: readonly Token[] | undefined,
  randomFor: RandomFor,
): Candidate[] {
  const options = { beyondVocabulary: true, beyondNegation: true, beyondRelation: true, beyondMulti: false };
  const flips = candidatesOf(cleaned(beyondFlips(caption, tokens, options, randomFor), caption, leastLength));
  const replaced = nounsOf(caption)
    .filter(({ lower }) => replaceable.has(conceptOf(lower) ?? ''))
    .flatMap((noun, i) => {
      const made = replaceNoun(caption, noun, 'same-concept', randomFor(`replace.${i}`), { agree: true });
      return made === undefined ? [] : [{ text: made.text, from: `${made.from} → ${made.to}` }];
    })
    .slice(0, mostNounsReplaced);
  const seen = new Set([caption]);
  return [...flips, ...replaced]
    .filter(({ text }) => !seen.has(text) && seen.add(text))
    .slice(0, mostCandidates);
}

function candidatesOf(variants: readonly TextVariant[]): Candidate[] {
  return variants.slice(0, mostCandidates).map(({ text, rule }) => ({ text, from: rule }));
}
