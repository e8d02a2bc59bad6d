import { Random } from '../../src/base/random';
import type { Caption, Example } from '../../src/dataset/example';
import type { HalfTriplet } from '../../src/mining/half';
import { mineByRules } from '../../src/mining/rules';
import { attributeSynonyms } from '../../src/probe/prsm/synonyms';
import { attributed, paraphrased, prefixed } from '../../src/probe/prsm/wordings';
import { lexicon } from '../../src/perturb/society/lexicon';
import { type Rewrite, rewrites } from '../../src/perturb/society/natural';
import { beyondFlips } from '../../src/perturb/text/beyond';
import { cleanFlips } from '../../src/perturb/text/flip/cleanFlip';
import type { RandomFor } from '../../src/perturb/text/flip/flip';
import { tag } from '../../src/perturb/text/tagger';
import type { TextVariant } from '../../src/perturb/text/variant';
import { nounsOf, trueOf } from '../../src/perturb/words/replace';
import { alterByPolicy } from '../../src/probe/rococo/alter';
import { type Corpus, examplesOf } from './corpora';

/** A generated text and the caption it was made from. `how` names the word or rule. */
export interface Sample {
  caption: string;
  made: string;
  how: string;
}

export const kinds = [
  'same-concept',
  'negatives',
  'positives',
  'flips',
  'rewrites',
  'relations',
  'wordings',
] as const;
export type Kind = (typeof kinds)[number];

/** Draws up to this many generated texts of one kind, at most one for each image except for rewrites. */
export async function drawSamples(
  kind: Kind,
  corpus: Corpus,
  seed: number,
  count: number,
): Promise<Sample[]> {
  const order = await examplesOf(corpus, new Random(seed, kind, 'images'));
  switch (kind) {
    case 'negatives':
    case 'positives':
      return ofHalves(order, seed, count, (half) => half[kind].at(0));
    case 'rewrites':
      return new Random(seed, kind).shuffle(order.flatMap(rewritesOf)).slice(0, count);
    case 'same-concept':
      return first(order, count, (example) => sameConcept(example, seed));
    case 'flips':
      return first(order, count, (example) =>
        oneOf(example, seed, (text, randomFor) => cleanFlips(text, tag(text), randomFor)),
      );
    case 'relations':
      return first(order, count, (example) =>
        oneOf(example, seed, (text, randomFor) => beyondFlips(text, tag(text), onlyRelations, randomFor)),
      );
    case 'wordings':
      return first(order, count, (example) => wording(example, seed));
  }
}

const onlyRelations = {
  beyondVocabulary: false,
  beyondNegation: false,
  beyondRelation: true,
  beyondMulti: false,
};

function first(
  examples: readonly Example[],
  count: number,
  make: (example: Example) => Sample | undefined,
): Sample[] {
  const samples: Sample[] = [];
  for (const example of examples) {
    const sample = make(example);
    if (sample !== undefined) samples.push(sample);
    if (samples.length === count) break;
  }
  return samples;
}

/** The readers judged lists that were drawn by ids. */
function keyOf({ id, captions }: Example, caption?: Caption): (string | number)[] {
  return caption === undefined ? [id] : [id, captions.indexOf(caption)];
}

async function ofHalves(
  examples: readonly Example[],
  seed: number,
  count: number,
  candidateOf: (half: HalfTriplet) => { text: string; from: string } | undefined,
): Promise<Sample[]> {
  const samples: Sample[] = [];
  for await (const half of mineByRules(inTurn(examples), seed, 'English', () => undefined, { keyOf })) {
    const candidate = candidateOf(half);
    if (candidate !== undefined)
      samples.push({ caption: half.caption, made: candidate.text, how: candidate.from });
    if (samples.length === count) break;
  }
  return samples;
}

async function* inTurn(examples: readonly Example[]): AsyncGenerator<Example> {
  yield* examples;
}

/** One of the variants of a random caption of the example. */
function oneOf(
  example: Example,
  seed: number,
  variantsOf: (text: string, randomFor: RandomFor) => readonly TextVariant[],
): Sample | undefined {
  const { caption, at } = randomCaption(example, seed);
  const variants = variantsOf(caption, (purpose) => new Random(seed, example.id, at, purpose));
  if (variants.length === 0) return undefined;
  const { text, kind } = new Random(seed, example.id, 'variant').pick(variants);
  return { caption, made: text, how: kind };
}

/** What an audit without voters makes: it draws the noun, and no new word is in a caption of the image. */
function sameConcept(example: Example, seed: number): Sample | undefined {
  const { caption, at } = randomCaption(example, seed);
  const weighed = {
    ...{ example: example.id, index: at, text: caption, key: [example.id, at] },
    nouns: nounsOf(caption),
    influence: new Map(),
    voters: [],
  };
  const isTrue = trueOf(example.captions.map(({ text }) => text));
  const made = alterByPolicy(weighed, 'same-concept', seed, false, isTrue);
  return made && { caption, made: made.text, how: `${made.from} → ${made.to}` };
}

/** A wording of one of the sets of PRSM: a paraphrase, a prefix or a synonym of an attribute. */
function wording(example: Example, seed: number): Sample | undefined {
  const { caption, at } = randomCaption(example, seed);
  const random = new Random(seed, example.id, at, 'prsm.paraphrases');
  const sets = [
    paraphrased(caption, [], random).wordings,
    prefixed(caption).wordings,
    attributed(caption, [], attributeSynonyms),
  ].map((wordings) => [...wordings].filter(([label, text]) => label !== 'np' && text !== caption));
  const set = new Random(seed, example.id, 'set').pick(sets);
  if (set.length === 0) return undefined;
  const [how, made] = new Random(seed, example.id, 'wording').pick(set);
  return { caption, made, how };
}

function rewritesOf({ captions }: Example): Sample[] {
  return captions.flatMap(({ text }) =>
    rewritesToRead(text.trim()).flatMap(({ word, family, neutral, control, swapped }) => [
      { caption: text.trim(), made: neutral, how: `${family}: ${word.word} → ${control}` },
      ...(swapped === undefined
        ? []
        : [{ caption: text.trim(), made: swapped, how: `${family}: ${word.word} → ${word.against}` }]),
    ]),
  );
}

/** Omits rewrites of "boy" and "girl", because they are the majority of rewrites and all alike. */
function rewritesToRead(caption: string): Rewrite[] {
  return rewrites(lexicon, caption).filter(({ word }) => word.word !== 'boy' && word.word !== 'girl');
}

function randomCaption({ id, captions }: Example, seed: number): { caption: string; at: number } {
  const at = new Random(seed, id, 'caption').below(captions.length);
  return { caption: captions[at].text.trim(), at };
}
