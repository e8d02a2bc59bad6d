import { pauses } from '../base/errors';
import { say, type Words } from '../base/say';
import { Random } from '../base/random';
import { wordDistance } from '../base/text/levenshtein';
import { type Caption, drawKey, type Example } from '../dataset/example';
import { imageKey } from '../dataset/images/imageKey';
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
import type { Apart } from './apart';
import type { HalfTriplet } from './half';
import { kindOf, kindsInTurn } from './negatives/kinds';
import { negativesByRules } from './negatives/negatives';

/** What random choices about an example, or one of its captions, are seeded with. */
type KeyOf = (example: Example, caption?: Caption) => readonly (string | number)[];

const keyOfCaptions: KeyOf = (example, caption) =>
  drawKey(example, ...(caption === undefined ? example.captions : [caption]));

interface RulesOptions {
  signal?: AbortSignal;
  apart?: Apart;
  keyOf?: KeyOf;
}

/**
 * Makes one half triplet per example, from the caption with the best candidates. The first negatives of many
 * examples are of mixed kinds. The best positives differ from the caption in many words.
 */
export async function* mineByRules(
  examples: AsyncIterable<Example>,
  seed: number,
  language: string | undefined,
  leaveOut: (reason: Words) => void,
  { signal, apart = new Map<string, string[]>(), keyOf = keyOfCaptions }: RulesOptions = {},
): AsyncGenerator<HalfTriplet> {
  const pause = pauses(signal);
  for await (const example of examples) {
    const key = keyOf(example);
    const turn = kindsInTurn(new Random(seed, ...key, 'kinds'));
    let best: { half: HalfTriplet; worth: number } | undefined;
    const said = await saidOf(example, apart, pause);
    for (const caption of example.captions) {
      if (caption.role !== 'caption') continue;
      await pause();
      const half = withoutSaid(
        caption,
        halfByRules(example, caption, [seed, ...keyOf(example, caption)], language),
        said,
      );
      half.negatives = inTurn(half, turn);
      const worth = worthOf(half, turn);
      if (best === undefined || worth > best.worth) best = { half, worth };
    }
    if (best === undefined) {
      leaveOut(say('mining.noCaption'));
      continue;
    }
    const { half } = best;
    if (isDenial(half) && new Random(seed, ...key, 'denial').below(denialsKept) !== 0) {
      leaveOut(say('mining.plainNegation'));
      // The item stays, because the annotator can write another negative.
      half.negatives = [];
    }
    yield half;
  }
}

function inTurn({ caption, negatives }: HalfTriplet, turn: readonly string[]): Candidate[] {
  const place = (candidate: Candidate): number => turn.indexOf(kindOf(caption, candidate));
  return [...negatives].sort((a, b) => place(a) - place(b));
}

function isDenial({ caption, negatives }: HalfTriplet): boolean {
  return negatives.length > 0 && kindOf(caption, negatives[0]) === 'denial';
}

/** One in this many examples keeps a plain negation. In VISLA's published file, 44 of 973 negatives are plain negations. */
const denialsKept = 10;

/** A positive that differs in more words than this is not rated higher. */
const enoughWords = 6;

/** Rates the words that differ in the positive and the place of the first negative's kind. Plain negations are last. */
function worthOf({ caption, positives, negatives }: HalfTriplet, turn: readonly string[]): number {
  const [positive, negative] = [positives.at(0), negatives.at(0)];
  if (positive === undefined || negative === undefined) return 0;
  const ahead = turn.length - 1 - turn.indexOf(kindOf(caption, negative));
  return (ahead || 0.1) * Math.min(enoughWords, wordDistance(caption, positive.text));
}

/** How many captions of an image say a word. */
type Said = ReadonlyMap<number, ReadonlyMap<string, number>>;

async function saidOf(
  { captions, images }: Example,
  apart: Apart,
  pause: () => Promise<void>,
): Promise<Said> {
  const own = captions.filter(({ role }) => role === 'caption');
  const said = new Map<number, Map<string, number>>();
  for (const image of new Set(own.map((caption) => caption.image))) {
    const ref = images.at(image);
    const here = own.flatMap((caption) => (caption.image === image ? [caption.text] : []));
    const words = new Map<string, number>();
    for (const text of (ref && apart.get(imageKey(ref))) ?? here) {
      await pause();
      for (const word of saidIn(text)) words.set(word, (words.get(word) ?? 0) + 1);
    }
    said.set(image, words);
  }
  return said;
}

function saidIn(text: string): Set<string> {
  return new Set(wordsOf(text).flatMap((word) => (besides.test(word) ? [word, 'next'] : [word])));
}

/** Removes negatives that may be true, because one of their new words is in another caption of the image. */
function withoutSaid(caption: Caption, half: HalfTriplet, said: Said): HalfTriplet {
  const captions = said.get(caption.image);
  const here = saidIn(caption.text);
  const isSaid = (word: string): boolean => (captions?.get(word) ?? 0) > (here.has(word) ? 1 : 0);
  return {
    ...half,
    negatives: half.negatives.filter(({ text }) => newWord(caption.text, text, isSaid) === undefined),
  };
}

/** The first content word of `text` that is not in `caption`, and that is said. */
function newWord(caption: string, text: string, isSaid: (word: string) => boolean): string | undefined {
  const own = new Set(wordsOf(caption));
  return wordsOf(text).find((word) => !own.has(word) && !functionWord.test(word) && isSaid(word));
}

/** Why a changed caption may be true: the first of its new words that another caption says, with that one. */
export function saidElsewhere(
  caption: string,
  changed: string,
  others: readonly string[],
): { word: string; caption: string } | undefined {
  const said = others.map(saidIn);
  const word = newWord(caption, changed, (one) => said.some((words) => words.has(one)));
  if (word === undefined) return undefined;
  return { word, caption: others[said.findIndex((words) => words.has(word))] };
}

/** Words of a place next to a thing. */
const besides = /^(beside|near|by|close|alongside)$/;
const functionWord = /^(an?|not?|without|is|are|from|to|of|the)$/;

function wordsOf(text: string): string[] {
  return (text.toLowerCase().match(/[\p{L}\p{N}'-]+/gu) ?? []).map((word) => singular(word, isListed));
}

/** Makes half triplets from pairs of a caption and a negative. Rules write the second positives. */
export async function* minePairs(
  examples: AsyncIterable<Example>,
  leaveOut: (reason: Words) => void,
  signal?: AbortSignal,
): AsyncGenerator<HalfTriplet> {
  const pause = pauses(signal);
  for await (const example of examples) {
    await pause();
    const caption = example.captions.find(({ role }) => role === 'caption');
    const negatives = example.captions.filter(({ role }) => role === 'negative');
    if (caption === undefined || negatives.length === 0) {
      leaveOut(caption === undefined ? say('mining.noCaption') : say('mining.noNegative'));
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
  key: readonly (string | number)[],
  language: string | undefined,
): HalfTriplet {
  const text = caption.text.trim();
  const head = headOf(example, caption);
  if (!rulesApply(text, language)) return { ...head, caption: text, positives: [], negatives: [] };
  const tokens = tag(text);
  const randomFor: RandomFor = (purpose) => new Random(...key, purpose);
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

/** Rewords a paraphrase again without "there is" and "who is": more rules apply to the simpler text. */
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
