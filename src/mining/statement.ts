import { isPluralNoun } from '../perturb/text/analysis';
import { phrases, predicate, type Relation, relationOf } from './relations';

/** A parsed sentence such as "The cat is under the bed." */
export interface Statement {
  text: string;
  subject: string;
  relation: Relation;
  object: string;
  /** The final punctuation: ".", "!" or "". */
  end: string;
}

const phrase = /^(the|a|an|some|two|three|four|five)\s+\S/i;

/** Parses "subject relation object". Undefined if the relation is unknown, or the form another one. */
export function parseStatement(text: string, relationPhrase: string): Statement | undefined {
  const relation = relationOf(relationPhrase.trim().toLowerCase());
  if (relation === undefined) return undefined;
  const said = text.trimEnd();
  const end = /[.!]$/.exec(said)?.[0] ?? '';
  const body = said.slice(0, said.length - end.length);
  for (const plural of [false, true]) {
    const middle = ` ${predicate(relation.phrase, plural)} `;
    const at = body.toLowerCase().indexOf(middle);
    if (at < 0) continue;
    const subject = body.slice(0, at).trim();
    const object = body.slice(at + middle.length).trim();
    if (!phrase.test(subject) || !phrase.test(object)) return undefined;
    return { text, subject: lowerArticle(subject), relation, object, end };
  }
  return undefined;
}

/** Parses a sentence with any known relation. Longer phrases are tried first. */
export function readStatement(text: string): Statement | undefined {
  for (const phrase of phrases) {
    const statement = parseStatement(text, phrase);
    if (statement !== undefined) return statement;
  }
  return undefined;
}

/** Builds a sentence whose verb agrees with the subject. "The sheep" counts as singular. */
export function sentence(subject: string, relationPhrase: string, object: string, end: string): string {
  const head = subject.split(/\s+/).at(-1)!.toLowerCase();
  const plural = /\band\b/.test(subject) || (isPluralNoun(head) && head !== 'sheep');
  const words = `${subject} ${predicate(relationPhrase, plural)} ${object}${end}`;
  return words[0].toUpperCase() + words.slice(1);
}

/** Makes only the article lower case: "The Eiffel Tower" becomes "the Eiffel Tower". */
function lowerArticle(text: string): string {
  return text[0].toLowerCase() + text.slice(1);
}
