import { throwIfCancelled } from '../base/errors';
import type { Example } from '../dataset/example';
import { isNoun } from '../perturb/text/tags';
import { tag } from '../perturb/text/tagger';
import { conceptOf } from '../perturb/words/concepts';
import { checkPrompt, judgementIn, textsIn, wanted } from './chat';
import { answered, type LmOptions } from './lm';
import { denials } from './lint';

/** An attribute of people, with a caption that contains the attribute. */
export interface Attribute {
  attribute: string;
  caption: string;
  /** How many captions contain the attribute. */
  count: number;
}

export interface Synonym {
  attribute: string;
  synonym: string;
  /** The caption with the synonym, for review. */
  example: string;
  from: string;
}

/** Replaces an attribute with a synonym; undefined if the caption lacks the attribute. */
export type Put = (caption: string, attribute: string, synonym: string) => string | undefined;

/** The most requests for one attribute: one for synonyms, and one check per synonym. */
export const requestsForAttribute = 1 + wanted;

/**
 * The attributes of people in a file, most frequent first. They are the values of `columns` or, if `columns` is
 * empty, the adjectives before words for people.
 */
export async function attributesOf(
  examples: AsyncIterable<Example>,
  columns: readonly string[],
  put: Put,
): Promise<Attribute[]> {
  const found = new Map<string, Attribute>();
  for await (const { captions, attributes } of examples) {
    const named = columns
      .map((column) => attributes[column])
      .filter((value) => typeof value === 'string')
      .map((value) => value.trim().toLowerCase());
    for (const { role, text } of captions) {
      if (role !== 'caption') continue;
      const own = columns.length > 0 ? named : adjectivesOfPeople(text);
      for (const attribute of new Set(own)) {
        // An attribute that is not in the caption cannot be replaced.
        if (attribute === '' || put(text, attribute, attribute) === undefined) continue;
        const known = found.get(attribute);
        if (known === undefined) found.set(attribute, { attribute, caption: text.trim(), count: 1 });
        else known.count++;
      }
    }
  }
  return [...found.values()].sort((a, b) => b.count - a.count || (a.attribute < b.attribute ? -1 : 1));
}

/** The adjectives before a word for a person, such as "tall" and "old" in "a tall old man". */
export function adjectivesOfPeople(caption: string): string[] {
  const tokens = tag(caption) ?? [];
  const found: string[] = [];
  for (const [at, token] of tokens.entries()) {
    if (!isNoun(token) || conceptOf(token.lower) !== 'person') continue;
    let first = at;
    while (tokens[first - 1]?.pos === 'ADJ') first--;
    for (const { lower } of tokens.slice(first, at)) if (!counts.test(lower)) found.push(lower);
  }
  return found;
}

/** Adjectives that count or compare, instead of describing a person. */
const counts =
  /^(several|many|some|few|various|multiple|numerous|different|other|another|same|single|more|most|first|second|third|last|next|own|assorted|such|only)$/;

/** A language model writes a synonym for each attribute, then checks the synonym in a caption of the file. */
export async function* synonymsByLm(
  attributes: readonly Attribute[],
  put: Put,
  options: LmOptions,
  leaveOut: (reason: string) => void,
): AsyncGenerator<Synonym> {
  const { parallel, signal, onProgress } = options;
  for (let from = 0; from < attributes.length; from += parallel) {
    throwIfCancelled(signal);
    const batch = attributes.slice(from, from + parallel);
    const found = await Promise.all(batch.map((one) => synonymOf(one, put, options, leaveOut)));
    onProgress?.(from + batch.length);
    for (const synonym of found) if (synonym !== undefined) yield synonym;
  }
}

/** The first synonym that `refuseSynonym` accepts and that, according to the model, keeps the caption's meaning. */
async function synonymOf(
  { attribute, caption }: Attribute,
  put: Put,
  { ask, model }: LmOptions,
  leaveOut: (reason: string) => void,
): Promise<Synonym | undefined> {
  const texts = await answered(
    ask,
    synonymPrompt(attribute, caption),
    (answer) => textsIn(answer, [attribute, caption]),
    leaveOut,
  );
  for (const synonym of [...new Set(texts ?? [])].slice(0, wanted)) {
    const refused = refuseSynonym(attribute, synonym);
    if (refused !== undefined) {
      leaveOut(refused);
      continue;
    }
    const example = put(caption, attribute, synonym);
    if (example === undefined) continue;
    const judged = await answered(
      ask,
      checkPrompt(caption, example),
      (answer) => judgementIn(answer, [caption, example]),
      leaveOut,
    );
    if (judged === undefined) continue;
    if (judged.same) return { attribute, synonym, example, from: `${model}, checked` };
    leaveOut('the model rejects a synonym');
  }
  return undefined;
}

const mostWords = 3;

/** The reason to reject a synonym; undefined if the synonym is acceptable. */
export function refuseSynonym(attribute: string, synonym: string): string | undefined {
  const [own, other] = [attribute, synonym].map((text) => text.toLowerCase().split(/[\s-]+/));
  if (own.join(' ') === other.join(' ')) return 'a synonym equals the attribute';
  if (!/^[\p{L}][\p{L}\p{M}' -]*$/u.test(synonym)) return 'a synonym is not plain words';
  if (other.length > mostWords) return 'a synonym is too long';
  if (denials.test(synonym) || /^(not|non|less|un(like)?)$/.test(other[0])) return 'a synonym is a negation';
  // "Very old" contains "old", so the wording would hardly change.
  if (other.some((word) => own.includes(word))) return 'a synonym repeats the attribute';
  // The synonym must not add a second noun for the person: "an old man man".
  if (conceptOf(other.at(-1)!) === 'person' && conceptOf(own.at(-1)!) !== 'person')
    return 'a synonym names a person, not an attribute';
  return undefined;
}

/** The attribute and the caption are JSON strings, because the model must not read them as instructions. */
export function synonymPrompt(attribute: string, caption: string): string {
  return [
    'You write synonyms of attributes of people in captions of photos, for a test of image search.',
    `Write ${wanted} words or short phrases that can replace the attribute and keep the meaning of the caption, the best first.`,
    '- Each must fit before the same noun, and name the same attribute to the same degree.',
    '- Use respectful terms. For groups of people, use the terms of a census.',
    '- Do not repeat the attribute, and do not deny its opposite.',
    'Examples:',
    '"old" in "An old man riding a horse" → "elderly", "aged"',
    '"skinny" in "A skinny boy" → "thin", "slim"',
    `The attribute, as a JSON string: ${JSON.stringify(attribute)}`,
    `The caption, as a JSON string: ${JSON.stringify(caption)}`,
    `Answer with a JSON list of ${wanted} strings and nothing else.`,
  ].join('\n');
}
