import { CaptiousError, messageOf } from '../../base/errors';
import { readJsonSync } from '../../base/files/readJson';
import {
  choice,
  list,
  object,
  optional,
  record,
  type Shape,
  type Shaped,
  ShapeError,
  text,
} from '../../base/shape';
import builtIn from './lexicon.json';

const filled: Shape<string> = (value, at) => {
  const given = text(value, at);
  if (given.trim() === '') throw new ShapeError(at, 'a text that holds something');
  return given;
};

const some =
  <T>(shape: Shape<T>): Shape<T[]> =>
  (value, at) => {
    const items = list(shape)(value, at);
    if (items.length === 0) throw new ShapeError(at, 'a list that holds something');
    return items;
  };

const template =
  (...slots: string[]): Shape<string> =>
  (value, at) => {
    const given = filled(value, at);
    for (const slot of slots)
      if (!given.includes(slot)) throw new ShapeError(at, `a text with ${slot} in it`);
    return given;
  };

const lexiconShape = object({
  templates: object({
    base: template('{a}', '{object}'),
    attribute: template('{a}', '{word}', '{object}'),
  }),
  /** What is said of a label that does not read well after "a"; `{word}` where an adjective goes. */
  objects: record(template('{word}')),
  /** Neutral words; of these the one closest in length stands against each word. */
  controls: object({ adjective: some(filled), noun: some(filled) }),
  /** Labels that say a gender already. */
  gendered: list(filled),
  families: record(
    object({
      /** Categories its adjectives go with, and why they go with no other. */
      suits: some(filled),
      otherwise: filled,
      words: some(
        object({
          word: filled,
          /** A noun stands in place of "person"; what is not said is an adjective. */
          as: optional(choice('adjective', 'noun')),
          /** What it is swapped for in captions that people wrote. */
          against: optional(filled),
        }),
      ),
    }),
  ),
  /** Pairs that read ill or make no sense. */
  rejected: list(object({ word: filled, object: filled, reason: filled })),
  valence: object({ positive: some(filled), negative: some(filled) }),
});

export type Lexicon = Shaped<typeof lexiconShape>;
export type LexiconWord = Lexicon['families'][string]['words'][number];

export const lexicon: Lexicon = lexiconShape(builtIn, '');

/** A person's own lexicon, in the form of the one that ships. */
export function readLexicon(path: string): Lexicon {
  try {
    return lexiconShape(readJsonSync(path), '');
  } catch (cause) {
    throw new CaptiousError('input', `This lexicon cannot be used: ${messageOf(cause)}`, {
      at: path,
      remedy: 'Start from a copy of lexicon.json as it ships, and change the words in it.',
      cause,
    });
  }
}
