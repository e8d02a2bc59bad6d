import { pauses } from '../base/errors';
import { Random } from '../base/random';
import type { Caption, Example } from '../dataset/example';
import { advancedParaphrases, cleaned } from '../perturb/text/paraphrase';
import { reorderings } from '../perturb/text/positives/reorder';
import { synonyms } from '../perturb/text/synonym';
import type { RandomFor } from '../perturb/text/flip/flip';
import { rulesApply } from '../perturb/text/fileLanguage';
import { tag } from '../perturb/text/tagger';
import type { Token } from '../perturb/text/token';
import type { TextVariant } from '../perturb/text/variant';
import { isListed } from '../perturb/words/concepts';
import { singular } from '../perturb/words/number';
import type { Candidate } from '../protocol/triplets';
import { candidatesOf, leastLength } from './candidates';
import type { HalfTriplet } from './half';
import { negativesByRules } from './negatives';

/**
 * Makes one half triplet per example, from the caption with the best candidates. The best positives differ from the
 * caption in many words. Negatives that only negate the caption are rated lower.
 */
export async function* mineByRules(
  examples: AsyncIterable<Example>,
  seed: number,
  language: string | undefined,
  leaveOut: (reason: string) => void,
  signal?: AbortSignal,
): AsyncGenerator<HalfTriplet> {
  const pause = pauses(signal);
  for await (const example of examples) {
    let best: { half: HalfTriplet; worth: number } | undefined;
    for (const [at, caption] of example.captions.entries()) {
      if (caption.role !== 'caption') continue;
      await pause();
      const half = withoutSaid(example, caption, halfByRules(example, caption, at, seed, language));
      const worth = worthOf(half);
      if (best === undefined || worth > best.worth) best = { half, worth };
    }
    if (best === undefined) leaveOut('no caption');
    else yield best.half;
  }
}

/** A positive that differs in more words than this is not rated higher. */
const enoughWords = 6;

function worthOf({ caption, positives, negatives }: HalfTriplet): number {
  const [positive, negative] = [positives.at(0), negatives.at(0)];
  if (positive === undefined || negative === undefined) return 0;
  const isDenial = negative.from === 'beyond: negation';
  return 1 + Math.min(enoughWords, wordDistance(caption, positive.text)) + (isDenial ? 0 : enoughWords);
}

/** Removes negatives that may be true, because one of their new words is in another caption of the image. */
function withoutSaid(example: Example, caption: Caption, half: HalfTriplet): HalfTriplet {
  const said = new Set(
    example.captions
      .filter((other) => other.role === 'caption' && other.image === caption.image && other !== caption)
      .flatMap(({ text }) => wordsOf(text)),
  );
  const own = new Set(wordsOf(caption.text));
  const isNew = (word: string): boolean => !own.has(word) && !functionWord.test(word);
  return {
    ...half,
    negatives: half.negatives.filter(
      ({ text }) => !wordsOf(text).some((word) => isNew(word) && said.has(word)),
    ),
  };
}

const functionWord = /^(an?|not?|without|is|are|from|to|of|the)$/;

function wordsOf(text: string): string[] {
  return (text.toLowerCase().match(/[\p{L}\p{N}'-]+/gu) ?? []).map((word) => singular(word, isListed));
}

/** Makes half triplets from pairs of a caption and a negative. Rules write the second positives. */
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

function halfByRules(
  example: Example,
  caption: Caption,
  at: number,
  seed: number,
  language: string | undefined,
): HalfTriplet {
  const text = caption.text.trim();
  const head = headOf(example, caption);
  if (!rulesApply(text, language)) return { ...head, caption: text, positives: [], negatives: [] };
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

/**
 * Rewords a caption with LGIP's paraphrase rules, reorderings and synonyms. The largest changes come first. LGIP's
 * templates are not used, because they only add words around the caption.
 */
export function positivesByRules(caption: string, tokens: readonly Token[] | undefined): Candidate[] {
  const plain = [...advancedParaphrases(caption, tokens), ...reorderings(caption, tokens)];
  const single = [...plain, ...plain.flatMap(again)];
  const twice = single.map((variant) => ({ ...withSynonyms(variant), kind: variant.kind }));
  const all = cleaned([...single, ...twice], caption, leastLength)
    .map((variant) => ({ variant, distance: wordDistance(caption, variant.text) }))
    .sort((a, b) => b.distance - a.distance);
  return candidatesOf(all.map(({ variant }) => variant));
}

/**
 * Rewords a paraphrase again after a rule removed "there is" or "who is", because more rules apply to the
 * simpler text.
 */
function again(made: TextVariant): TextVariant[] {
  if (!/there is|who is/.test(made.rule) || /^there /i.test(made.text)) return [];
  const tokens = tag(made.text);
  const more = [...reorderings(made.text, tokens), ...advancedParaphrases(made.text, tokens)];
  return more
    .filter(({ kind }) => kind !== 'synonym')
    .map((one) => ({ ...one, rule: `${made.rule}, ${one.rule}` }));
}

const mostSynonyms = 4;

/** Replaces several words with fitting synonyms. */
function withSynonyms(variant: TextVariant): TextVariant {
  let { text } = variant;
  const seen = new Set([text]);
  for (let i = 0; i < mostSynonyms; i++) {
    const next = synonyms(text, tag(text) ?? []).find((made) => !seen.has(made.text));
    if (next === undefined) break;
    ({ text } = next);
    seen.add(text);
  }
  return { ...variant, text, rule: text === variant.text ? variant.rule : `${variant.rule}, synonyms` };
}

/** The smallest number of words to insert, remove or replace (edit distance). */
export function wordDistance(before: string, after: string): number {
  const [a, b] = [before, after].map((text) => text.toLowerCase().match(/[\p{L}\p{N}'-]+/gu) ?? []);
  let row = b.map((_, j) => j + 1);
  for (const [i, word] of a.entries()) {
    let corner = i;
    let left = i + 1;
    row = row.map((above, j) => {
      left = Math.min(above + 1, left + 1, corner + (word === b[j] ? 0 : 1));
      corner = above;
      return left;
    });
  }
  return row.at(-1) ?? a.length;
}
