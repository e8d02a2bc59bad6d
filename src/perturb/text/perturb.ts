import { beyondFlips, type BeyondOptions } from './beyond';
import { cleanFlip, cleanFlips } from './flip/cleanFlip';
import { flip, flips, type RandomFor } from './flip/flip';
import { ruledLanguage } from './fileLanguage';
import { readingOf, type Reading } from './language';
import { Multilingual } from './multilingual/rules';
import { advancedParaphrases, cleaned, paraphraseCandidates, sample } from './paraphrase';
import { tag } from './tagger';
import { asWritten, isTemplate } from './templates';
import { changedSpans, flipTypes, type FlipType, type TextVariant } from './variant';
import { paperVocabulary } from './vocabulary';

export interface PerturbOptions extends BeyondOptions {
  /**
   * Whether to follow the paper's rules literally. Templates then keep capitals and full stops inside a text,
   * and flips ignore agreement.
   */
  asInPaper: boolean;
  /** With `asInPaper`: whether flips also match capitalised words. */
  capitals: boolean;
  mostParaphrases: number;
  mostFlips: number;
  mostCombined: number;
  /** The minimum length of a variant, in characters. */
  leastLength: number;
}

export interface Perturbed {
  reading: Reading;
  variants: TextVariant[];
}

/** A variant from the dataset. For its caption, Captious generates only flips of the given paraphrases. */
export interface GivenVariant {
  text: string;
  family: 'paraphrase' | 'flip';
  kind: string;
}

/** A trimmed caption's paraphrases, flips, flipped paraphrases and further flips; always the same. */
export function perturb(
  caption: string,
  options: PerturbOptions,
  randomFor: RandomFor,
  given?: readonly GivenVariant[],
  language?: string,
): Perturbed {
  const rules = Multilingual.of(language);
  const reading = readingOf(caption, rules !== undefined || language === ruledLanguage);
  if (given !== undefined && reading !== 'blank')
    return { reading, variants: fromGiven(caption, given, options, randomFor, rules) };
  if (reading === 'english' && rules !== undefined)
    return { reading, variants: inLanguage(rules, caption, options, randomFor) };
  if (reading !== 'english') return { reading, variants: [] };
  const tokens = tag(caption);
  const paraphrases = sample(
    cleaned(paraphraseCandidates(caption, tokens, options), caption, options.leastLength),
    options.mostParaphrases,
    randomFor,
    'paraphrases',
  );
  const flipped = sample(
    cleaned(
      options.asInPaper ? flips(caption, randomFor, options) : cleanFlips(caption, tokens, randomFor),
      caption,
      options.leastLength,
    ),
    options.mostFlips,
    randomFor,
    'flips',
  );
  const beyond = cleaned(beyondFlips(caption, tokens, options, randomFor), caption, options.leastLength);
  return {
    reading,
    variants: [
      ...paraphrases,
      ...flipped,
      ...combined(caption, paraphrases, options, randomFor, undefined),
      ...beyond,
    ],
  };
}

/** The variants of a caption in another language: templates, flips and flipped templates. */
function inLanguage(
  rules: Multilingual,
  caption: string,
  options: PerturbOptions,
  randomFor: RandomFor,
): TextVariant[] {
  const clean = (variants: TextVariant[]) => cleaned(variants, caption, options.leastLength);
  const paraphrases = sample(
    clean(rules.paraphrases(caption)),
    options.mostParaphrases,
    randomFor,
    'paraphrases',
  );
  const flipped = sample(clean(rules.flips(caption, randomFor)), options.mostFlips, randomFor, 'flips');
  return [...paraphrases, ...flipped, ...combined(caption, paraphrases, options, randomFor, rules)];
}

/**
 * Flips every paraphrase at most once per type of word. The result's `of` is an index into `paraphrases`, so the
 * caption's variants must begin with `paraphrases`.
 */
function combined(
  caption: string,
  paraphrases: readonly TextVariant[],
  options: PerturbOptions,
  randomFor: RandomFor,
  rules: Multilingual | undefined,
): TextVariant[] {
  const all = paraphrases.flatMap((paraphrase, of) => {
    const tokens = options.asInPaper || rules !== undefined ? undefined : tag(paraphrase.text);
    return flipTypes.flatMap((type: FlipType): TextVariant[] => {
      const made =
        rules !== undefined
          ? rules.flip(paraphrase.text, type, randomFor)
          : options.asInPaper
            ? flip(paraphrase.text, type, randomFor, options)
            : cleanFlip(paraphrase.text, tokens, type, randomFor);
      if (made === undefined) return [];
      return [{ ...made, family: 'combined', rule: paraphrase.rule, of }];
    });
  });
  const taken = new Set(paraphrases.map(({ text }) => text));
  const fresh = cleaned(all, caption, options.leastLength).filter(({ text }) => !taken.has(text));
  return sample(fresh, options.mostCombined, randomFor, 'combined');
}

/**
 * Cleans the dataset's own variants in the same way as generated ones. The dataset may name the kind of a flip;
 * otherwise the kind follows from the words.
 */
function fromGiven(
  caption: string,
  given: readonly GivenVariant[],
  options: PerturbOptions,
  randomFor: RandomFor,
  rules: Multilingual | undefined,
): TextVariant[] {
  const tokens = tag(caption);
  const own = advancedParaphrases(caption, tokens);
  const written = new Set(asWritten(caption, tokens).map(({ text }) => text));
  const variants = given.map(({ text, family, kind }): TextVariant => {
    const trimmed = text.trim();
    const spans = changedSpans(caption, trimmed);
    if (family === 'flip') {
      const type = flipKind(caption.slice(...spans.was), trimmed.slice(...spans.span), kind);
      return { text: trimmed, family, kind: type, rule: type, ...spans };
    }
    const known = own.find((variant) => variant.text === trimmed);
    if (known !== undefined) return known;
    const simple = isTemplate(caption, trimmed) || written.has(trimmed) || marker.test(trimmed);
    return { text: trimmed, family, kind: simple ? 'template' : 'given', rule: 'given', ...spans };
  });
  const clean = cleaned(variants, caption, options.leastLength);
  const paraphrases = clean.filter(({ family }) => family === 'paraphrase');
  const flipped = clean.filter(({ family }) => family === 'flip');
  return [...paraphrases, ...flipped, ...combined(caption, paraphrases, options, randomFor, rules)];
}

/** As in the paper, a given paraphrase with one of these phrases counts as a template, unless a rule makes it. */
const marker = /a photo of|an image of|a picture of|in this image|in the picture|this image shows/i;

const typeNames: Readonly<Record<string, FlipType>> = {
  color: 'color',
  colour: 'color',
  col: 'color',
  number: 'number',
  count: 'number',
  cnt: 'number',
  num: 'number',
  object: 'object',
  category: 'object',
  obj: 'object',
};

/** The type that the file names, or else the type whose vocabulary contains both words, or else "other". */
function flipKind(was: string, is: string, named: string): string {
  if (named !== '') return typeNames[named.toLowerCase()] ?? named;
  const type = flipTypes.find((candidate) =>
    [was, is].every((word) => paperVocabulary[candidate].includes(word.toLowerCase())),
  );
  return type ?? 'other';
}
